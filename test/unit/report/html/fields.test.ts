/**
 * What is approved is what is shown: every leaf that differs is in the HTML.
 *
 * Terms: a token is a word or a number in a key or a leaf, or an empty text.
 * Algorithm: the tokens that one side has more often than the other have to be in the text of that side of the report. They are
 * counted on the values themselves, so a mistake of the structural difference would be noticed as well.
 */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../../src/model/json/canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../src/model/json/json.ts";
import { renderPlan } from "../../../../src/report/index.ts";
import { keyText } from "../../../../src/model/pointer.ts";
import { NOT_SET } from "../../../../src/report/escape.ts";
import { budget } from "../../../support/budget.ts";
import { change, plan } from "../documents.ts";
import { rowsOf, type ShownRow } from "./text.ts";

const RUNS = { numRuns: budget(1000) };

function rowsOfEdit(prior: Json, planned: Json, action: "update" | "create" = "update"): readonly ShownRow[] {
  const fields = [{ path: "/query", prior, planned }];
  return rowsOf(renderPlan(plan([change({ kind: "insight", action, fields })]), "html", { color: false }));
}

/** How often each token occurs. A text with several lines may be on one line, with escapes. */
function tokensOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [token] of text.replaceAll(String.raw`\n`, " ").matchAll(/\w+|""/g))
    counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** The tokens that are missing in a text: those that `own` has more often than `other`. */
function missing(own: Json, other: Json, shown: string): readonly string[] {
  const [mine, theirs, found] = [ofField(own), ofField(other), shown].map(tokensOf) as [
    ReadonlyMap<string, number>,
    ReadonlyMap<string, number>,
    ReadonlyMap<string, number>,
  ];
  return [...mine].flatMap(([token, count]) =>
    (found.get(token) ?? 0) < count - (theirs.get(token) ?? 0) ? [token] : [],
  );
}

/** A field that is null is not set. */
function ofField(value: Json): string {
  return value === null ? "" : plain(value);
}

/** All keys and leaves, with nothing escaped. */
function plain(value: Json): string {
  if (value === "") return '""';
  if (Array.isArray(value)) return value.map((item: Json) => plain(item)).join(" ");
  if (!isJsonObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, item]) => `${key} ${plain(item)}`)
    .join(" ");
}

function expectShown(prior: Json, planned: Json): void {
  const rows = rowsOfEdit(prior, planned);
  const side = (name: "prior" | "planned"): string => rows.map((row) => `${row.path} ${row[name]}`).join("\n");
  expect(missing(prior, planned, side("prior"))).toEqual([]);
  expect(missing(planned, prior, side("planned"))).toEqual([]);
  const isEqual = canonicalJson(prior) === canonicalJson(planned);
  if (!isEqual) expect(rows.length).toBeGreaterThan(0);
}

const number = (lead: string): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 999 }).map((value) => `${lead}${String(value).padStart(3, "0")}`);
const word = number("t");
const leaf: fc.Arbitrary<Json> = fc.oneof(
  word,
  number("9").map(Number),
  fc.array(word, { minLength: 2, maxLength: 40 }).map((words) => words.join(" ")),
  fc.array(word, { minLength: 2, maxLength: 20 }).map((lines) => lines.join("\n")),
  fc.constantFrom<Json>(null, true, false, {}, [], "", "<b>&amp;</b>"),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(number("k"), tie("value"), { maxKeys: 5 }),
  ),
}));

/** An edit: at a random place, replace, remove, insert or move. `at` are random numbers that lead there. */
interface Edit {
  readonly at: readonly number[];
  readonly what: "replace" | "remove" | "insert" | "move";
  readonly value: Json;
  readonly key: string;
}
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }),
  what: fc.constantFrom("replace", "remove", "insert", "move"),
  value,
  key: number("k"),
});

function edited(json: Json, { at, what, value: put, key }: Edit): Json {
  const [first = 0, ...rest] = at;
  if (Array.isArray(json) && json.length > 0) {
    const items = [...json] as Json[];
    const index = first % items.length;
    if (rest.length > 0) return items.with(index, edited(items[index] ?? null, { at: rest, what, value: put, key }));
    if (what === "remove") return items.toSpliced(index, 1);
    if (what === "insert") return items.toSpliced(index, 0, put);
    if (what === "move") return [...items.toSpliced(index, 1), items[index] ?? null];
    return items.with(index, put);
  }
  if (isJsonObject(json) && Object.keys(json).length > 0) {
    const entries = Object.entries(json);
    const [name, item] = entries[first % entries.length] ?? ["", null];
    if (rest.length > 0) return { ...json, [name]: edited(item, { at: rest, what, value: put, key }) };
    const others = Object.fromEntries(entries.filter(([own]) => own !== name));
    if (what === "remove") return others;
    return what === "insert" ? { ...json, [key]: put } : { ...others, [name]: what === "move" ? item : put };
  }
  return put;
}

const schema = JSON.parse(
  readFileSync(new URL("../../../../schemas/kinds/insight.schema.json", import.meta.url), "utf8"),
) as { readonly properties: { readonly query: { readonly examples: readonly Json[] } } };
const SQL =
  "SELECT t001 AS week,\n  t002 AS plan\nFROM t003\nWHERE t004 = 't005'\n  AND t006 > 9007\nGROUP BY t001\nLIMIT 9008";
const CORPUS: readonly Json[] = [
  ...schema.properties.query.examples,
  { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: SQL, values: { plan: ["t101", "t102"] } } },
  {
    kind: "InsightVizNode",
    source: {
      kind: "FunnelsQuery",
      series: ["t201", "t202", "t203", "t204"].map((event) => ({
        kind: "EventsNode",
        event,
        math: "total",
        properties: [],
      })),
      breakdownFilter: {
        breakdowns: [
          { property: "t301", type: "event" },
          { property: "t302", type: "person" },
        ],
      },
    },
  },
];

describe("an HTML report", () => {
  it("shows every leaf that differs between random values", () => {
    fc.assert(fc.property(value, value, expectShown), RUNS);
  });

  it("shows every leaf that random edits of a query change", () => {
    const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
    const property = fc.property(fc.constantFrom(...CORPUS), edits, (query, some) => {
      expectShown(query, some.reduce(edited, query));
    });
    fc.assert(property, RUNS);
  });

  it("shows every leaf of a created resource", () => {
    const property = fc.property(value, (planned) => {
      const shown = rowsOfEdit(null, planned, "create").map(({ planned: text }) => text);
      expect(missing(planned, null, shown.join("\n"))).toEqual([]);
    });
    fc.assert(property, RUNS);
  });

  it("shows members of objects at their path, with both values", () => {
    const scalar = fc.oneof(word, number("9").map(Number), fc.boolean());
    const flat = fc.dictionary(fc.oneof(number("k"), fc.constantFrom("a b", "a.b", "é")), scalar, { maxKeys: 6 });
    const property = fc.property(flat, flat, (prior: JsonObject, planned: JsonObject) => {
      const expected = [...new Set([...Object.keys(planned), ...Object.keys(prior)])].flatMap((key): ShownRow[] => {
        const [before, after] = [prior[key], planned[key]];
        if (before === after) return [];
        const [left = "", right = ""] = [before, after].map((item) =>
          item === undefined ? NOT_SET : JSON.stringify(item),
        );
        return [{ path: `query.${keyText(key)}`, prior: left, planned: right }];
      });
      if (expected.length > 0) expect(rowsOfEdit(prior, planned)).toEqual(expected);
    });
    fc.assert(property, RUNS);
  });
});
