/**
 * Caches the results of a function of a list. A table returns the same list object until a row changes, so reading a
 * large list page by page filters and sorts it only once. `variant` is the other input of the function. A few variants
 * are cached for each list.
 */
export function memoized<Item, Result>(
  compute: (list: readonly Item[], variant: string) => Result,
): (list: readonly Item[], variant: string) => Result {
  const known = new WeakMap<readonly Item[], Map<string, Result>>();
  return (list, variant) => {
    const results = known.get(list) ?? new Map<string, Result>();
    known.set(list, results);
    const found = results.get(variant);
    if (found !== undefined) return found;
    if (results.size >= MAX_VARIANTS) results.clear();
    const result = compute(list, variant);
    results.set(variant, result);
    return result;
  };
}

const MAX_VARIANTS = 4;
