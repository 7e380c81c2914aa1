/** A list in `count` stretches, which are as equally long as they can be. */
export function stretches<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  const start = (index: number): number => Math.floor((index * items.length) / count);
  return Array.from({ length: count }, (_, index) => items.slice(start(index), start(index + 1)));
}
