import { expect, test } from "vitest";
import { rowsOfEntry } from "../../../../src/report/diff/rows.ts";
import { startWork } from "../../../../src/report/diff/text-diff.ts";

/** The words that are marked in two texts. */
function marked(prior: string, planned: string): readonly string[] {
  const entry = { type: "text", path: "/description", label: "description", isField: true, prior, planned } as const;
  const parts = rowsOfEntry(entry, startWork()).flatMap((row) => row.parts);
  return parts.filter(({ differs }) => differs).map(({ text }) => text);
}

test("words are marked where about half of two texts is alike", () => {
  expect(marked("Signups of the last week", "Signups of the last month")).toEqual(["week", "month"]);
});

test.each([
  ["Owner: team 0", "Reviewed by the growth team in November"],
  ["Signups", "Signups, as finance and the growth team count them since they met in November"],
])("nothing is marked in %s, which becomes something else", (prior, planned) => {
  expect(marked(prior, planned)).toEqual([]);
});
