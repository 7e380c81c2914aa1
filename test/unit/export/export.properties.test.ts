import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportConfiguration } from "../../../src/export/export.ts";
import type { ExportOrganization, ObjectsByKind } from "../../../src/export/types.ts";
import { kindSchema } from "../../../src/kinds/fields.ts";
import type { Json, JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import type { LiveObject } from "../../../src/model/live.ts";
import { load } from "../config/helpers.ts";
import { json, organization, SHOWN } from "./arbitrary.ts";
import { acme, at, exported, live, planOf, yamlOf } from "./helpers.ts";
import { budget } from "../../support/budget.ts";

const RUNS = { numRuns: budget(100) };
/** Milliseconds. Each run writes and reads files. */
const LONG = 60_000;

describe("for any live organization", () => {
  it(
    "free-form values are exported unchanged",
    () => {
      const check = fc.property(json.object, (query) => {
        const insight = live("insight", "5", { name: "x", query });
        const found = exported(acme({}, [{ id: "2", name: "Web", lists: { insight: [insight] } }]));
        expect(at(found, "projects", "web", "insights", "x", "query")).toEqual(query);
      });
      fc.assert(check, { numRuns: budget(500) });
    },
    LONG,
  );

  it(
    "no secret is in the text",
    () => {
      const check = fc.property(organization, fc.boolean(), (one, ids) => {
        expect(yamlOf(one, ids)).not.toContain(SHOWN);
      });
      fc.assert(check, RUNS);
    },
    LONG,
  );

  it(
    "the result does not depend on the order of objects and keys",
    () => {
      const check = fc.property(organization, fc.boolean(), (one, ids) => {
        expect(exportConfiguration([reversed(one)], { ids })).toEqual(exportConfiguration([one], { ids }));
      });
      fc.assert(check, RUNS);
    },
    LONG,
  );

  it(
    "the text loads without errors",
    async () => {
      const check = fc.asyncProperty(organization, fc.boolean(), async (one, ids) => {
        const { diagnostics } = await load(yamlOf(one, ids));
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      });
      await fc.assert(check, RUNS);
    },
    LONG,
  );

  it(
    "the plan is empty, with and without ids and defaults",
    async () => {
      const check = fc.asyncProperty(organization, fc.boolean(), fc.boolean(), async (one, ids, allFields) => {
        const { graph } = await load(exportConfiguration([one], { ids, allFields }).files[0]?.text ?? "");
        const plan = planOf(graph, one);
        expect(plan.changes.filter(({ action }) => action !== "no_op")).toEqual([]);
      });
      await fc.assert(check, RUNS);
    },
    LONG,
  );

  it(
    "the text without ids has every field that a create would not give anyway and that means something elsewhere",
    async () => {
      const check = fc.asyncProperty(organization, async (one) => {
        const { graph } = await load(yamlOf(one, false));
        const declared = graph.resources.filter(({ kind }) => kind === "insight");
        expect(declared.length).toBe(named(one).length);
        for (const { scope, values } of declared) {
          const name = graph.projects.find(({ address }) => address === scope)?.name;
          const project = one.projects.find((candidate) => candidate.name === name);
          const same = (project?.lists.insight ?? []).filter((insight) => insight.keys[0] === nameOf(values));
          expect(same.map(({ values: found }) => written(found))).toContainEqual(values);
        }
      });
      await fc.assert(check, RUNS);
    },
    LONG,
  );
});

/** The names that only one insight has, in projects whose name no other has. */
function named({ projects }: ExportOrganization): readonly string[] {
  const unique = projects.filter(({ name }) => projects.filter((other) => other.name === name).length === 1);
  return unique.flatMap(({ lists }) => {
    const keys = (lists.insight ?? []).flatMap((insight) => insight.keys);
    return keys.filter((key) => keys.indexOf(key) === keys.lastIndexOf(key));
  });
}

/** Whether a text is longer than what can be declared. An export leaves it out, with a warning. */
function isTooLong(field: string, value: unknown): boolean {
  const { maxLength = Infinity } = kindSchema("insight").properties[field] ?? {};
  return typeof value === "string" && [...value].length > maxLength;
}

/** The fields of an insight that are exported. */
function written(values: JsonObject): JsonObject {
  const fields = Object.entries(values).filter(([field, value]) => {
    const isBlank = typeof value === "string" && value.trim() === "";
    const isStandard = field === "saved" ? value === true : value === false;
    const isDefault = value === null || isStandard || isBlank || ["[]", "{}"].includes(JSON.stringify(value));
    // The numbers of dashboards mean nothing elsewhere.
    const isKept = !isDefault || (field === "query" && value !== null);
    return isKept && !isTooLong(field, value) && field !== "deleted" && field !== "dashboards";
  });
  return Object.fromEntries(
    fields.map(([field, value]) => [field, Array.isArray(value) ? value.toSorted(byNumberOrText) : value]),
  );
}

function byNumberOrText(left: Json, right: Json): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

function nameOf({ name }: ValueObject): string | undefined {
  return typeof name === "string" ? name.trim() : undefined;
}

function reversed({ organization: object, lists, projects }: ExportOrganization): ExportOrganization {
  const inner = projects.map((project) => ({ ...project, lists: reversedLists(project.lists) }));
  return { organization: reversedObject(object), lists: reversedLists(lists), projects: inner.toReversed() };
}

function reversedLists(lists: ObjectsByKind): ObjectsByKind {
  return Object.fromEntries(
    Object.entries(lists).map(([kind, objects]) => [kind, objects.map(reversedObject).toReversed()]),
  );
}

function reversedObject(object: LiveObject): LiveObject {
  const entries = Object.entries(object.values).map(([field, value]): [string, Json] => [field, reversedKeys(value)]);
  return { ...object, values: Object.fromEntries(entries.toReversed()) };
}

function reversedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reversedKeys(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversedKeys(item)]),
  );
}
