import { sha256 } from "../../model/hash.ts";
import { compareNaturally } from "../../model/compare-text.ts";
import type { Kind } from "../../kinds/kind.ts";
import { collectionOf, collectionsOf, kindOfCollection, kinds } from "../../kinds/registry.ts";
import type { Position } from "../../model/diagnostic.ts";
import type { DesiredGraph, Resource } from "../../model/resource.ts";
import type { Declarations, ResourceDeclaration, ResourceDraft, ScopeDeclaration } from "./declarations.ts";
import { declaringKey, readProject, readService } from "./scopes.ts";
import { secretNames } from "../expressions/expression.ts";
import type { Problems } from "../problems.ts";
import { readResource } from "./read-resource.ts";
import { mapMembers, positionOf, secretsIn, textOf } from "../tree/tree.ts";
import type { ValueObject } from "../../model/json/json.ts";

export interface UsedSecret {
  /** The address of the resource. */
  readonly address: string;
  readonly expression: string;
  /** The environment variables in the expression. */
  readonly names: readonly string[];
  readonly position: Position;
}

/** A resource with its draft, because later checks report positions in the declaration. */
export interface BuiltResource {
  readonly resource: Resource;
  readonly draft: ResourceDraft;
}

export interface BuiltGraph {
  readonly graph: DesiredGraph;
  readonly declared: readonly BuiltResource[];
  readonly secrets: readonly UsedSecret[];
}

/** Builds the graph: organizations first, then by address. The order of files and keys has no effect. */
export function buildGraph(declarations: Declarations, problems: Problems): BuiltGraph {
  const organizations = [...declarations.organizations.values()].toSorted(byAddress);
  const projects = organizations.flatMap((organization) => [...organization.projects.values()]).toSorted(byAddress);
  const scopes = [...organizations, ...projects];
  const inner = scopes.flatMap((scope) => [...scope.resources.values()]).toSorted(byAddress);
  const drafts = [
    ...organizations.map((scope) => organizationDraft(scope, problems.of(scope.address))),
    ...inner.flatMap((declaration) => resourceDraft(declaration, problems.of(declaration.address)) ?? []),
  ];
  const declared = drafts.map((draft) => ({ draft, resource: readResource(draft) }));
  const graph: DesiredGraph = {
    resources: declared.map(({ resource }) => resource),
    projects: projects.map((project) => readProject(project, problems.of(project.address))),
    exclusive: scopes.flatMap((scope) => readExclusive(scope, problems.of(scope.address))),
    service: readService(declarations.service, problems),
    ...(declarations.reporting.size === 0 ? {} : { reporting: declarations.reporting }),
  };
  return { graph, declared, secrets: listSecrets(drafts) };
}

function byAddress(left: { readonly address: string }, right: { readonly address: string }): number {
  return compareNaturally(left.address, right.address);
}

/** An organization is also a resource. Its collections and `exclusive` are keys beside its fields. */
function organizationDraft(scope: ScopeDeclaration, problems: Problems): ResourceDraft {
  return {
    address: scope.address,
    kind: kinds.organization,
    scope: "",
    scopeType: "service",
    name: scope.name,
    place: declaringKey(scope),
    members: scope.own,
    otherKeys: ["exclusive", "projects", ...collectionsOf("organization")],
    problems,
  };
}

function resourceDraft(
  { address, kind, scope, member }: ResourceDeclaration,
  problems: Problems,
): ResourceDraft | undefined {
  const members = mapMembers(member.value);
  if (members === undefined) return undefined;
  const place = { source: member.source, mark: member.mark };
  const { key: name } = member;
  return { address, kind, scope: scope.address, scopeType: scope.type, name, place, members, otherKeys: [], problems };
}

function listSecrets(drafts: readonly ResourceDraft[]): readonly UsedSecret[] {
  return drafts.flatMap(({ address, members }) =>
    [...members.values()]
      .flatMap(({ value }) => secretsIn(value))
      .map((node) => {
        const { expression } = node.value;
        return { address, expression, names: secretNames(expression), position: positionOf(node) };
      }),
  );
}

/** Reads the kinds whose objects in the scope must all be declared. */
function readExclusive(scope: ScopeDeclaration, problems: Problems): DesiredGraph["exclusive"] {
  const node = scope.own.get("exclusive")?.value;
  const items = node?.type === "list" ? node.items : [];
  const exclusive = items.flatMap((item) => kindOfCollection(scope.type, textOf(item) ?? "") ?? []);
  for (const kind of exclusive) warnOfEmpty(scope, kind, problems);
  const names = new Set(exclusive.map(({ name }) => name));
  return [...names].toSorted().map((kind) => ({ scope: scope.address, kind }));
}

/** What stood in a collection without a value may have been lost. */
function warnOfEmpty({ valueless }: ScopeDeclaration, { name }: Kind, problems: Problems): void {
  const section = valueless.get(name);
  if (section === undefined) return;
  const collection = collectionOf(name);
  const message = `${collection} is exclusive and has no value, so apply --prune removes each of them`;
  problems.warning(section, { code: "empty_collection", message, hint: `Write ${collection}: {} if that is meant.` });
}

/**
 * SHA-256 of the declared resources without their positions, so it survives a move to another file. Secrets are
 * expressions.
 */
export function configHash(graph: DesiredGraph): string {
  return sha256({
    resources: graph.resources.map((resource) => ({
      ...withoutPosition(resource),
      lifecycle: withoutPosition(resource.lifecycle),
    })),
    projects: graph.projects.map(withoutPosition),
    exclusive: graph.exclusive.map(withoutPosition),
    service: withoutPosition(graph.service),
  });
}

function withoutPosition(value: object): ValueObject {
  return Object.fromEntries(
    Object.entries(value).filter(([key, item]) => !key.startsWith("position") && item !== undefined),
  );
}
