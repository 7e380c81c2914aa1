/** Specimens as configurations declare them, and as the emulator stores them. */
import type { StoredObject } from "../../../src/emulator/index.ts";
import { isObject, type Json, type JsonObject } from "../../../src/emulator/json.ts";
import type { Specimen } from "./specimen.ts";

export const ACME = "0190aa11-0000-4000-8000-00000000000a";

/** The secrets that specimens declare. */
export const SECRETS = { AWS: "hush-hush-42", AWS_NEXT: "hush-hush-43" };
const LEVELS: Readonly<Record<string, number>> = { member: 1, admin: 8, owner: 15 };

/** Keys of a resource below `organizations`. */
export function placeOf({ collection }: Specimen, scope: Specimen["scopes"][number], key: string): readonly string[] {
  if (scope === "service") return [key];
  return scope === "project" ? ["acme", "projects", "web", collection, key] : ["acme", collection, key];
}

/** The configuration that declares values at a place, in the organization and project that tests seed. */
export function configurationAt([organization = "", ...inner]: readonly string[], values: object): object {
  const below = (path: readonly string[], value: object): object =>
    path.reduceRight<object>((all, key) => (key === "web" ? { web: { id: "2", ...all } } : { [key]: all }), value);
  const pin = organization === "acme" ? { id: ACME } : {};
  return { driftline: 1, organizations: { [organization]: { ...pin, ...below(inner, values) } } };
}

/** A declared value as the service stores it: levels are numbers, and secrets are filled in. */
export function asStored(field: string, value: Json): Json {
  if (field === "level") return LEVELS[String(value)] ?? value;
  const filled = JSON.stringify(value).replaceAll(
    /\$\{secret:(\w+)\}/g,
    (_all, name: keyof typeof SECRETS) => SECRETS[name],
  );
  return JSON.parse(filled) as Json;
}

export function allAsStored(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, asStored(field, value)]));
}

/** The value without the members that are secrets. */
export function withoutSecrets<T extends Json>(value: T): T {
  const isSecret = (member: unknown): boolean => typeof member === "string" && member.startsWith("${secret:");
  return JSON.parse(JSON.stringify(value, (_key, member: unknown) => (isSecret(member) ? undefined : member))) as T;
}

/** Name of an object of the service: what its natural key begins with. */
export function nameOf({ domain, name, target_email, user }: StoredObject): string {
  const email = target_email ?? (isObject(user) ? user["email"] : undefined);
  return email === undefined ? String(domain ?? name) : String(email).toLowerCase();
}

/** Name of the object that declared values stand for. */
export function nameIn(key: string, values: JsonObject): string {
  return String(values["domain"] ?? values["target_email"] ?? values["name"] ?? key);
}

/** Whether a live object has one of these names. */
export function isNamed(...names: readonly string[]): (object: StoredObject) => boolean {
  return (object) => object["deleted"] !== true && names.includes(nameOf(object));
}

/** The next value of every field that can be changed. */
export function changesOf({ fields }: Pick<Specimen, "fields">): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, { next, fixed }]) => (fixed === undefined ? [[field, next]] : [])),
  );
}

/** Whether an object is the one that a specimen declares, before or after all its changes. */
export function isOf(specimen: Pick<Specimen, "key" | "create" | "fields">): (object: StoredObject) => boolean {
  const { key, create } = specimen;
  return isNamed(nameIn(key, create), nameIn(key, { ...create, ...changesOf(specimen) }));
}
