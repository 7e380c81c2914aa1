import * as fc from "fast-check";
import { expect, test } from "vitest";
import { endEdit } from "../../../../src/report/diff/end-edit.ts";
import type { Entry } from "../../../../src/report/diff/value-diff.ts";
import { budget } from "../../../support/budget.ts";

const textOf = (prior: string, planned: string): Entry => ({
  type: "text",
  path: "/name",
  label: "name",
  isField: true,
  prior,
  planned,
});

test.each([
  ["Signups", "Signups (v3)", "name, at the end", [], [" (v3)"]],
  ["Signups", "Old: Signups", "name, at the start", [], ["Old: "]],
  ["Q1 2025", "Q1 2026", "name, at the end", ["2025"], ["2026"]],
  ["Top 2", "Top 25", "name, at the end", ["2"], ["25"]],
  ["1 day", "21 day", "name, at the start", ["1"], ["21"]],
  ["Draft Signups", "Signups", "name, at the start", ["Draft "], []],
  ["Signups (EU)", "Signups (Europe)", "name, at the end", ["EU)"], ["Europe)"]],
  ["Old count", "New count", "name, at the start", ["Old"], ["New"]],
  ["Café (a)", "Cafés (a)", "name, at the start", ["Café"], ["Cafés"]],
  // One character of two units of UTF-16 stays whole.
  ["x😀", "x😁", "name, at the end", ["😀"], ["😁"]],
])("%j becomes %j", (prior, planned, label, removed, added) => {
  expect(endEdit(textOf(prior, planned))).toMatchObject({ type: "set", label, removed, added });
});

test.each([
  ["a", "b"],
  ["Signup", "Signups"],
  ["Signups", `Signups ${"x".repeat(80)}`],
  ["one", "one\ntwo"],
])("%j and %j have nothing in common that is worth saying", (prior, planned) => {
  const entry = textOf(prior, planned);
  expect(endEdit(entry)).toBe(entry);
});

test("the planned text follows from the live one and the edit", () => {
  const word = fc.stringMatching(/^[ab .]{0,6}$/u);
  fc.assert(
    fc.property(word, word, (prior, planned) => {
      fc.pre(prior !== planned);
      const entry = endEdit(textOf(prior, planned));
      if (entry.type !== "set") return;
      const [removed, added] = [String(entry.removed[0] ?? ""), String(entry.added[0] ?? "")];
      const made = entry.label.endsWith("end")
        ? prior.slice(0, prior.length - removed.length) + added
        : added + prior.slice(removed.length);
      expect(made).toBe(planned);
    }),
    { numRuns: budget(20_000) },
  );
});
