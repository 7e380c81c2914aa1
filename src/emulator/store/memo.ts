/**
 * A function of a list that remembers what it gave for it. The lists of a table stay the same until something changes, so
 * that going through a large one page by page filters and sorts it once. `variant` tells apart what else the result
 * depends on; a few of them are remembered for each list.
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
    if (results.size >= MOST_VARIANTS) results.clear();
    const result = compute(list, variant);
    results.set(variant, result);
    return result;
  };
}

const MOST_VARIANTS = 4;
