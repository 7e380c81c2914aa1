/** What is reported about lists that could not be read. The words are those of the error (src/api/errors). */
import { CODES } from "../model/diagnostic-codes.ts";
import { type ApiError, isDenied } from "../api/errors/errors.ts";
import { type Hint, hintFields, hintText } from "../model/command.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { LiveList, ListProblem } from "../model/live.ts";

/**
 * The problem of a list. A list that several kinds share, a rejected key and a scope that the key lacks are one cause each: there is one
 * thing to do.
 *
 * @param scope address of the scope
 */
export function listProblem(error: ApiError, hint: Hint, scope: string): ListProblem {
  const { kind, message, missingScope } = error;
  const code = isDenied(error) ? CODES.accessDenied : "unreadable";
  const fields = hintFields(hint);
  const address = scope === "" ? {} : { address: scope };
  const diagnostic = { severity: "error", code, message, ...fields, ...address } as const;
  if (kind === "auth") return { cause: `key: ${hintText(hint)}`, isKeyRejected: true, diagnostic };
  return { cause: missingScope === undefined ? message : `scope: ${missingScope}`, diagnostic };
}

/** The problems of lists, each cause once. */
export function listProblems(lists: Iterable<LiveList>): readonly Diagnostic[] {
  const byCause = new Map<string, Diagnostic>();
  for (const { problem } of lists) {
    if (problem !== undefined && !byCause.has(problem.cause)) byCause.set(problem.cause, problem.diagnostic);
  }
  return [...byCause.values()];
}
