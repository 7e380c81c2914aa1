import { isName, NAME_HINT } from "./names.ts";
import { primaryField } from "../../kinds/fields.ts";
import { allKinds, kindOfCollection } from "../../kinds/registry.ts";
import type { Kind } from "../../kinds/kind.ts";
import { canonicalJson } from "../../model/canonical-json.ts";
import { groupBy } from "../../model/group-by.ts";
import { type ProblemDetail, type Problems, readMapping, unexpected } from "../problems.ts";
import {
  describeNode,
  describePlace,
  type MapNode,
  type Member,
  type Node,
  toValue,
  scalarText,
  shorten,
  shownKey,
  textOf,
} from "../tree/tree.ts";
import { schemas } from "../../generated/schemas.ts";
import type { Declarations, ScopeDeclaration } from "./declarations.ts";
import { isEmail } from "../../model/email.ts";
import { hasProjectId, misplacedProject } from "./scopes.ts";
import { blankHint, mappingHint } from "../hints.ts";
import { unknownKey } from "../unknown-keys.ts";
import { insteadOfKey, START_HINT } from "../../model/instead.ts";

const TOP_KEYS = ["driftline", "variables", "service", "undeclared", "organizations"];
/** What else a document may have at its top, for a hint. */
const ANCHORS = "a key for anchors that begins with x-";
const ORGANIZATIONS_HINT =
  "Write each one under a name of your choice, such as organizations: { acme: { name: Acme Inc } }.";
const SERVICE_KEYS = ["url", "self"];

/**
 * Merges the documents. Several documents may declare the same scope. A resource, or a field of a scope, may be
 * declared only once, because no rule could say which of two declarations wins.
 */
export function merge(documents: readonly MapNode[], problems: Problems): Declarations {
  const merged: Declarations = { reporting: new Set(), service: new Map(), organizations: new Map() };
  for (const document of documents) {
    checkVersion(document, problems);
    // Of a file that is something else, one error says enough.
    if (!TOP_KEYS.some((key) => document.members.has(key))) continue;
    for (const member of document.members.values()) {
      if (member.key === "service") addService(member, merged, problems);
      else if (member.key === "undeclared") addReporting(member, merged, problems);
      else if (member.key === "organizations") addOrganizations(member, merged, problems);
      else if (!TOP_KEYS.includes(member.key))
        problems.error(
          member,
          misplacedAtTop(member) ?? unknownKey(shownKey(member), [...TOP_KEYS, ANCHORS], insteadOfKey(member.key)),
        );
    }
  }
  return merged;
}

function checkVersion(document: MapNode, problems: Problems): void {
  const version = document.members.get("driftline");
  const hint = START_HINT;
  if (version === undefined) {
    problems.error(document, { code: "missing_version", message: 'the document has no key "driftline"', hint });
  } else if (version.value.type !== "scalar" || version.value.value !== 1) {
    problems.error(version.value, { ...unexpected(version.value, "driftline: 1", hint), code: "unsupported_version" });
  }
}

/** A collection that is not inside of an organization. */
function misplacedAtTop({ key }: Member): ProblemDetail | undefined {
  const scope = key === "projects" ? "organization" : scopeOfCollection(key);
  if (scope === undefined) return undefined;
  const message = `${key} does not belong at the top of a document`;
  return { code: "unknown_key", message, hint: `Put it under ${WITH_ARTICLE[scope]}.` };
}

/** The scope that holds a collection; for one that both hold, the organization. Undefined for other keys. */
function scopeOfCollection(key: string): ScopeDeclaration["type"] | undefined {
  const kind = allKinds.find(({ collection, scopes }) => collection === key && !scopes.includes("service"));
  return kind && (kind.scopes[0] === "project" ? "project" : "organization");
}

function addReporting({ value, source }: Member, merged: Declarations, problems: Problems): void {
  if (textOf(value) === "report") merged.reporting.add(source.file);
  else if (value.type !== "broken")
    problems.error(value, unexpected(value, "undeclared: report", "Write report, or leave it out."));
}

function addService(member: Member, merged: Declarations, problems: Problems): void {
  const section = new Section(member, problems);
  for (const field of membersOf(member, "service", problems)) {
    if (!SERVICE_KEYS.includes(field.key))
      problems.error(field, unknownKey(shownKey(field), SERVICE_KEYS, insteadOfKey(field.key)));
    else section.addRepeatable(field, merged.service, "service");
  }
  section.reportDuplicates();
}

