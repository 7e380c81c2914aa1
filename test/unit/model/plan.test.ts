import { expect, it } from "vitest";
import type { Action } from "../../../src/model/change.ts";
import { nothingCouldBeRead } from "../../../src/model/plan.ts";
import { renderPlan } from "../../../src/report/index.ts";
import { change, plan } from "../report/documents.ts";

const ERROR = { severity: "error", code: "access_denied", message: "GET answered 401" } as const;

it.each<[string, readonly Action[], readonly (typeof ERROR | { readonly severity: "warning" })[], boolean]>([
  ["all unknown, with an error", ["unknown", "unknown"], [ERROR], true],
  ["all unknown, with a warning only", ["unknown"], [{ severity: "warning" }], false],
  ["all unknown, without a reason beside them", ["unknown"], [], false],
  ["one compared, with an error", ["unknown", "no_op"], [ERROR], false],
  ["nothing declared, with an error", [], [ERROR], false],
])("%s", (_name, actions, diagnostics, expected) => {
  const changes = actions.map((action, index) => change({ address: `acme/domains/d${String(index)}`, action }));
  const document = plan(changes, { diagnostics: diagnostics.map((one) => ({ ...ERROR, ...one })) });
  expect(nothingCouldBeRead(document)).toBe(expected);
  const isListed = actions.includes("unknown") && !expected;
  expect(renderPlan(document, "markdown", { color: false }).includes("acme/domains/d0")).toBe(isListed);
});
