import type { DuplicateKey } from "../../kinds/kind.ts";
import type { ProjectScope } from "../../model/resource.ts";
import type { Declarations } from "./merge.ts";
import { failAt } from "./draft.ts";
import type { Built, Declared } from "./graph.ts";
import type { Problems } from "../problems.ts";
import { describePlace, type TreePosition } from "../tree/tree.ts";

/** What can only be seen with everything at hand: two that mean one, and children of what is to go. */
export function crossCheck(declarations: Declarations, { declared, graph }: Built, problems: Problems): void {
  checkKeys(declared);
  checkPins(declared);
  checkProjects(declarations, graph.projects, problems);
  checkAbsentOrganizations(declared);
}

/** Two that would find the same object. Where both are pinned they do not; a person is one whatever the ids say. */
function checkKeys(declared: readonly Declared[]): void {
  const seen = new Map<string, Declared>();
  for (const found of declared) {
    const { resource, draft } = found;
    const [key] = draft.kind.declaredKeys(resource.values, resource.name);
    if (key === undefined) continue;
    const id = `${resource.scope}\n${draft.kind.idSpace}\n${key}`;
    const first = seen.get(id);
    const { duplicateKey } = draft.kind;
    const pinned = duplicateKey === undefined && first?.resource.pin !== undefined;
    if (first === undefined || pinned) seen.set(id, found);
    if (first === undefined || (pinned && resource.pin !== undefined)) continue;
    const other = `${first.resource.address} at ${describePlace(first.draft.place)}`;
    const { code, message, hint } = duplicateKey ?? SAME_KEY;
    failAt(draft, draft.place, { code, message: message(key, other), hint });
  }
}

const SAME_KEY: DuplicateKey = {
  code: "duplicate_natural_key",
  message: (key, other) => `${key} is also what ${other} is found by`,
  hint: "rename one, or pin both with an id",
};

function checkPins(declared: readonly Declared[]): void {
  const seen = new Map<string, Declared>();
  for (const found of declared) {
    const { resource, draft } = found;
    if (resource.pin === undefined) continue;
    const { field, value } = resource.pin;
    const id = `${draft.kind.idSpace}\n${field}\n${value}`;
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, found);
      continue;
    }
    const message = `${field} ${value} is also pinned by ${first.resource.address} at ${describePlace(first.draft.place)}`;
    failAt(draft, draft.members.get(field) ?? draft.place, {
      code: "duplicate_pin",
      message,
      hint: "remove one of them",
    });
  }
}

function checkProjects(declarations: Declarations, projects: readonly ProjectScope[], problems: Problems): void {
  const seen = new Map<string, TreePosition>();
  for (const { address, organization, id, name } of projects) {
    const scope = declarations.organizations.get(organization)?.projects.get(address);
    if (scope === undefined) continue;
    const what = id === undefined ? `name ${name}` : `id ${id}`;
    const key = [organization, what].join("\n");
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, scope.place);
      continue;
    }
    const message = `the project with ${what} is also declared at ${describePlace(first)}`;
    problems.error(scope.place, { code: "duplicate_natural_key", message, hint: "put both under one key", address });
  }
}

/** Nothing can be kept in what is removed. */
function checkAbsentOrganizations(declared: readonly Declared[]): void {
  const children = new Map<string, Declared>();
  for (const found of declared) {
    const organization = found.resource.scope.split("/")[0] ?? "";
    if (organization !== "" && !children.has(organization)) children.set(organization, found);
  }
  for (const { resource, draft } of declared) {
    const child = children.get(resource.address);
    if (resource.scope !== "" || resource.lifecycle.state !== "absent" || child === undefined) continue;
    const message = `organization ${resource.address} is absent, but ${child.resource.address} is declared in it`;
    const hint = "remove everything under it, or state: absent";
    failAt(draft, draft.members.get("lifecycle") ?? draft.place, { code: "absent_parent", message, hint });
  }
}
