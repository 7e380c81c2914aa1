/**
 * Every field of every kind, mutated: what a service does to a value is no difference, and everything else is one.
 *
 * A row has a value as somebody declares it, and the forms in which a service may give the same value back. What must be a
 * difference is not listed but made: every leaf of the value is changed in every way that its type allows.
 */
import { describe, expect, it } from "vitest";
import { compare } from "../../../src/diff/compare.ts";
import { declarableFields } from "../../../src/kinds/fields.ts";
import type { Policy } from "../../../src/kinds/comparison.ts";
import { policiesAt } from "../../../src/diff/equal.ts";
import { allKinds, kinds } from "../../../src/kinds/registry.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { asStored } from "../../support/interface/declare.ts";
import { specimens } from "../../support/interface/index.ts";
import { allFieldsOf, type Field, type Specimen } from "../../support/interface/specimen.ts";

/** A specimen's field, with its value in the notation of the service. */
type Row = Pick<Field, "hides" | "sealed"> & Required<Pick<Field, "same">> & { readonly value: Json };

const rowOf = (field: string, { next, value = next, same = [], ...row }: Field): Row => ({
  ...row,
  same,
  value: asStored(field, value),
});

const fieldsOf = (name: KindName): Specimen["fields"] => allFieldsOf(specimens[name]);
const rows = allKinds.flatMap(({ name }) =>
  Object.entries(fieldsOf(name)).map(([field, row]) => [`${name}.${field}`, name, field, rowOf(field, row)] as const),
);

const differs = (kind: KindName, field: string, declared: Json, live: Json | undefined): boolean =>
  compare(kinds[kind], { [field]: declared }, live === undefined ? {} : { [field]: live }).length > 0;

/** A changed value, and the path of the change. */
interface Mutant {
  readonly live: Json;
  readonly path: readonly string[];
  readonly what: string;
}

/** The value with one leaf or list changed, in every way. */
function mutants(value: Json, path: readonly string[]): readonly Mutant[] {
  const made = (what: string, live: Json): Mutant => ({ live, path, what });
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    const inner = items.flatMap((item, index) =>
      mutants(item, [...path, String(index)]).map((one) => ({ ...one, live: items.with(index, one.live) })),
    );
    const reversed = items.length > 1 ? [made("reversed", items.toReversed())] : [];
    return [
      ...inner,
      ...reversed,
      made("one more", [...items, "z"]),
      made("one less", items.slice(1)),
      made("null", null),
    ];
  }
  if (isJsonObject(value)) {
    const inner = Object.entries(value).flatMap(([key, item]) => [
      ...mutants(item, [...path, key]).map((one) => ({ ...one, live: { ...value, [key]: one.live } })),
      { live: without(value, key), path: [...path, key], what: "missing" },
    ]);
    return [...inner, made("null", null), made("a list", [value])];
  }
  if (typeof value === "boolean") return [made("flipped", !value), made("null", null), made("text", String(!value))];
  if (typeof value === "number")
    return [made("more", value + 1), made("null", null), made("text", `${String(value)}x`)];
  if (typeof value !== "string") return [made("text", "x")];
  const middle = Math.floor(value.length / 2);
  return [
    made("longer", `${value}x`),
    made("shorter", value.trim().slice(0, -1)),
    made("a blank within", `${value.slice(0, middle)} ${value.slice(middle)}`),
    made("in capitals", value.toUpperCase()),
    made("in small letters", value.toLowerCase()),
    made("empty", ""),
    made("null", null),
  ].filter(({ live }) => live !== value);
}

function without(value: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** Whether a policy that the row names may make a mutant equal to the value. */
function mayBeHidden({ path, what }: Mutant, row: Row, hasQueryString: boolean): boolean {
  const hides = new Set(row.hides ?? []);
  if (hides.has("lower_case") && (what === "in capitals" || what === "in small letters")) return true;
  if (hides.has("time_zone") && what === "in small letters") return true;
  if (hides.has("ignore_version") && path.at(-1) === "version") return true;
  if (hides.has("unordered") && what === "reversed") return true;
  if (hides.has("without_query_string") && ["longer", "shorter", "in capitals"].includes(what)) return hasQueryString;
  if (hides.has("absent_is_unknown") && what === "null") return true;
  return false;
}

describe("every field that can be declared has a row", () => {
  it.each(allKinds.map(({ name }) => [name] as const))("%s", (name) => {
    expect(Object.keys(fieldsOf(name)).toSorted()).toEqual([...declarableFields(name)].toSorted());
  });
});

describe.each(rows)("%s", (_name, kind, field, { value, same, sealed, ...row }) => {
  it("is equal to the declared value, and so is every form that a service returns", () => {
    for (const live of [value, ...same]) expect(differs(kind, field, value, live), JSON.stringify(live)).toBe(false);
  });

  it("differs by every change that no policy of it hides", () => {
    if (sealed === true) return expect(differs(kind, field, value, undefined)).toBe(false);
    const all = mutants(value, [field]);
    for (const mutant of all) {
      const seen = differs(kind, field, value, mutant.live);
      const hidden = mayBeHidden(mutant, { ...row, value, same }, typeof value === "string" && value.includes("?"));
      // A hidden part may still differ: a shorter host is not a shorter query string.
      if (!hidden)
        expect(seen, `${mutant.what} at /${mutant.path.join("/")}: ${JSON.stringify(mutant.live)}`).toBe(true);
    }
    expect(all.length).toBeGreaterThan(1);
  });

  it("distinguishes null from a value, and blank from null if the service keeps both", () => {
    const own = policiesAt(kinds[kind], [field]);
    const blank = own.includes("blank_is_null") || own.includes("absent_is_unknown");
    if (typeof value === "string" && sealed !== true) expect(differs(kind, field, "", null)).toBe(!blank);
    if (sealed !== true) expect(differs(kind, field, null, value)).toBe(true);
  });

  it("has exactly the policies of its row", () => {
    const named = new Set([...policiesAt(kinds[kind], [field]), ...policiesBelow(kind, field)]);
    const spoken = (row.hides ?? []).filter((hidden) => !["trimmed", "unordered", "time_zone"].includes(hidden));
    const where = "`hides` of the field in test/support/interface/specimens";
    expect([...named].toSorted(), where).toEqual(spoken.toSorted());
  });
});

function policiesBelow(kind: KindName, field: string): readonly Policy[] {
  return Object.entries(kinds[kind].comparison?.policies ?? {}).flatMap(([path, policies]) =>
    path.startsWith(`/${field}/`) ? policies : [],
  );
}
