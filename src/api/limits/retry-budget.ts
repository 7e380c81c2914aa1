/** What the first failures of a run may cost before retries are rationed. Retries. */
const STOCK = 10;
/** What every request adds: with the stock, at most one retry in ten requests as soon as they are hundreds. */
const PER_REQUEST = 0.05;

/** How many retries a run may still spend: an outage must not multiply the load that may have caused it. */
export interface RetryBudget {
  /** A request was sent for the first time. */
  earn(): void;
  /** Takes one retry, if there is one left. */
  spend(): boolean;
}

/** A budget that is full: unspent retries do not pile up over a long, healthy run. */
export function createRetryBudget(): RetryBudget {
  // In parts: sums of 0.05 never reach a whole number.
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
