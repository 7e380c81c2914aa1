import { expect, test } from "vitest";
import type { Json } from "../../../src/model/json/json.ts";
import { groupChanges } from "../../../src/report/grouping.ts";
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

const texts = (count: number, from = 100): [Json, Json][] =>
  Array.from({ length: count }, (_, index) => ["", `Measures number ${String(from + index)} of the growth board`]);
const numbers = (count: number, from = 100): [Json, Json][] =>
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
      texts(500).map(([, to], index) => [`Owner: team ${String(100 + index)}`, to]),
      ["Legal hold", "Measures all of the growth board"],
    ),
    "/description",
  ],
  ["a number a thousand times larger", withOne(numbers(500), [107, 500_000]), LIMIT],
  ["a large number below zero", withOne(numbers(500, -900), [-893, -100_000]), LIMIT],
  [
    "a number in a text that is a thousand times larger",
    withOne(texts(500), ["", "Measures number 500000 of the growth board"]),
    "/description",
  ],
  [
    "a number where all others become zero",
    withOne(
      numbers(500).map(([from]) => [from, 0]),
      [107, 1],
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
  ["texts of one word", Array.from({ length: 500 }, (_, index) => ["", `x${String(100 + index)}`]), "/description"],
])("no change stands alone among %s", (_name, values, path) => {
  expect(grouped(values, path)).toEqual([[], values.length]);
});

test("numbers of as many digits are a group, so that none in it is ten times as large as another", () => {
  expect(grouped(texts(500, 0))).toEqual([[], 400]);
});

test("of texts that have nothing in common, each stands alone", () => {
  const words = [..."abcdefghijkl"].map((letter): [Json, Json] => ["", `Counts ${letter.repeat(5)}`]);
  expect(grouped(words)).toEqual([words.map((_, index) => String(index)), 1]);
});

test("changes of another kind do not count as changes that look alike", () => {
  const update = (kind: "insight" | "batch_export", prior: string, planned: string): ReturnType<typeof change> =>
    change({
      address: `acme/projects/web/${kind}s/a`,
      kind,
      action: "update",
      fields: [{ path: "/name", prior, planned }],
    });
  const sizesWith = (...others: readonly ReturnType<typeof change>[]): readonly number[] => {
    const insights = ["1", "1", "2"].map((digit) => update("insight", `A${digit}`, `B${digit}`));
    const groups = groupChanges([...insights, ...others], { type: "driftline.plan" });
    return groups.flatMap(([{ kind }, ...rest]) => (kind === "insight" ? [1 + rest.length] : []));
  };
  expect(sizesWith()).toEqual([3]);
  expect(sizesWith(update("batch_export", "A1", "B1"))).toEqual([3]);
});
