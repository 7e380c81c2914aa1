/** What the first failures of a run may cost before retries are rationed. Retries. */
const STOCK = 10;
/** What every request adds: at most one retry in ten requests in the long run. */
const PER_REQUEST = 0.1;

/** How many retries a run may still spend: an outage must not multiply the load that may have caused it. */
export interface RetryBudget {
  /** A request was sent for the first time. */
  earn(): void;
  /** Takes one retry, if there is one left. */
  spend(): boolean;
}

/** A budget that is full: unspent retries do not pile up over a long, healthy run. */
export function createRetryBudget(): RetryBudget {
  // In tenths: sums of 0.1 never reach a whole number.
  const scale = Math.round(1 / PER_REQUEST);
  let tenths = STOCK * scale;
  return {
    earn: () => {
      tenths = Math.min(STOCK * scale, tenths + 1);
    },
    spend: () => {
      if (tenths < scale) return false;
      tenths -= scale;
      return true;
    },
  };
}
