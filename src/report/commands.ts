import type { OutcomesDocument } from "../model/outcome.ts";
import type { PlanDocument } from "../model/plan.ts";
import { type CompleteCommand, completeCommands, PLAN_HASH } from "../model/messages.ts";

/** Leaves a command as it is. */
export const asGiven: CompleteCommand = (words) => words;

/** The same document with complete commands in its reasons, hints and remedies: with the hash of the plan and the arguments of the run. */
export function withCompleteCommands<T extends PlanDocument | OutcomesDocument>(
  document: T,
  complete: CompleteCommand = asGiven,
): T {
  const text = (hint: string): string => completeCommands(hint, (words) => complete(withHash(document, words)));
  const hinted = <H extends { readonly hint?: string | undefined }>(one: H): H =>
    one.hint === undefined ? one : { ...one, hint: text(one.hint) };
  return {
    ...document,
    changes: document.changes.map((change) => ({
      ...change,
      reason: text(change.reason),
      ...(change.blocked === null ? {} : { blocked: { ...change.blocked, lift: text(change.blocked.lift) } }),
      ...("error" in change && change.error !== null ? { error: hinted(change.error) } : {}),
    })),
    diagnostics: document.diagnostics.map(hinted),
  };
}

/** A command with the hash of the plan. Only a plan can be approved, so a drift leads to the plan first. */
export function withHash(
  { type, hash }: Pick<PlanDocument | OutcomesDocument, "type" | "hash">,
  words: readonly string[],
): readonly string[] {
  if (words.at(words.indexOf("--approve") + 1) !== PLAN_HASH) return words;
  if (type === "driftline.drift") return ["plan"];
  return words.map((word, index) => (words[index - 1] === "--approve" ? hash : word));
}
