/** Retries that a run may spend before they are rationed. */
const STOCK = 10;
/** What every request adds. With some hundreds of requests, at most one in ten is a retry. */
const PER_REQUEST = 0.05;

/** Limits the retries of a run, because retries must not multiply the load that may have caused an outage. */
export interface RetryBudget {
  /** Call for each request that is sent for the first time. */
  earn(): void;
  /** Takes one retry. Returns false if none is left. */
  spend(): boolean;
}

/** Creates a full budget. It never holds more, so a long healthy run does not save up retries. */
export function createRetryBudget(): RetryBudget {
  // Counted in integer parts, because sums of 0.05 are not exact.
  const scale = Math.round(1 / PER_REQUEST);
  let parts = STOCK * scale;
  return {
    earn: () => {
      parts = Math.min(STOCK * scale, parts + 1);
    },
    spend: () => {
      if (parts < scale) return false;
      parts -= scale;
      return true;
    },
  };
}
