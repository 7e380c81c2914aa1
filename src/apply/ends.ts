import type { OutcomeError } from "../model/outcome.ts";

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
