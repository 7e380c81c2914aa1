import { expect, it } from "vitest";
import { differences } from "../../../src/report/summary.ts";
import { change } from "./documents.ts";

it("the counts of a drift report have one order, whatever the order of the changes", () => {
  const changes = (["restore", "update", "delete", "update"] as const).map((action) => change({ action }));
  const counts = (all: typeof changes): readonly string[] => differences({ type: "driftline.drift", changes: all });
  expect(counts(changes)).toEqual(counts(changes.toReversed()));
  // A soft-deleted object is missing as one that is to be created is, and what is missing comes first.
  const created = [change({ action: "create" }), change({ action: "update" })];
  const restored = [change({ action: "restore" }), change({ action: "update" })];
  expect(counts(restored)).toEqual(counts(created));
});
