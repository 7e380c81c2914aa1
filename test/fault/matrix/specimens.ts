import type { Dialect, EmulatedKind, StoredObject } from "../../../src/emulator/index.ts";
import type { Kind, ScopeType } from "../../../src/kinds/kind.ts";
import { scopesOfKind, isKeyedByEmail, collectionOf, allKinds } from "../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { DIALECTS } from "../../support/dialects.ts";
import { ACME, configurationAt } from "../../support/interface/declare.ts";
import { specimens } from "../../support/interface/index.ts";
import type { Specimen as KindSpecimen } from "../../support/interface/specimen.ts";
import { requestsOf, type KindRequest, type Role } from "./requests.ts";

/** A kind in one of its scopes, with an object for the tests. */
export interface Specimen {
  readonly kind: Kind;
  readonly scope: ScopeType;
  readonly stored: readonly EmulatedKind[];
  /** The dialects that have such objects. */
  readonly dialects: readonly Dialect[];
  /** Fields that show whether an object is correct; the first one names it. */
  readonly fields: readonly string[];
  /** The existing object, and two unmanaged ones. */
  readonly live: JsonObject;
  readonly others: readonly JsonObject[];
  /** Where they are seeded, below the organization or the project; undefined for organizations. */
  readonly collection?: string;
  /** Name and fields of the declared object, and of one that does not exist yet. */
  readonly declared: readonly [string, object];
  readonly fresh?: readonly [string, object];
  /** The fields that are changed. */
  readonly changed?: object;
  /** A field for faults that drop and mask. */
  readonly field: string;
}

type Parts = Omit<Specimen, "kind" | "scope">;

const INVITED = ["three", "four"].map((name) => ({ ...specimens.invite.required(name), level: 1 }));

/** The kind's specimen, with names of this test. */
function partsOf(specimen: KindSpecimen): Parts {
  const { asksToCreate, collection, created, fields, fresh, keyedByEmail, live, required, seed, stored } = specimen;
  const { watched } = specimen;
  const keyOf = (name: string): string => (keyedByEmail === true ? `${name}@acme.com` : name);
  const objectOf = (name: string): JsonObject => ({
    ...(keyedByEmail === true ? { email: keyOf(name) } : required(name)),
    ...seed,
  });
  // An object with only its required fields looks like another one under a new name.
  const lifecycle = asksToCreate === true || fresh === undefined ? { lifecycle: { create: true } } : {};
  const made = { ...(fresh ?? required)("new"), ...(seed?.["capabilities"] === undefined ? {} : seed), ...lifecycle };
  const isReplaced = fields[watched]?.instead === "replace" && stored[0] === created;
  return {
    stored,
    dialects: specimen.dialect === undefined ? DIALECTS : [specimen.dialect],
    fields: [...namedBy(required("it")), watched, "plugin_type", "paused", "deleted"],
    ...(specimen.scopes.includes("service") ? {} : { collection: keyedByEmail === true ? "members" : collection }),
    live: { ...objectOf("it"), ...live },
    others: ["one", "two"].map(objectOf),
    declared: [keyOf("it"), required("it")],
    ...(specimen.adopted === true ? {} : { fresh: [keyOf("new"), made] as const }),
    ...(isReplaced ? {} : { changed: { [watched]: fields[watched]?.next } }),
    field: watched,
  };
}

/** The field that names an object; the members and invites of a person both do. */
function namedBy(required: JsonObject): readonly string[] {
  const naming = ["name", "domain", "target_email"].filter((field) => field in required);
  return naming.length > 0 ? naming : ["email", "target_email"];
}

/** Every kind in each of its scopes. */
export const SPECIMENS: readonly Specimen[] = allKinds.flatMap((kind) =>
  scopesOfKind(kind.name).map((scope) => ({ kind, scope, ...partsOf(specimens[kind.name]) })),
);