function addOrganizations(section: Member, merged: Declarations, problems: Problems): void {
  for (const member of membersOf(section, "organizations", problems, ORGANIZATIONS_HINT)) {
    if (!checkName(member, problems)) continue;
    const { key, value } = member;
    const fields = readMapping(value, `for organization ${key}`, problems, mappingHint(value, "name"));
    if (fields === undefined) continue;
    if (hasProjectId(value)) {
      problems.error(member, misplacedProject(key));
      continue;
    }
    const organization = findOrAddScope("organization", key, member, merged.organizations);
    const own = new Section(member, problems);
    for (const field of fields.values()) {
      if (field.key === "projects") own.addProjects(field, organization);
      else own.addField(field, organization);
    }
    own.reportDuplicates();
  }
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
    for (const member of membersOf(section, "projects", this.#problems)) {
      if (!checkName(member, this.#problems)) continue;
      const { key, value } = member;
      const hint = mappingHint(value, /^\d+$/u.test(scalarText(value) ?? "") ? "id" : "name");
      const fields = readMapping(value, `for project ${key}`, this.#problems, hint);
      if (fields === undefined) continue;
      const address = `${organization.address}/projects/${key}`;
      const project = findOrAddScope("project", address, member, organization.projects);
      for (const field of fields.values()) this.addField(field, project);
    }
  }

  /** Adds a collection of resources, or a field of the scope itself. */
  addField(field: Member, scope: ScopeDeclaration): void {
    const kind = kindOfCollection(scope.type, field.key);
    const misplaced = scopeOfCollection(field.key);
    if (kind !== undefined) this.#addResources(field, kind, scope);
    else if (misplaced !== undefined) {
      const message = `${field.key} does not belong under ${WITH_ARTICLE[scope.type]}`;
      const hint = `Put it under ${WITH_ARTICLE[misplaced]}.`;
      this.#problems.of(scope.address).error(field, { code: "unknown_key", message, hint });
    } else if (field.key === "id" || field.key === "name") this.addRepeatable(field, scope.own, scope.address);
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
    for (const member of membersOf(section, kind.collection, this.#problems, entryHint(kind))) {
      if (!checkName(member, this.#problems, kind)) continue;
      const address = `${scope.address}/${kind.collection}/${member.key}`;
      const first = scope.resources.get(address)?.member;
      if (first === undefined) scope.resources.set(address, { address, kind, scope, member });
      else {
        const message = `${address} is declared twice, first at ${describePlace(first)}`;
        const detail = { code: "duplicate_address", message, hint: "Remove one of them." };
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

const WITH_ARTICLE = { organization: "an organization", project: "a project" } as const;

function hasSameValue(left: Node, right: Node): boolean {
  return canonicalJson(toValue(left)) === canonicalJson(toValue(right));
}

function findOrAddScope(
  type: ScopeDeclaration["type"],
  address: string,
  member: Member,
  scopes: Map<string, ScopeDeclaration>,
): ScopeDeclaration {
  const known = scopes.get(address);
  known?.keys.push(member);
  if (known !== undefined) return known;
  const empty = { own: new Map(), resources: new Map(), valueless: new Map(), projects: new Map() };
  const scope = { type, address, name: member.key, keys: [member], ...empty };
  scopes.set(address, scope);
  return scope;
}

/** The hint for a collection that is not a mapping, such as a list of names. */
function entryHint(kind: Kind): string {
  const field = primaryField(kind);
  const { [field]: schema } = schemas[kind.name].properties;
  const [example = "..."] = [...Object.keys(schema?.["x-names"] ?? {}), ...(schema?.examples ?? [])];
  const fields = `{ ${field}: ${typeof example === "string" ? example : JSON.stringify(example)} }`;
  return kind.keyedBy === "email"
    ? `Write each one under its e-mail address, such as ${kind.collection}: { ada@acme.com: ${fields} }.`
    : `Write each one under a name of your choice, such as ${kind.collection}: { first: ${fields} }.`;
}

function membersOf({ value }: Member, what: string, problems: Problems, hint?: string): Iterable<Member> {
  return readMapping(value, `for ${what}`, problems, hint)?.values() ?? [];
}

/** Checks that a key can be part of an address, and is an e-mail address if the kind requires that. Reports it if not. */
function checkName(member: Member, problems: Problems, kind?: Kind): boolean {
  const detail = nameProblem(shownKey(member), kind);
  if (detail !== undefined) problems.error(member, detail);
  return detail === undefined;
}

function nameProblem(key: string, kind: Kind | undefined): ProblemDetail | undefined {
  if (key.trim() === "") return { code: "invalid_name", message: "the name is empty", hint: "Write a name." };
  const shown = JSON.stringify(shorten(key));
  if (kind?.keyedBy === "email" && !isEmail(key)) {
    const hint = blankHint(key) ?? `Use the e-mail address as the key of ${kind.collection}.`;
    return { code: "invalid_format", message: `${shown} is not an e-mail address`, hint };
  }
  if (!isName(key)) {
    const message = `${shown} is not a valid name: it contains a slash, white space or a control character`;
    return { code: "invalid_name", message, hint: NAME_HINT };
  }
  return undefined;
}
