/** What is reported about lists that could not be read. The words are those of the error (src/api/errors). */
import { CODES } from "../model/diagnostic-codes.ts";
import { type ApiError, isDenied, isOutage } from "../api/errors/errors.ts";
import { type Hint, hintFields, hintText } from "../model/command.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { groupBy } from "../model/group-by.ts";
import type { LiveList, ListProblem } from "../model/live.ts";
import { joinWords, plural } from "../model/text/plural.ts";

/**
 * The problem of a list. A list that several kinds share, a rejected key, a permission that the key lacks and an outage are one cause each: there
 * is one thing to do.
 *
 * @param scope address of the scope
 */
export function listProblem(error: ApiError, hint: Hint, scope: string): ListProblem {
  const { kind, message, missingPermission, path, tries } = error;
  // Behind an address at which nothing listens there may never have been a service.
  const isOut = isOutage(error) && error.tookEffect === "maybe";
  const code = isDenied(error) ? CODES.accessDenied : isOut ? CODES.outage : "unreadable";
  const fields = hintFields(hint);
  const address = scope === "" ? {} : { address: scope };
  const diagnostic = { severity: "error", code, message, ...fields, ...address } as const;
  if (kind === "auth") return { cause: `key: ${hintText(hint)}`, isKeyRejected: true, diagnostic };
  if (isOutage(error)) return { cause: message, outage: { path, tries }, diagnostic };
  return { cause: missingPermission === undefined ? message : `scope: ${missingPermission}`, diagnostic };
}

/** The problems of lists, each cause once. Several permissions that the key lacks are one problem: one change of the key mends them all. */
export function listProblems(lists: Iterable<LiveList>): readonly Diagnostic[] {
  const unknown = [...lists].flatMap((list) => (list.problem === undefined ? [] : [list]));
  const groups = [...groupBy(unknown, ({ problem }) => problem?.cause).values()];
  const causes = groups.map(([first]) => first);
  const lacking = causes.flatMap(({ missingPermission }) => missingPermission ?? []).toSorted();
  const isSingle = lacking.length < 2;
  const others = groups.filter(([{ missingPermission }]) => isSingle || missingPermission === undefined);
  return [
    ...others.flatMap((group) => groupDiagnostic(group.flatMap(({ problem }) => problem ?? []))),
    ...(isSingle ? [] : [lackingPermissions(lacking)]),
  ];
}

/** The problem of lists with one cause. An outage says how many lists it concerns, and how often they were asked for. */
function groupDiagnostic([first, ...others]: readonly ListProblem[]): readonly Diagnostic[] {
  if (first === undefined) return [];
  const { diagnostic, outage } = first;
  if (outage === undefined) return [diagnostic];
  const tries = new Map([first, ...others].flatMap((one) => (one.outage ? [[one.outage.path, one.outage.tries]] : [])));
  const sent = plural(
    [...tries.values()].reduce((sum, one) => sum + one, 0),
    "try",
    "tries",
  );
  const { address: _one, message, ...rest } = diagnostic;
  if (tries.size === 1) return [{ ...diagnostic, message: `${message}: ${outage.path} could not be read in ${sent}` }];
  return [{ ...rest, message: `${message}: ${plural(tries.size, "list")} could not be read in ${sent}` }];
}

function lackingPermissions(permissions: readonly string[]): Diagnostic {
  const message = `the API key lacks ${String(permissions.length)} scopes, so their lists could not be read`;
  const hint = `Give the API key the scopes ${joinWords(permissions, "and")}.`;
  return { severity: "error", code: CODES.accessDenied, message, hint };
}
