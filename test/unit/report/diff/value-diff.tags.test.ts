import { expect, it } from "vitest";
import { diffField } from "../../../../src/report/diff/value-diff.ts";

it("tags that differ only in case are not listed beside those that differ", () => {
  const field = { path: "/tags", prior: ["kpi", "old"], planned: ["KPI", "new"] };
  expect(diffField("insight", field)).toEqual([{ path: "/tags", type: "set", removed: ["old"], added: ["new"] }]);
});
