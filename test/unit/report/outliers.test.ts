import { expect, test } from "vitest";
import type { Json } from "../../../src/model/json.ts";
import { groupChanges } from "../../../src/report/alike.ts";
import { change } from "./documents.ts";

/** The addresses that stand alone, if objects get these values, and how many changes the largest group has. */
function grouped(
  values: readonly (readonly [Json, Json])[],
  path = "/description",
): readonly [readonly string[], number] {
  const changes = values.map(([prior, planned], index) =>
    change({
      address: `acme/projects/web/insights/${String(index)}`,
      kind: "insight",
      action: "update",
      fields: [{ path, prior, planned }],
    }),
  );
  const groups = groupChanges(changes, { type: "driftline.plan" });
  const alone = groups
    .filter(({ length }) => length === 1)
    .map(([{ address }]) => address.slice("acme/projects/web/insights/".length));
  return [alone, Math.max(...groups.map(({ length }) => length))];
}

const texts = (count: number): [Json, Json][] =>
  Array.from({ length: count }, (_, index) => ["", `Measures number ${String(index)} of the growth board`]);
const numbers = (count: number, from = 1): [Json, Json][] =>
  Array.from({ length: count }, (_, index) => [from + index, from + index + 1]);
const withOne = (values: [Json, Json][], one: [Json, Json]): [Json, Json][] => values.with(7, one);
const LIMIT = "/query/limit";

test.each<[string, [Json, Json][], string]>([
  [
    "a totally different text",
    withOne(texts(500), ["", "Everything else was wrong, ask at evil.example"]),
    "/description",
  ],
  [
    "a text that is ten times as long",
    withOne(texts(500), ["", "Measures the growth board. ".repeat(20)]),
    "/description",
  ],
  [
    "a text that says something else before",
    withOne(
      texts(500).map(([, to], index) => [`Owner: team ${String(index)}`, to]),
      ["Legal hold", "Measures all of the growth board"],
    ),
    "/description",
  ],
  ["a number a thousand times larger", withOne(numbers(500), [8, 500_000]), LIMIT],
  ["a large number below zero", withOne(numbers(500, -1000), [-993, -100_000]), LIMIT],
  [
    "a number where all others become zero",
    withOne(
      numbers(500).map(([from]) => [from, 0]),
      [8, 1],
    ),
    LIMIT,
  ],
  ["one of ten", withOne(texts(10), ["", "Unlike"]), "/description"],
])("a change stands alone with %s", (_name, values, path) => {
  expect(grouped(values, path)).toEqual([["7"], values.length - 1]);
});

test.each<[string, [Json, Json][], string]>([
  ["texts of one pattern", texts(500), "/description"],
  ["numbers of one range", numbers(500), LIMIT],
  ["numbers on both sides of zero", numbers(500, -250), LIMIT],
  ["texts that share no word", Array.from({ length: 500 }, (_, index) => ["", `x${String(index)}`]), "/description"],
])("no change stands alone among %s", (_name, values, path) => {
  expect(grouped(values, path)).toEqual([[], values.length]);
});
