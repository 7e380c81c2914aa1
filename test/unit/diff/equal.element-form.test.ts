import { expect, it } from "vitest";
import { elementForm } from "../../../src/diff/equal.ts";

it("elements of a set have one form if they are the same one", () => {
  const tag = elementForm("insight", "/tags");
  expect(tag("A ")).toBe(tag("a"));
  expect(tag("a")).not.toBe(tag("b"));
  expect(tag("")).not.toBe(tag("a"));
  const dashboard = elementForm("insight", "/dashboards");
  expect(dashboard(7)).not.toBe(dashboard("7"));
  const other = elementForm("batch_export", "/include_events");
  expect(other("A")).not.toBe(other("a"));
});
