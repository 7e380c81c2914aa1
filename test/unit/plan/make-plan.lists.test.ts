/**
 * Lists that people edit while others own some keys of their elements: each element keeps what is its own, and the plan shows exactly
 * what is sent.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Change, FieldChange } from "../../../src/model/change.ts";
import { canonicalJson } from "../../../src/model/json/canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json/json.ts";
import { pointerKeys } from "../../../src/model/pointer.ts";
import { diffField } from "../../../src/report/diff/value-diff.ts";
import { budget } from "../../support/budget.ts";
import { editedLists, type Element } from "../../support/edited-lists.ts";
import { applied } from "../report/diff/values.ts";
import { changeOf, declare, live, plan } from "./world.ts";

/** A field with a list, and the lifecycle under which others own keys of its elements. */
interface Setting {
  readonly field: "filters" | "query";
  readonly id: "id" | "event";
  readonly lifecycle: object;
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  filters: { field: "filters", id: "id", lifecycle: {} },
  "a query that is compared in part": { field: "query", id: "event", lifecycle: { partial: ["query"] } },
  "a query with ignored keys": {
    field: "query",
    id: "event",
    lifecycle: { ignore: ["/query/source/series/*/custom_name", "/query/source/series/*/math"] },
  },
};

const isOwned = (key: string): boolean => key === "custom_name" || key === "math";

function rowOf({ field, id }: Setting, list: readonly Element[]): JsonObject {
  const elements = list.map(({ subject, properties, owned }) => ({
    ...(field === "query" ? { kind: "EventsNode" } : {}),
    [id]: subject,
    ...(properties.length === 0 ? {} : { properties: properties.map((key) => ({ key, type: "event", value: [key] })) }),
    ...(owned ? { custom_name: `Name of ${subject}`, math: `math of ${subject}` } : {}),
  }));
  return field === "filters"
    ? { filters: { insight: "TRENDS", events: elements } }
    : { query: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: elements } } };
}

function elementsIn({ field }: Setting, values: Json | undefined): readonly JsonObject[] {
  const holder = isJsonObject(values) && isJsonObject(values["source"]) ? values["source"] : values;
  return ((holder as JsonObject)[field === "filters" ? "events" : "series"] ?? []) as readonly JsonObject[];
}

function planOf({ lifecycle }: Setting, declared: JsonObject, row: JsonObject): Change {
  const resource = declare("acme/projects/web/insights/s", { name: "S", ...declared }, { lifecycle });
  const rows = [{ id: 1, short_id: "abcdefgh", name: "S", filters: {}, query: null, ...row }];
  return changeOf(plan([resource], live({}, { "insights.list": rows })), resource.address);
}

/** The live values with each field of a plan set to what is planned. */
function rebuilt(values: Json, fields: readonly FieldChange[]): Json {
  return fields.reduce((at, { path, planned }) => withValue(at, pointerKeys(path), planned), values);
}

function withValue(at: Json, [key = "", ...below]: readonly string[], value: Json): Json {
  const entries = Object.entries(at as JsonObject).map(
    ([name, item]) => [name, name === key && below.length > 0 ? withValue(item, below, value) : item] as const,
  );
  const others = below.length > 0 ? entries : entries.filter(([name]) => name !== key);
  const all = Object.fromEntries(below.length > 0 || value === null ? others : [...others, [key, value]]);
  return Array.isArray(at) ? Object.values(all) : all;
}

describe.each(Object.entries(SETTINGS))("after any edits of a list in %s", (_name, setting) => {
  const property = (check: (change: Change, before: readonly Element[], after: readonly Element[]) => void) =>
    fc.property(editedLists, ({ before, after }) => {
      const declared = after.map((one) => ({ ...one, owned: false }));
      check(planOf(setting, rowOf(setting, declared), rowOf(setting, before)), before, after);
    });
  const RUNS = { numRuns: budget(1000) };

  it("each element keeps the keys that others own, and no other element gets them", () => {
    const check = ({ work }: Change, before: readonly Element[], after: readonly Element[]): void => {
      const sent = elementsIn(
        setting,
        (work?.body[setting.field] as Json | undefined) ?? rowOf(setting, before)[setting.field],
      );
      expect(sent.length).toBe(after.length);
      for (const element of sent) {
        const subject = String(element[setting.id]);
        const isOld = before.some((one) => one.subject === subject);
        const copies = sent.filter((one) => one[setting.id] === element[setting.id]);
        const owners = copies.filter((one) => Object.keys(one).some(isOwned));
        if (!isOld) expect(owners).toEqual([]);
        if (isOld && copies.length === 1) expect(owners.length).toBe(1);
        expect(owners.length).toBeLessThanOrEqual(1);
        for (const owner of owners)
          expect(owner).toMatchObject({ custom_name: `Name of ${subject}`, math: `math of ${subject}` });
      }
    };
    fc.assert(property(check), RUNS);
  });

  it("the plan shows exactly what is sent", () => {
    const check = ({ work, fields }: Change, before: readonly Element[]): void => {
      if (fields.length === 0) return expect(work?.body).toEqual({});
      const { [setting.field]: planned } = rebuilt(rowOf(setting, before), fields) as JsonObject;
      expect(canonicalJson(planned ?? null)).toBe(canonicalJson(work?.body[setting.field] ?? null));
      for (const field of fields)
        expect(canonicalJson(applied(field.prior, diffField("insight", field), field.path))).toBe(
          canonicalJson(field.planned),
        );
    };
    fc.assert(property(check), RUNS);
  });

  it("nothing differs once it was sent", () => {
    const check = ({ work }: Change, before: readonly Element[], after: readonly Element[]): void => {
      const row = { ...rowOf(setting, before), ...(work?.body as JsonObject) };
      const declared = after.map((one) => ({ ...one, owned: false }));
      expect(planOf(setting, rowOf(setting, declared), row)).toMatchObject({ action: "no_op", fields: [] });
    };
    fc.assert(property(check), RUNS);
  });
});