/** A request of a kind, in a world that leads to it. */
export interface Column {
  readonly name: string;
  readonly specimen: Specimen;
  readonly request: KindRequest;
  readonly organizations: readonly object[];
  readonly config: object;
  readonly args: readonly string[];
}

/** Every request of every kind. */
export const COLUMNS: readonly Column[] = SPECIMENS.flatMap((specimen) =>
  requestsOf(specimen.kind, specimen.scope).map((request) => columnOf(specimen, request)),
);

function columnOf(specimen: Specimen, request: KindRequest): Column {
  const { kind, scope, live } = specimen;
  const { role, operation } = request;
  const isInvited = kind.name === "membership" && operation.name === "invites.delete";
  const gone = role === "restore" ? { deleted: true } : {};
  const there: JsonObject = { ...live, ...gone, ...(role === "unpause" ? { paused: true } : {}) };
  return {
    name: `${kind.name}${scopesOfKind(kind.name).length > 1 ? ` (${scope})` : ""} ${role === "list" || role === "remove" ? operation.name : role}`,
    specimen,
    request,
    organizations: seeded(specimen, isInvited ? { target_email: "it@acme.com", level: 1 } : there, isInvited),
    config: declared(specimen, resources(specimen, role)),
    args: role === "remove" && scope === "service" ? ["--confirm-organization", "it"] : [],
  };
}

/** The declaration that leads to a request of a role. */
function resources({ declared: [name, values], fresh, changed, kind, live }: Specimen, role: Role): object {
  const made = fresh === undefined ? {} : { [fresh[0]]: fresh[1] };
  switch (role) {
    case "list":
      return { [name]: { ...values, ...changed }, ...made };
    case "get":
    case "update":
      return { [name]: { ...values, ...changed } };
    case "create":
      return made;
    case "remove":
      return { [name]: { ...(isKeyedByEmail(kind.name) ? {} : values), lifecycle: { state: "absent" } } };
    case "restore":
      return { [name]: { ...values, id: live["id"] } };
    case "pause":
      return { [name]: { ...values, paused: true } };
    case "unpause":
      return { [name]: { ...values, paused: false } };
  }
}

function declared({ kind, scope }: Specimen, inner: object): object {
  if (scope === "service") return { driftline: 1, organizations: inner };
  const at = scope === "project" ? ["projects", "web", collectionOf(kind.name)] : [collectionOf(kind.name)];
  return configurationAt(["acme", ...at], inner);
}

function seeded({ scope, collection = "", others }: Specimen, live: JsonObject, isInvited: boolean): readonly object[] {
  const place = isInvited ? "invites" : collection;
  const own = { [collection]: others, [place]: [...(isInvited ? INVITED : others), live] };
  const web = { id: 2, name: "Web", ...(scope === "project" ? own : {}) };
  const acme = { id: ACME, name: "Acme Inc", projects: [web], ...(scope === "organization" ? own : {}) };
  return scope === "service" ? [acme, ...others, live] : [acme];
}

/** The fields that show whether objects are correct, sorted by the first field that is set. */
export function pictureOf(
  specimen: Specimen,
  find: (kind: EmulatedKind) => readonly StoredObject[],
): readonly string[] {
  const { stored, fields } = specimen;
  const seen = stored.flatMap((kind) => find(kind).map((object) => [`${kind} ${String(object.id)}`, object] as const));
  // The groups of plugins share their objects.
  const all =
    stored.length === 3
      ? [...new Map(seen.map(([, object]) => [object.id, object])).values()]
      : seen.map(([, object]) => object);
  return all
    .map((object) => fields.map((field) => `${field}=${JSON.stringify(valueOf(object, field))}`).join(" "))
    .toSorted();
}

function valueOf(object: StoredObject, field: string): unknown {
  const user = object["user"];
  if (field === "email" && typeof user === "object" && user !== null && "email" in user) return user.email;
  return object[field] ?? null;
}
