/** What is committed of a run: counts and ratios, which are the same on any machine. Times are not. */
export interface Baseline {
  readonly type: "driftline.bench-baseline";
  /** By {@link requestsKey}. A run that needs more is a regression. */
  readonly requests: Readonly<Record<string, number>>;
  /** Of time, by {@link requestsKey}: what was measured when the baseline was written, to look at. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** Largest pages that the service gives. */
export const PAGE_SIZES = [100, 500] as const;

export function requestsKey(scenario: string, pageSize: number): string {
  return `${scenario} @ ${String(pageSize)}`;
}
