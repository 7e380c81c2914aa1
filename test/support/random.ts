/** Pseudo-random numbers that are reproducible by their seed. */
export interface Random {
  /** Evenly distributed from 0 up to, but without, 1. */
  next(): number;
  /** A whole number from 0 up to, but without, `end`. */
  below(end: number): number;
  /** One of them. */
  pick<T>(items: readonly [T, ...T[]]): T;
  /** True as often as that; 1 is always. */
  chance(share: number): boolean;
}

/** The same numbers for the same seed (Park and Miller's generator, well shaken at the start). */
export function seededRandom(seed: number): Random {
  let state = (Math.abs(Math.trunc(seed)) % 2_147_483_646) + 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let step = 0; step < 8; step += 1) next();
  const below = (end: number): number => Math.floor(next() * end);
  return { next, below, pick: (items) => items[below(items.length)] ?? items[0], chance: (share) => next() < share };
}
