/** What is reported about lists that could not be read. The words are those of the error (src/api/errors). */
import { CODES } from "../model/diagnostic-codes.ts";
import { type ApiError, isDenied } from "../api/errors/errors.ts";
import { type Hint, hintFields, hintText } from "../model/command.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { groupBy } from "../model/group-by.ts";
import type { LiveList, ListProblem } from "../model/live.ts";
import { joinWords } from "../model/plural.ts";

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

/** The problems of lists, each cause once. Several scopes that the key lacks are one problem: one change of the key mends them all. */
export function listProblems(lists: Iterable<LiveList>): readonly Diagnostic[] {
  const unknown = [...lists].flatMap((list) => (list.problem === undefined ? [] : [list]));
  const causes = [...groupBy(unknown, ({ problem }) => problem?.cause).values()].map(([first]) => first);
  const scopes = causes.flatMap(({ missingScope }) => missingScope ?? []).toSorted();
  const isSingle = scopes.length < 2;
  const others = causes.filter(({ missingScope }) => isSingle || missingScope === undefined);
  return [...others.flatMap(({ problem }) => problem?.diagnostic ?? []), ...(isSingle ? [] : [lacking(scopes)])];
}

function lacking(scopes: readonly string[]): Diagnostic {
  const message = `the API key lacks ${String(scopes.length)} scopes, so their lists could not be read`;
  const hint = `Give the API key the scopes ${joinWords(scopes, "and")}.`;
  return { severity: "error", code: CODES.accessDenied, message, hint };
}
