/** A replace loses no key of a live object that driftline has no name for, unless the plan names it and blocks. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectionOf, kinds } from "../../../src/kinds/registry.ts";
import { schemas } from "../../../src/generated/schemas.ts";
import type { Change } from "../../../src/model/change.ts";
import { canonicalJson } from "../../../src/model/json/canonical-json.ts";
import { isJsonObject, valueAt, type Json, type JsonObject } from "../../../src/model/json/json.ts";
import { pathText, pointer } from "../../../src/model/pointer.ts";
import { type KindName } from "../../../src/model/kind-name.ts";
import { decide } from "../../../src/plan/decide.ts";
import { CHECKS, checkChanges } from "../../../src/plan/guard/guard.ts";
import { budget } from "../../support/budget.ts";
import { CHECKED } from "./world.ts";

const ID = "0190aa11-0000-4000-8000-000000000001";

/** Rows of kinds whose objects are replaced, with a declaration that replaces them. */
const REPLACED: Readonly<Record<string, readonly [list: string, row: JsonObject, declared: JsonObject]>> = {
  invite: [
    "invites.list",
    { target_email: "a@acme.com", level: 8, private_project_access: [{ id: 1, level: "member" }] },
    { target_email: "a@acme.com", level: 1 },
  ],
  membership: ["invites.list", { target_email: "a@acme.com", level: 8, first_name: "Ada" }, { level: 1 }],
  pipeline_destination: [
    "pipeline_destinations.list",
    { url: "https://old", name: "P", config_schema: { a: { b: 1 } } },
    { url: "https://new" },
  ],
  batch_export: [
    "project_batch_exports.list",
    {
      name: "E",
      timezone: "UTC",
      model: "events",
      schema: null,
      interval: "day",
      destination: { type: "NoOp", config: { arg: 1 }, integration: 7 },
      filters: [{ key: "plan", value: { deep: ["pro"] } }],
    },
    { name: "E", model: "persons", interval: "day", destination: { type: "NoOp", config: {} } },
  ],
  "batch_export of another type": [
    "project_batch_exports.list",
    {
      name: "E",
      schema: null,
      interval: "day",
      destination: { type: "Postgres", config: { user: "u", password: "p", database: "d" }, integration: 7 },
      hogql_modifiers: { a: [{ b: 1 }] },
    },
    { name: "E", interval: "day", destination: { type: "NoOp", config: {} } },
  ],
};

const KEY = fc.constantFrom("later", "new_flag", "api_version", "x/y", "~", "Ünicode", "api_token");
const VALUE: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>("", "text", 0, 7, true, false, [], {}, "********"),
  fc.record({ a: fc.integer(), b: fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }) }),
);

/** A key that is new, at a place in a row: a number chooses the object that gets it. */
const ADDED = fc.array(fc.tuple(fc.nat(), KEY, VALUE), { minLength: 1, maxLength: 6 });

/** The objects in a value that a service may add keys to, with their paths. Only values that a client writes count. */
function objectsIn(value: Json, keys: readonly string[], isOpen: boolean): readonly (readonly string[])[] {
  const inner = Array.isArray(value)
    ? value.flatMap((item: Json, index) => objectsIn(item, [...keys, String(index)], isOpen))
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([key, item]) => objectsIn(item, [...keys, key], isOpen))
      : [];
  return isJsonObject(value) && isOpen ? [keys, ...inner] : inner;
}

function setAt(at: Json, [key, ...below]: readonly string[], value: Json): Json {
  if (key === undefined) return value;
  if (Array.isArray(at))
    return at.map((item: Json, index) => (String(index) === key ? setAt(item, below, value) : item));
  const object = isJsonObject(at) ? at : {};
  return { ...object, [key]: setAt(object[key] ?? null, below, value) };
}

