import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = import.meta.dirname;
const [FIRST, LAST] = [113, 232];

/** The facts that no answer of the emulator shows, with the reason. */
const NOT_SHOWN: Readonly<Record<number, string>> = {
  134: "the age of a cache; the fault `stale-read` shows an old answer",
  200: "integrations have no route of the interface, so none is deleted by a request",
  202: "a plan of the service, without an answer",
  222: "nothing is shared here, so no insight is shared",
  227: "keys are not made by requests here",
};

/** The numbers at the beginning of the names of the tests, or in parentheses. */
function testedFacts(): ReadonlySet<number> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".test.ts") && name !== "facts.test.ts");
  const texts = files.map((name) => readFileSync(join(FOLDER, name), "utf8"));
  const titles = texts.flatMap((text) => [...text.matchAll(/\(\s*"((?:\d{3} )+)/g)].map(([, numbers = ""]) => numbers));
  const notes = texts.flatMap((text) => [...text.matchAll(/\((\d{3})\)"/g)].map(([, number = ""]) => number));
  return new Set([...titles, ...notes].flatMap((numbers) => numbers.trim().split(" ").map(Number)));
}

test("every fact about today's service has a test by its number, or a reason why it is not shown", () => {
  const tested = testedFacts();
  const all = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
  expect(all.filter((fact) => !tested.has(fact) && NOT_SHOWN[fact] === undefined)).toEqual([]);
  expect(all.filter((fact) => tested.has(fact) && NOT_SHOWN[fact] !== undefined)).toEqual([]);
});
