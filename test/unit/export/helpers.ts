import { parse } from "yaml";
import { exportConfiguration } from "../../../src/export/export.ts";
import type { ExportOrganization, ObjectsByKind } from "../../../src/export/types.ts";
import { collectionOf, allKinds, kinds } from "../../../src/kinds/registry.ts";
import { caselessKey, naturalKey } from "../../../src/kinds/keys.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json/json.ts";
import { type KindName } from "../../../src/model/kind-name.ts";
import { listKey, type LiveList, type LiveObject, type LiveScope, type LiveWorld } from "../../../src/model/live.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { DesiredGraph } from "../../../src/model/resource.ts";
import { makePlan } from "../../../src/plan/make-plan.ts";
import { resolveScopes } from "../../../src/plan/resolve-scopes.ts";

/** A UUID that ends with the number. */
export function uuid(number: number): string {
  return `0190aa11-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

/** A live object as in a world. */
export function live(kind: KindName, id: string, values: JsonObject, more: Partial<LiveObject> = {}): LiveObject {
  const keys =
    kind === "invite" ? caselessKey(values["target_email"]) : naturalKey(values[kind === "domain" ? "domain" : "name"]);
  return { kind, scope: "somewhere", id, pins: { id }, keys, values, onDifference: "update", ...more };
}

/** A destination as the service returns it: numbers and booleans are text, and secrets are missing. */
export const S3 = {
  type: "S3",
  config: {
    bucket_name: "acme",
    region: "eu-central-1",
    prefix: "e/",
    max_file_size_mb: "7",
    use_virtual_style_addressing: "True",
  },
};

/** A batch export to {@link S3}. */
export function batchExport(number: number, name: string, values: JsonObject = {}): LiveObject {
  return live("batch_export", uuid(number), { name, interval: "hour", destination: S3, paused: false, ...values });
}

/** A plugin with the keys that its kind computes. */
export function plugin(kind: KindName, id: string, values: JsonObject): LiveObject {
  const rows = { [`${collectionOf(kind)}.list`]: [{ id, ...values, organization_id: "o" }] };
  const [object] = kinds[kind].lists.assemble({ scope: "somewhere", path: { organization_id: "o" }, rows });
  if (object === undefined) throw new Error("not a plugin of the organization");
  return object;
}

export function member(number: number, email: string, level: Json): LiveObject {
  return live(
    "member",
    uuid(number),
    { level },
    { pins: { id: uuid(number), uuid: uuid(number) }, keys: caselessKey(email) },
  );
}

/** An organization named Acme Inc with these lists. */
export function acme(
  lists: ObjectsByKind = {},
  projects: ExportOrganization["projects"] = [],
  values: JsonObject = {},
): ExportOrganization {
  const teams = projects.map(({ id, name }) => ({ id, name }));
  const organization = live("organization", uuid(1), { name: "Acme Inc", membership_level: 15, teams, ...values });
  return { organization, lists, projects };
}

export function yamlOf(organization: ExportOrganization, ids = true): string {
  return exportConfiguration([organization], { ids }).files[0]?.text ?? "";
}

/** The parsed text, with `$${` read as `${`. */
export function readText(text: string): JsonObject {
  const read: Json = parse(text, { version: "1.2", schema: "core", merge: true });
  return objectOf(unescape(read));
}

function unescape(value: Json): Json {
  if (typeof value === "string") return value.replaceAll("$${", "${");
  if (Array.isArray(value)) return value.map((item: Json) => unescape(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unescape(item)]));
}

/** The part of the configuration at the keys. */
export function at(root: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((value, key) => objectOf(value)[key], root);
}

/** The keys of a mapping in the configuration. */
export function keysAt(root: Json | undefined, ...keys: readonly string[]): readonly string[] {
  return Object.keys(objectOf(at(root, ...keys)));
}

/** The mapping; empty if the value is not a mapping. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The organization `acme-inc` as it is exported. */
export function exported(organization: ExportOrganization, ids = true): JsonObject {
  return objectOf(at(readText(yamlOf(organization, ids)), "organizations", "acme-inc"));
}

/** The plan of a configuration on the service that the organization was read from. */
export function planOf(graph: DesiredGraph, { organization, lists, projects }: ExportOrganization): Plan {
  const { scopes, diagnostics } = resolveScopes(graph, { status: "known", objects: [organization] });
  if (diagnostics.length > 0) throw new Error(diagnostics[0]?.message);
  const found = new Map<string, LiveList>([[listKey("", "organization"), known([organization], "")]]);
  for (const [address, scope] of scopes) {
    const here =
      projects.find(({ id }) => id === idOf(scope))?.lists ?? (address.includes("/") || address === "" ? {} : lists);
    for (const { name } of allKinds) {
      if (name === "organization") continue;
      const objects = name === "membership" ? memberships(lists) : (here[name] ?? []);
      found.set(listKey(address, name), known(objects, address));
    }
  }
  const world: LiveWorld = { scopes, lists: found };
  return makePlan(graph, world, { prune: false, only: [], rotate: [] }).plan;
}

function idOf(scope: LiveScope): string | undefined {
  return scope.status === "known" ? scope.path["project_id"] : undefined;
}

function known(objects: readonly LiveObject[], scope: string): LiveList {
  return { status: "known", objects: objects.map((object) => ({ ...object, scope })) };
}

/** Memberships as their kind assembles them: one per address. */
function memberships(lists: ObjectsByKind): readonly LiveObject[] {
  const all = (lists.member ?? []).map((object): LiveObject => ({ ...object, kind: "membership" }));
  return [...new Map(all.map((object) => [object.keys[0], object])).values()];
}
