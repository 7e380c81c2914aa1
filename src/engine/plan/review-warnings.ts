/** What the kinds say about planned changes that concern more than the changed object. */
import { organizationAt } from "../../kinds/live-organization.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import type { KindName } from "../../model/kind-name.ts";
import {
  isGoneList,
  listKey,
  type LiveList,
  type LiveObject,
  type LiveSnapshot,
  type PlannedRead,
} from "../../model/live.ts";

/** The lists that warnings about planned changes need, and that the plan did not read with all objects. */
export function readsForWarnings(snapshot: LiveSnapshot, changes: readonly Change[]): readonly PlannedRead[] {
  const needed = changes.flatMap((change) => {
    const scope = organizationAround(change);
    const names = kinds[change.kind].review?.needs(change, organizationAt(snapshot, scope) ?? {}) ?? [];
    return names.map((kind) => ({ scope, kind, full: false }));
  });
  const unique = new Map(needed.map((read) => [listKey(read.scope, read.kind), read]));
  // A plan reads people whole, and of other kinds only what is declared.
  const isWhole = (key: string, kind: KindName): boolean =>
    kinds[kind].isMember !== undefined && snapshot.lists.has(key);
  return [...unique].flatMap(([key, read]) => (isWhole(key, read.kind) ? [] : [read]));
}

/** Returns the warnings that the kinds have about planned changes. If a list could not be read, the kind says what is missing. */
export function reviewWarnings(snapshot: LiveSnapshot, changes: readonly Change[]): readonly Diagnostic[] {
  return changes.flatMap((change) => {
    const { review } = kinds[change.kind];
    const scope = organizationAround(change);
    const organization = organizationAt(snapshot, scope) ?? {};
    const objects = (kind: KindName): readonly LiveObject[] | undefined =>
      objectsOf(snapshot.lists.get(listKey(scope, kind)));
    const { address, work } = change;
    return (review?.warnings(change, objects, organization) ?? []).flatMap((warning): readonly Diagnostic[] =>
      warning === undefined ? [] : [warningAt({ address, position: work?.resource?.position }, warning)],
    );
  });
}

function objectsOf(list: LiveList | undefined): readonly LiveObject[] | undefined {
  return list?.status === "known" || isGoneList(list) ? list?.objects : undefined;
}

/** The address of the organization that a change is in, or that it changes. */
function organizationAround({ kind, address, work }: Change): string {
  return kinds[kind].asScope === undefined ? (work?.scope ?? "") : address;
}
