import { allKinds, kinds } from "../../kinds/registry.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { KindName } from "../../model/kind-name.ts";
import { listKey, type LiveList } from "../../model/live.ts";
import type { SnapshotResult } from "../../snapshot/snapshot.ts";

/**
 * Removes the complaints about routes that only some services have.
 *
 * If none of an organization's projects has the list of a kind, and the organization's own list of that kind was read, nothing
 * is missing: the organization's list shows the same objects. A single project without the route stays an error.
 */
export function withoutMissingRoutes(
  reading: SnapshotResult,
  organization: string,
  projects: readonly string[],
): SnapshotResult {
  const missing = allKinds.flatMap((kind): readonly KindName[] => {
    const isElsewhere = reading.lists.get(listKey(organization, kind.name))?.status === "known";
    const lists = projects.map((project) => reading.lists.get(listKey(project, kind.name)));
    return isElsewhere && lists.length > 0 && lists.every(isUndocumentedRoute) ? [kind.name] : [];
  });
  if (missing.length === 0) return reading;
  const keys = new Set(projects.flatMap((project) => missing.map((kind) => listKey(project, kind))));
  const unread = [...keys].map((key) => reading.lists.get(key));
  const reasons = new Set(unread.map((list) => (list?.status === "unknown" ? list.reason : "")));
  const lists = [...reading.lists].map(([key, list]): [string, LiveList] => [
    key,
    keys.has(key) ? { status: "known", objects: [] } : list,
  ]);
  const complaints = reading.diagnostics.filter(({ message }) => !reasons.has(message));
  const diagnostics = [...complaints, ...missing.map((kind) => onlyElsewhere(organization, kind))];
  return { ...reading, lists: new Map(lists), diagnostics };
}

function isUndocumentedRoute(list: LiveList | undefined): boolean {
  return list?.status === "unknown" && list.route === "undocumented";
}

function onlyElsewhere(address: string, kind: KindName): Diagnostic {
  const message = `the service does not list the ${kinds[kind].collection} of projects: all of them are listed under the organization`;
  return { severity: "warning", code: "route_missing", message, address };
}
