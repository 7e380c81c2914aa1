import type { Change } from "../model/change.ts";
import type { OutcomeError, Status } from "../model/outcome.ts";

/** How a change ended. */
export interface ChangeResult {
  readonly status: Status;
  readonly error: OutcomeError | null;
}

/** The end of a change for which nothing is done; undefined where there is something to do. */
export function resultWithoutWork({ action, blocked, reason }: Change): ChangeResult | undefined {
  if (blocked !== null) {
    const message = `refused by the rule ${blocked.rule}`;
    return { status: "skipped", error: { code: blocked.rule, message, hint: blocked.lift } };
  }
  if (action === "unknown") return { status: "skipped", error: { code: "unknown", message: reason } };
  return action === "no_op" ? { status: "applied", error: null } : undefined;
}

/** Why a change was not begun, or not ended. */
export const INTERRUPTED: OutcomeError = {
  code: "interrupted",
  message: "not begun: interrupted",
  hint: "Apply again.",
};
export const PARENT_FAILED: OutcomeError = {
  code: "parent_failed",
  message: "what it belongs to is not there",
  hint: "Apply again once its parent is.",
};
export const KEY_TAKEN: OutcomeError = {
  code: "key_taken",
  message: "another object still has its natural key, as that one was not renamed",
  hint: "Put right what failed, and apply again.",
};
export const NAME_IN_DOUBT: OutcomeError = {
  code: "name_in_doubt",
  message: "nobody knows whether another object of its name was created, so that this one could not be told from it",
  hint: "Apply again.",
};
export const NOT_REMOVED: OutcomeError = {
  code: "not_removed",
  message: "nothing is removed after a failure",
  hint: "Put right what failed, and apply again.",
};
export const STOPPED_IN_FLIGHT: OutcomeError = {
  code: "outcome_unknown",
  message: "stopped with a request in flight: it may or may not have taken effect",
  hint: "Run plan: it shows what the service holds. The next apply settles it before anything else.",
};
export const STOPPED_IN_PART: OutcomeError = {
  code: "interrupted",
  message: "stopped before it was done: a part of it was written",
  hint: "Run plan: it shows what is left. The next apply does that.",
};
