import type { Dialect, Emulator, EmulatedKind, StoredObject } from "../../../src/emulator/index.ts";
import { declarableFields } from "../../../src/kinds/fields.ts";
import type { Json, JsonObject } from "../../../src/emulator/json.ts";
import { kindNames, type KindName } from "../../../src/model/kind-name.ts";

/** A kind of the emulator's store that can be declared. */
type StoredKind = Extract<EmulatedKind, KindName>;

/** An object of the emulator's store, reduced to the values that a configuration can declare. */
export interface Content {
  readonly kind: StoredKind;
  /** Name of the project, "" for objects of the organization. */
  readonly scope: string;
  /** Its identity in its scope. */
  readonly key: string;
  readonly fields: JsonObject;
}

/** Every kind that the store holds. */
const KINDS = kindNames.filter((name): name is StoredKind => name !== "membership");

/** Every kind that the store of a service with this dialect holds. */
export const kindsOf = (dialect: Dialect): readonly StoredKind[] =>
  KINDS.filter((kind) => kind !== "identity_provider_config" || dialect === "current");

/** Everything in an organization that a configuration can declare, sorted. */
export function contentsOf(emulator: Emulator, organization: string): readonly Content[] {
  const teams = emulator.dump().project.filter((team) => team["organization"] === organization);
  const projects = new Map(teams.map((team) => [String(team.id), String(team["name"])]));
  const contents = KINDS.flatMap((kind) =>
    emulator
      .find(kind, (object) => isIn(kind, object, organization, projects) && object["deleted"] !== true)
      .map((object): Content => {
        const project = projects.get(String(object["team_id"]));
        const isOwn = kind === "batch_export" ? object["project_id"] === null : project === undefined;
        return { kind, scope: isOwn ? "" : (project ?? ""), key: keyOf(kind, object), fields: writable(kind, object) };
      }),
  );
  return contents.toSorted((a, b) =>
    JSON.stringify([a.kind, a.scope, a.key, a.fields]) < JSON.stringify([b.kind, b.scope, b.key, b.fields]) ? -1 : 1,
  );
}

function isIn(
  kind: EmulatedKind,
  object: StoredObject,
  organization: string,
  projects: ReadonlyMap<string, string>,
): boolean {
  if (kind === "organization") return object.id === organization;
  if (kind === "insight") return projects.has(String(object["team_id"]));
  return object["organization_id"] === organization;
}

function keyOf(kind: EmulatedKind, object: StoredObject): string {
  if (kind === "member") return (object["user"] as { readonly email: string }).email.toLowerCase();
  if (kind === "invite") return String(object["target_email"]).toLowerCase();
  return String(object[kind === "domain" ? "domain" : "name"] ?? "").trim();
}

/** The declarable fields as stored, what is an id of the service left out. */
function writable(kind: EmulatedKind, object: StoredObject): JsonObject {
  const fields = declarableFields(kind as KindName).filter((field) => !["id", "short_id"].includes(field));
  return Object.fromEntries(
    fields.flatMap((field) =>
      object[field] === undefined ? [] : [[field, inOrder(kind, field, object[field] as Json)]],
    ),
  );
}

/** Tags and dashboards are sets; keys have no order. */
function inOrder(kind: EmulatedKind, field: string, value: Json): Json {
  if (kind === "insight" && (field === "tags" || field === "dashboards") && Array.isArray(value)) {
    return [...new Set(value as readonly Json[])].toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  }
  return sorted(value);
}

export function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [key, sorted(item)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
