/** Sentences of a document that name people, where there is no room for all of them. */
import type { Diagnostic } from "../model/diagnostic.ts";
import type { OutcomesDocument } from "../model/outcome.ts";
import type { PlanDocument } from "../model/plan.ts";
import { withFewNames } from "../model/plural.ts";

/** How to see all people on a terminal. */
export const VERBOSE = "--verbose lists them";

/**
 * A document for a terminal or a comment, which have no room for all people that its sentences name.
 *
 * @param wayToAll where all of them stand
 */
export function withFewPeople<T extends PlanDocument | OutcomesDocument>(document: T, wayToAll: string): T {
  const few = (text: string): string => withFewNames(text, wayToAll);
  return {
    ...document,
    changes: document.changes.map(({ reason, blocked, ...change }) => ({
      ...change,
      reason: few(reason),
      blocked: blocked && { ...blocked, detail: blocked.detail && few(blocked.detail), remedy: few(blocked.remedy) },
    })),
    diagnostics: withFewPeopleIn(document.diagnostics, wayToAll),
  };
}

/** The same of diagnostics. */
export function withFewPeopleIn(diagnostics: readonly Diagnostic[], wayToAll: string): readonly Diagnostic[] {
  return diagnostics.map((one) => ({ ...one, message: withFewNames(one.message, wayToAll) }));
}
