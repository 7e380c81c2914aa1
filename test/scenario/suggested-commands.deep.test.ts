/** Every command line that is printed as a next step or a way out is run as it is printed, and does what it says. */
import { expect, it } from "vitest";
import { takeInventory } from "./suggested/inventory.ts";
import { FILE_ROWS } from "./suggested/file-rows.ts";
import { OTHER_ROWS } from "./suggested/other-rows.ts";
import { PLAN_ROWS } from "./suggested/plan-rows.ts";

const ROWS = [...PLAN_ROWS, ...OTHER_ROWS, ...FILE_ROWS];

const inventory = takeInventory();

/** Texts that name a command but suggest none, and why. */
const NOT_SUGGESTED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...["access", "apply", "call", "doctor", "drift", "export", "import", "init", "pin", "plan"].map(
        (verb) => `cli/program/service.ts: driftline ${verb}`,
      ),
      ...["completion", "emulator", "explain", "show", "validate", "version"].map(
        (verb) => `cli/program/local.ts: driftline ${verb}`,
      ),
    ].map((text) => [text, "examples in the help; conventions.test.ts runs them"]),
  ),
  "report/html/outcomes.ts: driftline apply": "a heading",
  "report/view.ts: driftline drift": "a heading",
  "report/view.ts: driftline plan": "a heading",
  "cli/commands/completion.ts: driftline completion": "how a shell loads the script; completion.deep.test.ts does it",
  "report/markdown/outcomes.ts: driftline apply": "a heading",
};

it.each(ROWS.map((row) => [row.name, row] as const))("%s", (_name, row) => row.test());

it("each suggestion in the source has a row, and no row is for one that is gone", () => {
  expect([...new Set(ROWS.flatMap(({ of }) => of))].toSorted()).toEqual(inventory.suggestions);
});

it("each other text with a command in it has a reason", () => {
  expect(Object.keys(NOT_SUGGESTED).toSorted()).toEqual(inventory.texts);
});
