import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROWS = new URL("rows/", import.meta.url);
const SOURCE = new URL("../../src/", import.meta.url);
const [FIRST, LAST] = [113, 232];

/** The facts that no answer of the emulator shows, with the reason. */
const NOT_SHOWN: Readonly<Record<number, string>> = {
  134: "the age of a cache; the fault `stale-read` shows an old answer",
  200: "integrations have no route of the interface, so none is deleted by a request",
  202: "a plan of the service, without an answer",
  222: "nothing is shared here, so no insight is shared",
  227: "keys are not made by requests here",
};

/** The texts of a folder's files with an ending. */
function textsOf(folder: URL, ending: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
  return names.map((name) => readFileSync(new URL(name, folder), "utf8"));
}

function headedNumbers(folder: URL): readonly number[] {
  const heads = textsOf(folder, ".rows").flatMap((text) => [...text.matchAll(/^# ((?:\d+ )+)/gm)]);
  return heads.flatMap(([, list = ""]) => list.trim().split(" ").map(Number));
}

/** The numbers of a list such as `207, 214 and 216 to 218`. */
function numbersOf(list: string): readonly number[] {
  return [...list.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );
}

test("every fact about today's service has rows by its number, or a reason why it is not shown", () => {
  const shown = new Set(headedNumbers(new URL("current/", ROWS)));
  const all = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
  expect(all.filter((fact) => !shown.has(fact) && NOT_SHOWN[fact] === undefined)).toEqual([]);
  expect(all.filter((fact) => shown.has(fact) && NOT_SHOWN[fact] !== undefined)).toEqual([]);
});

test("every fact that the source or a row cites has a sentence in FACTS.md", () => {
  const lines = readFileSync(new URL("emulator/FACTS.md", SOURCE), "utf8").matchAll(/^- \*\*(\d+)\*\*: \S/gm);
  const explained = new Set([...lines].map(([, number]) => Number(number)));
  const cited = textsOf(SOURCE, ".ts").flatMap((text) => {
    const joined = text.replaceAll(/\n\s*(?:\*|\/\/)\s*/g, " ");
    return [...joined.matchAll(/\b(?:facts?:?|current service) (\d+(?:(?:,| to|,? and) \d+)*)/gi)];
  });
  const numbers = new Set([...cited.flatMap(([, list = ""]) => numbersOf(list)), ...headedNumbers(ROWS)]);
  expect(cited.length).toBeGreaterThan(100);
  expect([...numbers].filter((number) => !explained.has(number))).toEqual([]);
});
