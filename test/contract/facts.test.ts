import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = new URL("rows/current/", import.meta.url);
const [FIRST, LAST] = [113, 232];

/** The facts that no answer of the emulator shows, with the reason. */
const NOT_SHOWN: Readonly<Record<number, string>> = {
  134: "the age of a cache; the fault `stale-read` shows an old answer",
  200: "integrations have no route of the interface, so none is deleted by a request",
  202: "a plan of the service, without an answer",
  222: "nothing is shared here, so no insight is shared",
  227: "keys are not made by requests here",
};

test("every fact about today's service has rows by its number, or a reason why it is not shown", () => {
  const texts = readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER), "utf8"));
  const numbers = texts.flatMap((text) =>
    [...text.matchAll(/^# ((?:\d{3} )+)/gm)].flatMap(([, list = ""]) => list.trim().split(" ")),
  );
  const shown = new Set(numbers.map(Number));
  const all = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
  expect(all.filter((fact) => !shown.has(fact) && NOT_SHOWN[fact] === undefined)).toEqual([]);
  expect(all.filter((fact) => shown.has(fact) && NOT_SHOWN[fact] !== undefined)).toEqual([]);
});
