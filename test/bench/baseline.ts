/** The committed part of a run: counts and ratios, which hardly depend on the machine. Times are left out. */
export interface Baseline {
  readonly type: "driftline.bench-baseline";
  /** By {@link requestsKey}. A run that needs more is a regression. */
  readonly requests: Readonly<Record<string, number>>;
  /** Time ratios by {@link requestsKey}, as measured when the baseline was written. They are not compared. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** The largest pages that the service returns. */
export const PAGE_SIZES = [100, 500] as const;

export function requestsKey(scenario: string, pageSize: number): string {
  return `${scenario} @ ${String(pageSize)}`;
}