/** The row with the added keys, and their paths. A later one may stand in the place of an earlier one. */
function grown(row: JsonObject, added: readonly (readonly [number, string, Json])[]): [JsonObject, string[][]] {
  let current: Json = row;
  const paths: string[][] = [];
  for (const [at, key, value] of added) {
    const places = objectsIn(row, [], true);
    const place = places[at % places.length] ?? [];
    const path = [...place, key];
    if (valueAt(current, path) !== undefined) continue;
    current = setAt(current, path, value);
    paths.push(path);
  }
  return [current as JsonObject, paths];
}

function planned(title: string, list: string, row: JsonObject, declared: JsonObject): Change {
  const name = title.split(" ")[0] as KindName;
  const kind = kinds[name];
  const rows = { "members.list": [], [list]: [{ id: ID, ...row }] };
  const [live] = kind.lists.assemble({ scope: "acme", path: { organization_id: "o" }, rows });
  if (live === undefined) throw new Error(`no ${name}`);
  const address = `acme/${collectionOf(kind.name)}/x`;
  const resource = {
    address,
    kind: name,
    scope: "acme",
    name: "a@acme.com",
    values: declared,
    lifecycle: {},
    position: {},
  };
  const change = decide({ kind, resource, rotate: false }, live);
  const [guarded] = checkChanges(CHECKS, { ...CHECKED, changes: [change] }).changes;
  return guarded ?? change;
}

/** Whether a value is sent to the new object, or is named by a plan that blocks. */
function isAccountedFor({ work, blocked, reason }: Change, path: readonly string[], value: Json): boolean {
  const sent = valueAt(work?.body ?? {}, path);
  if (sent !== undefined && canonicalJson(sent) === canonicalJson(value)) return true;
  const isAround = (other: string): boolean =>
    path.some((_key, index) => pointer(...path.slice(0, index + 1)) === other) ||
    other.startsWith(`${pointer(...path)}/`);
  const isNamed = [...(work?.lost ?? [])].some((one) => isAround(one) && reason.includes(pathText(one)));
  return isNamed && blocked?.rule === "replace_loses";
}

describe("a replace", () => {
  it.each(Object.entries(REPLACED))("of a %s loses no unknown key without a line", (title, [list, row, declared]) => {
    const property = fc.property(ADDED, (added) => {
      const [live, paths] = grown(row, added);
      const change = planned(title, list, live, declared);
      expect(change.action).toBe("replace");
      for (const path of paths) {
        const value = valueAt(live, path) as Json;
        expect(isAccountedFor(change, path, value), `${pointer(...path)}: ${JSON.stringify(change)}`).toBe(true);
      }
    });
    fc.assert(property, { numRuns: budget(2000) });
  });

  it("carries over unknown fields of an object that is removed last", () => {
    const [list, row, declared] = REPLACED["batch_export"] ?? [];
    const change = planned("batch_export", list ?? "", { ...row, later: { a: [1] }, other: null }, declared ?? {});
    expect(change.work?.body).toMatchObject({ later: { a: [1] }, other: null });
    expect(change.blocked).toBeNull();
  });

  it("names unknown fields of an object that is removed first, and blocks", () => {
    const [list, row, declared] = REPLACED["invite"] ?? [];
    const change = planned("invite", list ?? "", { ...row, later: 1 }, declared ?? {});
    expect(change.blocked).toMatchObject({
      rule: "replace_loses",
      lift: expect.stringContaining("extra_fields.later") as string,
    });
    expect(change.work?.body).not.toHaveProperty("later");
    expect(planned("invite", list ?? "", { ...row, later: 1 }, { ...declared, later: 1 }).blocked).toBeNull();
  });

  it("does not send what the service alone sets", () => {
    for (const [title, [list, row, declared]] of Object.entries(REPLACED)) {
      const name = title.split(" ")[0] as KindName;
      const own = Object.fromEntries((schemas[name]["x-read-only"] ?? []).map((key) => [key, 1]));
      const { work } = planned(title, list, { ...row, ...own }, declared);
      for (const key of Object.keys(own)) expect(work?.body).not.toHaveProperty(key);
    }
  });
});
