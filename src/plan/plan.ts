import { kinds } from "../kinds/registry.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../model/live.ts";
import type { Plan, PlanOptions, Summary } from "../model/plan.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { create, decide, prune, restore, unknown } from "./decide.ts";
import { guard } from "./guard.ts";
import { match, type Match } from "./match.ts";

/**
 * Decides what has to be done. Pure and total: the same graph, snapshot and options give the same plan, byte for byte.
 */
export function makePlan(graph: DesiredGraph, snapshot: LiveSnapshot, options: PlanOptions): Plan {
  const claims = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const made = new Map<string, Change>();
  for (const resource of inMatchingOrder(graph.resources)) {
    const change = plan(resource, snapshot, options, claims, diagnostics);
    if (isSelected(resource.address, options.only)) made.set(resource.address, change);
  }
  const unmanaged = unmanagedObjects(snapshot, claims);
  const changes = [
    ...graph.resources.flatMap((resource) => made.get(resource.address) ?? []),
    ...pruned(graph, unmanaged).filter((change) => isSelected(change.address, options.only)),
  ];
  const guarded = guard(changes, { graph, snapshot, unmanaged, prune: options.prune });
  return {
    summary: summarize(guarded, unmanaged.length),
    options,
    changes: guarded,
    unmanaged: unmanaged.map(({ kind, scope, id, keys }) => ({ kind, scope, id, key: keys[0] ?? null })),
    diagnostics: diagnostics.filter(({ address }) => address === undefined || isSelected(address, options.only)),
  };
}

/** Whether an address is one of `only`, or below one. */
export function isSelected(address: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((chosen) => address === chosen || address.startsWith(`${chosen}/`));
}

/** Pins first, then inner scopes before outer ones: an export declared under its project is not the organization's to claim. */
function inMatchingOrder(resources: readonly Resource[]): readonly Resource[] {
  const depth = (resource: Resource): number => resource.scope.split("/").length;
  return resources.toSorted((a, b) => Number(b.pin !== undefined) - Number(a.pin !== undefined) || depth(b) - depth(a));
}

function plan(
  resource: Resource,
  snapshot: LiveSnapshot,
  options: PlanOptions,
  claims: Set<string>,
  diagnostics: Diagnostic[],
): Change {
  const kind = kinds[resource.kind];
  const scope = snapshot.scopes.get(resource.scope);
  if (scope?.status === "absent") {
    return resource.lifecycle.state === "absent"
      ? decide(kind, resource, undefined, false)
      : create(kind, resource, `${resource.scope} is created first`);
  }
  if (scope?.status !== "known") return unknown(resource, scope?.reason ?? "its scope was not read");
  const lists = [resource.kind, ...kind.siblings].flatMap(
    (name) => snapshot.lists.get(listKey(resource.scope, name)) ?? [],
  );
  if (lists.length === 0) return unknown(resource, "it was not read");
  const found = match(kind, resource, lists, (live) => claims.has(claimOf(live)));
  if (found.type === "found") claims.add(claimOf(found.live));
  return fromMatch(kind, resource, found, options.rotate.includes(resource.address), diagnostics);
}

function fromMatch(kind: Kind, resource: Resource, found: Match, rotate: boolean, diagnostics: Diagnostic[]): Change {
  const fail = (code: string, message: string, hint: string): Change => {
    diagnostics.push({ severity: "error", code, message, hint, address: resource.address, ...resource.position });
    return unknown(resource, message);
  };
  switch (found.type) {
    case "found": {
      const change = decide(kind, resource, found.live, rotate);
      if (found.live.expired === true && change.action === "no_op") diagnostics.push(expired(resource, change.reason));
      return change;
    }
    case "unknown":
      return unknown(resource, found.reason);
    case "ambiguous":
      return fail(
        "ambiguous",
        `several live objects are called ${JSON.stringify(found.key)}: ids ${found.ids.join(", ")}`,
        "Pin the one that is meant with `id`.",
      );
    case "rename_conflict":
      return fail(
        "rename_conflict",
        `both the new name and ${JSON.stringify(found.from)} are there: ids ${found.ids.join(", ")}`,
        "Remove lifecycle.renamed_from, or one of the objects.",
      );
    case "pin_missing":
      if (resource.lifecycle.state === "absent" || resource.lifecycle.forget === true)
        return decide(kind, { ...resource, lifecycle: { state: "absent" } }, undefined, false);
      if (kind.restorable === true) return restore(kind, resource, found.pin);
      return fail(
        "pin_missing",
        `there is no ${kind.name} with the id ${found.pin}`,
        "Correct the pinned id, or take it out to have a new object created.",
      );
    case "absent":
      if (resource.lifecycle.forget === true)
        return decide(kind, { ...resource, lifecycle: { state: "absent" } }, undefined, false);
      if (resource.lifecycle.state === "absent" || kind.create !== undefined)
        return decide(kind, resource, undefined, false);
      return fail(
        "not_there",
        `${resource.name} is not a ${kind.name}, and a ${kind.name} is never created`,
        "Declare a membership instead: it invites whoever is not there.",
      );
  }
}

function expired(resource: Resource, reason: string): Diagnostic {
  return {
    severity: "warning",
    code: "invite_expired",
    message: `${resource.address}: ${reason}`,
    address: resource.address,
    ...resource.position,
  };
}

/** Objects of the kinds that were listed and that no resource has claimed, each once. */
function unmanagedObjects(snapshot: LiveSnapshot, claims: ReadonlySet<string>): readonly LiveObject[] {
  const seen = new Set(claims);
  // Inner scopes first, as in matching: what both routes show is the project's.
  const lists = [...snapshot.lists.entries()].toSorted(([a], [b]) => b.split("/").length - a.split("/").length);
  return lists
    .flatMap(([, list]) => (list.status === "known" ? list.objects : []))
    .filter((live) => {
      const claim = claimOf(live);
      if (kinds[live.kind].foundational === true || live.standIn === true || live.deleted === true || seen.has(claim))
        return false;
      seen.add(claim);
      return true;
    });
}

function pruned(graph: DesiredGraph, unmanaged: readonly LiveObject[]): readonly Change[] {
  return graph.exclusive.flatMap(({ scope, kind }) =>
    unmanaged
      .filter((live) => live.scope === scope && live.kind === kind)
      .map((live) => prune(kinds[kind], live, `${scope}/${kinds[kind].collection}/id=${live.id}`)),
  );
}

function claimOf(live: LiveObject): string {
  const kind = kinds[live.kind];
  return `${kind.space} ${kind.identity(live)}`;
}

function summarize(changes: readonly Change[], unmanaged: number): Summary {
  const count = (test: (change: Change) => boolean): number => changes.filter(test).length;
  return {
    create: count(({ action }) => action === "create"),
    update: count(({ action }) => action === "update"),
    replace: count(({ action }) => action === "replace"),
    delete: count(({ action }) => action === "delete"),
    restore: count(({ action }) => action === "restore"),
    no_op: count(({ action }) => action === "no_op"),
    unknown: count(({ action }) => action === "unknown"),
    blocked: count(({ blocked }) => blocked !== null),
    unmanaged,
  };
}
