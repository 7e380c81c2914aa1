/** Checks between resources: duplicates, and resources of an absent organization. */
import { declaredKeys, isPerson } from "../../kinds/registry.ts";
import { compareText } from "../../model/compare-text.ts";
import { declaredTwice } from "../../kinds/people/index.ts";
import type { ProjectScope } from "../../model/resource.ts";
import type { ProblemDetail, Problems } from "../problems.ts";
import { describePlace, type TreePosition } from "../tree/tree.ts";
import type { Declarations } from "./declarations.ts";
import type { BuiltGraph, BuiltResource } from "./graph.ts";
import { checkReferences } from "./references.ts";
import { declaringKey } from "./scopes.ts";

export function crossCheck(declarations: Declarations, { declared, graph }: BuiltGraph, problems: Problems): void {
  const same = new Set<string>();
  checkNaturalKeys(declared, same);
  checkPins(declared, same);
  checkProjects(declarations, graph.projects, problems);
  checkAbsentOrganizations(declared);
  checkReferences(declared, graph);
}

/**
 * Reports two resources with the same natural key. Pinned resources are exempt, except for people, who are identified
 * by e-mail alone.
 */
function checkNaturalKeys(declared: readonly BuiltResource[], same: Set<string>): void {
  const seen = new Map<string, BuiltResource>();
  for (const current of declared) {
    const { resource, draft } = current;
    const [key] = declaredKeys(resource);
    if (key === undefined) continue;
    const id = `${resource.scope}\n${draft.kind.identity.idSpace}\n${key}`;
    const first = seen.get(id);
    const byEmail = isPerson(draft.kind.name);
    const isPinned = !byEmail && first?.resource.pin !== undefined;
    if (first === undefined || isPinned) seen.set(id, current);
    if (first === undefined || (isPinned && resource.pin !== undefined)) continue;
    if (resource.scope === "") same.add(organizationPair(first, current));
    const other = `${first.resource.address} at ${describePlace(first.draft.place)}`;
    draft.problems.error(
      draft.place,
      byEmail ? declaredTwice(key, other) : sameKey(key, other, otherNameHint(first, current)),
    );
  }
}

/** The hint if one of two resources has an id: the other one may be new, and has none. */
function otherNameHint(...pair: readonly [BuiltResource, BuiltResource]): string | undefined {
  const [free, ...others] = pair.filter(({ resource }) => resource.pin === undefined);
  if (free === undefined || others.length > 0) return undefined;
  return `If ${free.resource.address} is new, give it another name. If its object exists, pin it with an id as well.`;
}

function sameKey(
  key: string,
  other: string,
  hint = "Give one of them another name. If both objects exist, pin both with an id.",
): ProblemDetail {
  return { code: "duplicate_natural_key", message: `the key ${key} also identifies ${other}`, hint };
}

/** @param same pairs of organizations that were reported as the same one, so all that they hold is the same as well */
function checkPins(declared: readonly BuiltResource[], same: Set<string>): void {
  const seen = new Map<string, BuiltResource>();
  for (const current of declared) {
    const { resource, draft } = current;
    if (resource.pin === undefined) continue;
    const { field, value } = resource.pin;
    const id = `${draft.kind.identity.idSpace}\n${field}\n${value}`;
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, current);
      continue;
    }
    const pair = organizationPair(first, current);
    if (same.has(pair)) continue;
    if (resource.scope === "") same.add(pair);
    const message = `${field} ${value} is also pinned by ${first.resource.address} at ${describePlace(first.draft.place)}`;
    const place = draft.members.get(field) ?? draft.place;
    const hint = `Remove one of them. If it is a copy, take out its ${field} and give it a name of its own.`;
    draft.problems.error(place, { code: "duplicate_pin", message, hint });
  }
}

function organizationPair(...pair: readonly [BuiltResource, BuiltResource]): string {
  const names = pair.map(({ resource }) => resource.address.split("/", 1)[0] ?? "");
  return names.toSorted(compareText).join("\n");
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
      seen.set(key, declaringKey(scope));
      continue;
    }
    const message = `the project with ${what} is also declared at ${describePlace(first)}`;
    const hint = "Declare both under one key.";
    problems.of(address).error(declaringKey(scope), { code: "duplicate_natural_key", message, hint });
  }
}

/** Reports resources that are declared in an organization with `state: absent`. */
function checkAbsentOrganizations(declared: readonly BuiltResource[]): void {
  for (const { resource, draft } of declared) {
    if (resource.scope !== "" || resource.lifecycle.state !== "absent") continue;
    const child = declared.find((one) => one.resource.scope.split("/", 1)[0] === resource.address);
    if (child === undefined) continue;
    const message = `organization ${resource.address} is absent, but ${child.resource.address} is declared in it`;
    const hint = "Remove the resources under it, or remove state: absent.";
    draft.problems.error(draft.members.get("lifecycle") ?? draft.place, { code: "absent_parent", message, hint });
  }
}
