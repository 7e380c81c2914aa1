/** What is reported about lists that could not be read. */
import { ApiError } from "../api/errors/errors.ts";
import type { Hint } from "../model/command.ts";
import { hintFields } from "../model/command.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { LiveList, ListProblem } from "../model/live.ts";

/**
 * The problem of a list. A list that several kinds share, a rejected key and a scope that the key lacks are one cause each: there is one
 * thing to do.
 *
 * @param scope address of the scope
 */
export function problemOf({ kind, message, missingScope }: ApiError, hint: Hint, scope: string): ListProblem {
  const code = kind === "auth" || kind === "scope" ? "access_denied" : "unreadable";
  const fields = hintFields(hint);
  const address = scope === "" ? {} : { address: scope };
  const cause =
    kind === "auth"
      ? `${REJECTED_KEY}${fields.hint ?? ""}`
      : missingScope === undefined
        ? message
        : `scope: ${missingScope}`;
  return { cause, diagnostic: { severity: "error", code, message, ...fields, ...address } };
}

/** How the cause begins if the service takes the key for none of its own. */
const REJECTED_KEY = "key: ";

/** Whether the service rejects the key itself, so that no other request with it can succeed. */
export function isKeyRejected(list: LiveList): boolean {
  return list.status === "unknown" && list.problem?.cause.startsWith(REJECTED_KEY) === true;
}

/** The problems of lists, each cause once. */
export function listProblems(lists: Iterable<LiveList>): readonly Diagnostic[] {
  const byCause = new Map<string, Diagnostic>();
  for (const list of lists) {
    if (list.status === "known" || list.problem === undefined) continue;
    const { cause, diagnostic } = list.problem;
    if (!byCause.has(cause)) byCause.set(cause, diagnostic);
  }
  return [...byCause.values()];
}

/** The same list, about which nothing has to be said. */
export function withoutProblem(list: LiveList): LiveList {
  return list.status === "known" ? list : { ...list, problem: undefined };
}
