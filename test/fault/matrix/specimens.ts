import type { EmulatedKind, StoredObject } from "../../../src/emulator/index.ts";
import type { Kind, ScopeType } from "../../../src/kinds/kind.ts";
import { allKinds } from "../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { requestsOf, type KindRequest, type Role } from "./requests.ts";

export const ACME = "0190aa11-0000-4000-8000-00000000000a";

/** A kind in one of its scopes, with an object to try things on. */
export interface Specimen {
  readonly kind: Kind;
  readonly scope: ScopeType;
  readonly stored: readonly EmulatedKind[];
  /** Fields that tell whether an object is as it should be; the first one names it. */
  readonly fields: readonly string[];
  /** The object that is there, and two that are nobody's. */
  readonly live: JsonObject;
  readonly others: readonly JsonObject[];
  /** Where they are seeded, below the organization or the project; undefined for organizations. */
  readonly collection?: string;
  /** Name and fields of the object as it is declared, and of one that is not there yet. */
  readonly declared: readonly [string, object];
  readonly fresh?: readonly [string, object];
  /** What is changed about it. */
  readonly changed?: object;
  /** A field for faults that drop and mask. */
  readonly field: string;
}

type Parts = Omit<Specimen, "kind" | "scope">;

const plugin = (
  group: "pipeline_destination" | "pipeline_frontend_app" | "pipeline_import_app",
  capabilities: JsonObject,
): Parts => ({
  stored: ["pipeline_destination", "pipeline_frontend_app", "pipeline_import_app"],
  fields: ["name", "plugin_type", "description"],
  collection: `${group}s`,
  live: { name: "It", plugin_type: "source", description: "old", capabilities },
  others: ["One", "Two"].map((name) => ({ name, plugin_type: "source", capabilities })),
  declared: ["it", { name: "It", plugin_type: "source" }],
  fresh: ["new", { name: "New", plugin_type: "source", description: "made", capabilities }],
  changed: { description: "new" },
  field: "description",
});

const DESTINATION = { type: "NoOp", config: {} };
const EXPORT: Parts = {
  stored: ["batch_export"],
  fields: ["name", "interval", "paused"],
  collection: "batch_exports",
  live: { name: "It", interval: "hour", destination: DESTINATION },
  others: ["One", "Two"].map((name) => ({ name, interval: "day", destination: DESTINATION })),
  declared: ["it", { name: "It", interval: "hour", destination: DESTINATION }],
  // The same as another in all but its name: without the word for it, that looks like a rename.
  fresh: ["new", { name: "New", interval: "hour", destination: DESTINATION, lifecycle: { create: true } }],
  changed: { interval: "day" },
  field: "interval",
};
const INVITED = ["three@acme.com", "four@acme.com"].map((target_email) => ({ target_email, level: 1 }));

const PARTS: Readonly<Record<KindName, Parts>> = {
  organization: {
    stored: ["organization"],
    fields: ["name", "enforce_2fa"],
    live: { name: "It", enforce_2fa: false },
    others: [{ name: "Other" }],
    declared: ["it", { name: "It" }],
    fresh: ["new", { name: "New", lifecycle: { create: true } }],
    changed: { enforce_2fa: true },
    field: "enforce_2fa",
  },
  domain: {
    stored: ["domain"],
    fields: ["domain", "jit_provisioning_enabled"],
    collection: "domains",
    live: { domain: "it.com", jit_provisioning_enabled: false, is_verified: true, verified_at: "2026-01-01T00:00:00Z" },
    others: [{ domain: "one.com" }, { domain: "two.com" }],
    declared: ["it", { domain: "it.com" }],
    fresh: ["new", { domain: "new.com" }],
    changed: { jit_provisioning_enabled: true },
    field: "jit_provisioning_enabled",
  },
  membership: {
    stored: ["member", "invite"],
    fields: ["email", "target_email", "level"],
    collection: "members",
    live: { email: "it@acme.com", level: 1 },
    others: [{ email: "one@acme.com", level: 1 }],
    declared: ["it@acme.com", {}],
    fresh: ["new@acme.com", { level: "admin" }],
    changed: { level: "admin" },
    field: "level",
  },
  member: {
    stored: ["member"],
    fields: ["email", "level"],
    collection: "members",
    live: { email: "it@acme.com", level: 1 },
    others: ["one@acme.com", "two@acme.com"].map((email) => ({ email, level: 1 })),
    declared: ["it@acme.com", {}],
    changed: { level: "admin" },
    field: "level",
  },
  invite: {
    stored: ["invite"],
    fields: ["target_email", "level"],
    collection: "invites",
    live: { target_email: "it@acme.com", level: 1 },
    others: INVITED,
    declared: ["it", { target_email: "it@acme.com" }],
    fresh: ["new", { target_email: "new@acme.com", level: "admin" }],
    field: "level",
  },
  batch_export: EXPORT,
  pipeline_destination: plugin("pipeline_destination", { methods: ["onEvent"] }),
  pipeline_frontend_app: plugin("pipeline_frontend_app", {}),
  pipeline_import_app: plugin("pipeline_import_app", { methods: [], scheduled_tasks: ["runEveryHour"] }),
  insight: {
    stored: ["insight"],
    fields: ["name", "description", "deleted"],
    collection: "insights",
    live: { id: 5, name: "It", description: "old" },
    others: [{ name: "One" }, { name: "Two" }],
    declared: ["it", { name: "It" }],
    fresh: ["new", { name: "New", description: "made" }],
    changed: { description: "new" },
    field: "description",
  },
};

/** Every kind in each of its scopes. */
export const SPECIMENS: readonly Specimen[] = allKinds.flatMap((kind) =>
  kind.scopes.map((scope) => ({ kind, scope, ...PARTS[kind.name] })),
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
    name: `${kind.name}${kind.scopes.length > 1 ? ` (${scope})` : ""} ${role === "list" || role === "remove" ? operation.name : role}`,
    specimen,
    request,
    organizations: seeded(specimen, isInvited ? { target_email: "it@acme.com", level: 1 } : there, isInvited),
    config: declared(specimen, resources(specimen, role)),
    args: role === "remove" && scope === "service" ? ["--confirm-organization", "It"] : [],
  };
}

/** What is declared so that a role is played. */
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
      return { [name]: { ...(kind.keyedBy === undefined ? values : {}), lifecycle: { state: "absent" } } };
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
  const all = { [kind.collection]: inner };
  const acme = scope === "project" ? { projects: { web: { id: "2", ...all } } } : all;
  return { driftline: 1, organizations: { acme: { id: ACME, ...acme } } };
}

function seeded({ scope, collection = "", others }: Specimen, live: JsonObject, isInvited: boolean): readonly object[] {
  const place = isInvited ? "invites" : collection;
  const own = { [collection]: others, [place]: [...(isInvited ? INVITED : others), live] };
  const web = { id: 2, name: "Web", ...(scope === "project" ? own : {}) };
  const acme = { id: ACME, name: "Acme Inc", projects: [web], ...(scope === "organization" ? own : {}) };
  return scope === "service" ? [acme, ...others, live] : [acme];
}

/** What tells whether objects are as they should be, by the first of their fields that is set. */
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
