import { COPIED } from "../hints.ts";
import { collectionOf, kindOfCollection } from "../../kinds/registry.ts";
import type { Kind } from "../../kinds/kind.ts";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import { groupBy } from "../../model/group-by.ts";
import type { ProblemDetail, Problems } from "../problems.ts";
import {
  describeNode,
  describePlace,
  mapMembers,
  type MapNode,
  type Member,
  type Node,
  toValue,
  textOf,
} from "../tree/tree.ts";
import type { Declarations, ScopeDeclaration } from "./declarations.ts";

/**
 * Merges the documents. Several documents may declare the same scope. A resource, or a field of a scope, may be
 * declared only once, because no rule could say which of two declarations wins.
 */
export function merge(documents: readonly MapNode[], problems: Problems): Declarations {
  const merged: Declarations = { reporting: new Set(), service: new Map(), organizations: new Map() };
  for (const { members } of documents) {
    const undeclared = members.get("undeclared");
    if (textOf(undeclared?.value) === "report" && undeclared !== undefined)
      merged.reporting.add(undeclared.source.file);
    const service = members.get("service");
    if (service !== undefined) addService(service, merged, problems);
    for (const member of membersOf(members.get("organizations"))) addOrganization(member, merged, problems);
  }
  return merged;
}

function addService(member: Member, merged: Declarations, problems: Problems): void {
  const section = new Section(member, problems);
  for (const field of membersOf(member)) section.addRepeatable(field, merged.service, "service");
  section.reportDuplicates();
}

function addOrganization(member: Member, merged: Declarations, problems: Problems): void {
  if (mapMembers(member.value) === undefined) return;
  const organization = findOrAddScope("organization", member.key, member, merged.organizations);
  const section = new Section(member, problems);
  for (const field of membersOf(member)) {
    if (field.key === "projects") section.addProjects(field, organization);
    else section.addField(field, organization);
  }
  section.reportDuplicates();
}

function membersOf(member: Member | undefined): Iterable<Member> {
  return (member && mapMembers(member.value))?.values() ?? [];
}

/** What a section declares although a file before it does. */
interface Duplicate {
  readonly first: Member;
  readonly again: Member;
  readonly detail: ProblemDetail;
  readonly problems: Problems;
}

/** With more duplicates, one of two files is a copy of the other, such as an old export. */
const MOST_SINGLE = 5;

/** Merges one section of a document into the declarations: the service, or an organization with all that is in it. */
class Section {
  readonly #member: Member;
  readonly #problems: Problems;
  readonly #duplicates: Duplicate[] = [];

  /** @param member the key of the section, such as `acme` */
  constructor(member: Member, problems: Problems) {
    this.#member = member;
    this.#problems = problems;
  }

  addProjects(section: Member, organization: ScopeDeclaration): void {
    for (const member of membersOf(section)) {
      if (mapMembers(member.value) === undefined) continue;
      const address = `${organization.address}/projects/${member.key}`;
      const project = findOrAddScope("project", address, member, organization.projects);
      for (const field of membersOf(member)) this.addField(field, project);
    }
  }

  /** Adds a collection of resources, or a field of the scope itself. */
  addField(field: Member, scope: ScopeDeclaration): void {
    const kind = kindOfCollection(scope.type, field.key);
    if (kind !== undefined) this.#addResources(field, kind, scope);
    else if (field.key === "id" || field.key === "name") this.addRepeatable(field, scope.own, scope.address);
    else this.#addOnce(field, scope.own, scope.address);
  }

  /** Adds a field that may be declared again with the same value: `id`, `name` and the settings of the service. */
  addRepeatable(field: Member, own: Map<string, Member>, address: string): void {
    const first = own.get(field.key);
    if (first === undefined || !hasSameValue(first.value, field.value)) this.#addOnce(field, own, address);
  }

  #addOnce(field: Member, own: Map<string, Member>, address: string): void {
    const first = own.get(field.key);
    if (first === undefined) own.set(field.key, field);
    else {
      const detail = duplicateField(field, first, address);
      this.#duplicates.push({ first, again: field, detail, problems: this.#problems });
    }
  }

  #addResources(section: Member, kind: Kind, scope: ScopeDeclaration): void {
    if (section.value.type === "scalar" && section.value.value === null) scope.valueless.set(kind.name, section);
    for (const member of membersOf(section)) {
      const address = `${scope.address}/${collectionOf(kind.name)}/${member.key}`;
      const first = scope.resources.get(address)?.member;
      if (first === undefined) scope.resources.set(address, { address, kind, scope, member });
      else {
        const message = `${address} is declared twice, first at ${describePlace(first)}`;
        const detail = { code: "duplicate_address", message, hint: COPIED };
        this.#duplicates.push({ first, again: member, detail, problems: this.#problems.of(address) });
      }
    }
  }

  /** Reports each duplicate, or the two files if they have most of the section in common. */
  reportDuplicates(): void {
    const { key, source } = this.#member;
    for (const [file, found] of groupBy(this.#duplicates, ({ first }) => first.source.file)) {
      if (file === source.file || found.length <= MOST_SINGLE)
        for (const { again, detail, problems } of found) problems.error(again, detail);
      else this.#problems.of(key).error(this.#member, copiedOrganization(key, file, found.length));
    }
  }
}

function copiedOrganization(key: string, file: string, count: number): ProblemDetail {
  return {
    code: "duplicate_organization",
    message: `${file} declares the organization ${key} too: ${String(count)} of its fields and resources are in both files`,
    hint: "Remove one of the two files if it is a copy, such as an old export, or move it out of the folder.",
  };
}

/** A field that is declared twice. If the values differ, they show which one is wrong; a URL may hold a password, and is not shown. */
function duplicateField(field: Member, first: Member, address: string): ProblemDetail {
  const what = `${field.key} of ${address} is declared`;
  const at = describePlace(first);
  const code = "duplicate_field";
  const isScalar = first.value.type === "scalar" && field.value.type === "scalar";
  if (!isScalar || hasSameValue(first.value, field.value))
    return { code, message: `${what} twice, first at ${at}`, hint: "Remove one of them." };
  const values =
    address !== "service"
      ? `: ${describeNode(first.value)} at ${at} and ${describeNode(field.value)} here`
      : `, first at ${at}`;
  return { code, message: `${what} with different values${values}`, hint: "Remove the one that is wrong." };
}

function hasSameValue(left: Node, right: Node): boolean {
  return canonicalJson(toValue(left)) === canonicalJson(toValue(right));
}

function findOrAddScope(
  type: ScopeDeclaration["type"],
  address: string,
  member: Member,
  scopes: Map<string, ScopeDeclaration>,
): ScopeDeclaration {
  const merged = scopes.get(address);
  merged?.keys.push(member);
  if (merged !== undefined) return merged;
  const empty = { own: new Map(), resources: new Map(), valueless: new Map(), projects: new Map() };
  const scope = { type, address, name: member.key, keys: [member], ...empty };
  scopes.set(address, scope);
  return scope;
}
