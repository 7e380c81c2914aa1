import { expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { ShownChange } from "../../../src/model/plan.ts";
import { nextSteps } from "../../../src/report/next-steps.ts";
import { change, plan } from "./documents.ts";

const FILTERED: Diagnostic = { severity: "warning", code: "filtered", message: "1 difference is left out" };
const insight = (name: string): ShownChange =>
  change({
    address: `acme/projects/web/insights/${name}`,
    kind: "insight",
    action: "update",
    blocked: null,
    fields: [{ path: "/name", prior: "b", planned: "a" }],
  });
const few = ["a", "b"].map(insight);

it.each<[string, readonly ShownChange[], readonly Diagnostic[], readonly string[] | undefined]>([
  ["everything without a filter", few, [], ["driftline", "apply"]],
  [
    "few by their addresses",
    few,
    [FILTERED],
    ["driftline", "apply", "--only", few[0]?.address ?? "", "--only", few[1]?.address ?? ""],
  ],
  ["nothing if they are many", ["a", "b", "c", "d", "e", "f"].map(insight), [FILTERED], undefined],
  ["nothing if one is an organization", [{ ...insight("a"), address: "acme" }], [FILTERED], undefined],
])("a drift suggests to restore %s", (_name, changes, diagnostics, expected) => {
  const steps = nextSteps(plan(changes, { type: "driftline.drift", diagnostics }), { color: false });
  expect(steps.find(({ command }) => command?.includes("apply"))?.command).toEqual(expected);
});
