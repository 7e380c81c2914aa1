import type { Check, CheckedPlan } from "../../../src/kinds/check.ts";
import { scopesOfKind, collectionOf, kinds, scopeType } from "../../../src/kinds/registry.ts";
import { takenFields } from "../../../src/kinds/varying-fields.ts";
import { type World, worldOf } from "../../../src/kinds/world.ts";
import type { JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import { kindNames, type KindName } from "../../../src/model/kind-name.ts";
import { listKey, type LiveList, type LiveScope, type LiveWorld } from "../../../src/model/live.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Plan, PlanOptions } from "../../../src/model/plan.ts";
import type { DesiredGraph, Resource } from "../../../src/model/resource.ts";
import { checkChanges } from "../../../src/plan/guard/guard.ts";
import { removalLimit } from "../../../src/plan/guard/delete-limit.ts";
import { makePlan } from "../../../src/plan/make-plan.ts";
import { withChanges } from "../../../src/plan/summarize.ts";

/** A declared resource, by address: `acme/domains/corp`. */
export function declare(address: string, values: ValueObject, more: Partial<Resource> = {}): Resource {
  const parts = address.split("/");
  const [collection, name] =
    parts.length === 1 ? ["organizations", parts[0] ?? ""] : [parts.at(-2) ?? "", parts.at(-1) ?? ""];
  const kind = kindNames.find((one) => collectionOf(one) === collection);
  if (kind === undefined) throw new Error(`no collection ${collection}`);
  return { address, kind, scope: parts.slice(0, -2).join("/"), name, values, lifecycle: {}, position: {}, ...more };
}

export function graphOf(resources: readonly Resource[], more: Partial<DesiredGraph> = {}): DesiredGraph {
  return { resources, projects: [], exclusive: [], service: {}, ...more };
}

/** Rows of the service, by list operation, for one scope. */
export type LiveRows = Readonly<Record<string, readonly JsonObject[]>>;

export const ACME = {
  id: "a0000000-0000-4000-8000-000000000001",
  name: "Acme Inc",
  membership_level: 15,
  teams: [{ id: 2, name: "Web" }],
};

/** The live state: the organization ACME at `acme`, its project at `acme/projects/web`, and these rows. */
export function live(
  organization: LiveRows = {},
  project: LiveRows = {},
  root: LiveRows = { "organizations.list": [ACME] },
): LiveWorld {
  const scopes = new Map<string, LiveScope>([
    ["", { status: "known", path: {} }],
    ["acme", { status: "known", path: { organization_id: ACME.id } }],
    ["acme/projects/web", { status: "known", path: { project_id: "2" } }],
  ]);
  const lists = new Map<string, LiveList>();
  for (const [scope, rows] of [
    ["", root],
    ["acme", organization],
    ["acme/projects/web", project],
  ] as const) {
    for (const kind of Object.values(kinds)) {
      const needed = scopesOfKind(kind.name).includes(scopeType(scope)) ? kind.lists.operations(scopeType(scope)) : [];
      if (needed.length === 0 || !needed.some((operation) => operation in rows)) continue;
      const found = scopes.get(scope);
      const all = Object.fromEntries(needed.map((operation) => [operation, rows[operation] ?? []]));
      const objects = kind.lists.assemble({ scope, path: found?.status === "known" ? found.path : {}, rows: all });
      lists.set(listKey(scope, kind.name), { status: "known", objects });
    }
  }
  return { scopes, lists };
}

/** A world that knows what its lists show about the service, as `readLists` makes it. */
export function seen(world: LiveWorld): LiveWorld {
  const lists = [...world.lists].map(([key, list]) => {
    const [kind] = list.objects.map((one) => one.kind);
    if (list.status !== "known" || kind === undefined) return [key, list] as const;
    return [key, { ...list, taken: new Set(takenFields(kind, list.objects)) }] as const;
  });
  return { ...world, lists: new Map(lists) };
}

/** The same world with one kind of a scope unreadable. */
export function unreadable(world: LiveWorld, scope: string, kind: KindName): LiveWorld {
  const unknown: LiveList = { status: "unknown", reason: "GET answered 500", isDenied: false, objects: [] };
  return { ...world, lists: new Map([...world.lists, [listKey(scope, kind), unknown]]) };
}

export const OPTIONS: PlanOptions = { prune: false, only: [], rotate: [] };

export function plan(
  resources: readonly Resource[],
  world: LiveWorld,
  options: Partial<PlanOptions> = {},
  more: Partial<DesiredGraph> = {},
): Plan {
  const { plan: made } = makePlan(graphOf(resources, more), world, { ...OPTIONS, ...options });
  return checked(made, [removalLimit], worldOf(world)).plan;
}

/** What checks get besides the changes, where nothing is declared or was read. */
export const CHECKED: Omit<CheckedPlan, "changes"> = {
  graph: graphOf([]),
  world: worldOf(),
  claims: new Set(),
  undeclared: [],
  prune: false,
  only: [],
};

/** A plan that is checked for more, with what the checks say and what they have to read. */
export function checked(
  made: Plan,
  checks: readonly Check[],
  world: World,
  more: Partial<Pick<CheckedPlan, "graph" | "memory" | "purpose" | "only">> = {},
) {
  const given = { ...CHECKED, prune: made.options.prune, world, ...more };
  const { changes, ...said } = checkChanges(checks, { ...given, changes: made.changes });
  return { ...said, plan: withChanges(made, changes) };
}

/** The change of an address; fails the test if there is none. */
export function changeOf(made: Plan, address: string): Change {
  const found = made.changes.find((change) => change.address === address);
  if (found === undefined) throw new Error(`no change of ${address}`);
  return found;
}

/** `action` of each change, by address. */
export function actions(made: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(made.changes.map(({ address, action }) => [address, action]));
}
