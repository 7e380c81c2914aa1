import { CODES } from "../../model/diagnostic-codes.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { LiveList } from "../../model/live.ts";
import { listProblems } from "../../world/list-problems.ts";
import type { ExportSelection } from "./selection.ts";

/** A list that could not be read, with the permission that the key lacks if the service names it. */
export interface UnreadList {
  readonly kind: KindName;
  readonly scope: string;
  readonly missingPermission: string | undefined;
  /** Set if the service answers that it lacks the route. */
  readonly route: Extract<LiveList, { readonly status: "unknown" }>["route"];
}

/** What an export says if it could read nothing. Without selected projects, the key may be good for some that it cannot list. */
export function nothingReadable(
  lists: Iterable<LiveList>,
  unread: readonly UnreadList[],
  { project }: ExportSelection,
): readonly Diagnostic[] {
  const existing = unread.filter(({ route }) => route !== "missing" && route !== "gone");
  if (existing.length === 0 || existing.some(({ missingPermission }) => missingPermission === undefined))
    return listProblems(lists);
  const needed = project !== undefined ? [] : ["organization:read"];
  const lacked = unread.flatMap(({ missingPermission }) => missingPermission ?? []);
  const permissions = [...new Set([...lacked, ...needed])].toSorted().join(", ");
  const message = "the API key may read nothing of what was selected";
  const others = project !== undefined ? "" : ", or select projects by their ids, with --project";
  const hint = `Give the API key the scope of each family that you need (${permissions})${others}.`;
  return [{ severity: "error", code: CODES.accessDenied, message, hint }];
}

/** The error for a key that may not list organizations, with what else can be done. */
export function withIdsHint(error: Diagnostic): Diagnostic {
  const hint = `${error.hint ?? ""} Or select the organization and its projects by their ids, with --organization and --project.`;
  return { ...error, hint: hint.trim() };
}
