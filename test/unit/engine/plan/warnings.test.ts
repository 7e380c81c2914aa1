import { describe, expect, it } from "vitest";
import {
  configDiagnostics,
  failingRouteWarnings,
  nothingDeclared,
  selectWarnings,
} from "../../../../src/engine/plan/warnings.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import { load } from "../../config/helpers.ts";
import { declare, graphOf, live, plan } from "../../plan/world.ts";

const at = (address: string | undefined, severity: Diagnostic["severity"] = "warning"): Diagnostic => ({
  severity,
  code: `${severity} ${address ?? "everywhere"}`,
  message: "",
  address,
});
const codesOf = (diagnostics: readonly Diagnostic[]): readonly string[] => diagnostics.map(({ code }) => code);

describe("a warning about a declared field", () => {
  const field = (when: "if_written" | "if_created" | "never") => ({
    diagnostic: at("acme/projects/web/insights/a"),
    field: "description",
    shown: { plan: when, validate: true },
  });
  const resource = declare("acme/projects/web/insights/a", { name: "A", description: "a" });
  const row = (description: string) =>
    live({}, { "insights.list": [{ id: 1, short_id: "aaaaaaaa", name: "A", description }] });
  const NOTHING = live({}, { "insights.list": [] });

  it.each([
    ["the field is created", "if_written", NOTHING, 1],
    ["the field is changed", "if_written", row("b"), 1],
    ["the field is live already", "if_written", row("a"), 0],
    ["the object is created", "if_created", NOTHING, 1],
    ["the object is only changed", "if_created", row("b"), 0],
    ["it is only for validate", "never", NOTHING, 0],
  ] as const)("if %s: %s", (_name, when, world, count) => {
    const { changes } = plan([resource], world);
    expect(configDiagnostics({ diagnostics: [], fieldWarnings: [field(when)] }, changes, [])).toHaveLength(count);
  });

  it("is left out if another field is written", () => {
    const { changes } = plan([resource], row("b"));
    const other = { ...field("if_written"), field: "tags" };
    expect(configDiagnostics({ diagnostics: [], fieldWarnings: [other] }, changes, [])).toEqual([]);
  });

  it("is left out if its resource is not selected", () => {
    const { changes } = plan([resource], NOTHING);
    const config = { diagnostics: [], fieldWarnings: [field("if_written")] };
    expect(configDiagnostics(config, changes, ["acme/domains"])).toEqual([]);
  });
});

describe("of the diagnostics of a limited plan", () => {
  const all = [
    at("acme"),
    at("acme/projects/web/insights/a"),
    at("acme/projects/web/insights/b"),
    at("beta"),
    at("beta", "error"),
    at(undefined),
  ];
  const only = ["acme/projects/web/insights/a"];
  const kept = ["warning acme/projects/web/insights/a", "error beta", "warning everywhere"];

  it("those of the files are kept that are errors, general, or about what is selected", () => {
    expect(codesOf(configDiagnostics({ diagnostics: all, fieldWarnings: [] }, [], only))).toEqual(kept);
  });

  it("those of the service are kept as well if they are about the scopes around it", () => {
    expect(codesOf(selectWarnings(all, only))).toEqual(["warning acme", ...kept]);
    expect(selectWarnings(all, [])).toEqual(all);
  });
});

it("files that declare nothing are warned of", async () => {
  expect(codesOf(nothingDeclared(await load("driftline: 1\n")))).toEqual(["nothing_declared"]);
  expect(nothingDeclared(await load("driftline: 1\norganizations: { acme: { name: A } }\n"))).toEqual([]);
});

describe("a route that always fails", () => {
  const outer = declare("acme/batch_exports/e", { name: "E", interval: "hour" });
  const inner = declare("acme/projects/web/batch_exports/e", { name: "E", interval: "hour" });
  const row = { id: "b", name: "E", interval: "hour" };

  it.each([
    ["is warned of", outer, "posthog", undefined, 1],
    ["is not one in a project", inner, "posthog", undefined, 0],
    ["is not one by the interface document", outer, "document", undefined, 0],
    ["does not matter for what is to go", { ...outer, lifecycle: { state: "absent" } }, "posthog", undefined, 0],
    [
      "does not matter if nothing differs",
      outer,
      "posthog",
      plan([outer], live({ "batch_exports.list": [row] })).changes,
      0,
    ],
    ["matters for a create", outer, "posthog", plan([outer], live({ "batch_exports.list": [] })).changes, 1],
    ["does not matter if it is not planned", outer, "posthog", [], 0],
  ] as const)("%s", (_name, resource, profile, changes, count) => {
    const found = failingRouteWarnings(graphOf([resource]), profile, changes);
    expect(codesOf(found)).toEqual(Array<string>(count).fill("route_fails"));
  });
});
