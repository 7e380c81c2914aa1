import { expect, it } from "vitest";
import type { OutcomesDocument, Status } from "../../../src/model/outcome.ts";
import { verdict } from "../../../src/report/outcome-view.ts";

const ended = (...statuses: readonly Status[]): string =>
  verdict({ changes: statuses.map((status) => ({ action: "create", status })) } as unknown as OutcomesDocument);

it("a run in which something was written, or may have been, is not called one that did nothing", () => {
  const untouched = ended("failed", "skipped");
  const inPart = ended("failed", "applied");
  expect([untouched, inPart, ended("failed", "unknown")]).toMatchSnapshot();
  expect(ended("failed", "unverified")).toBe(inPart);
});
