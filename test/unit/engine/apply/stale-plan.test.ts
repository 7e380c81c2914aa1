import { expect, it } from "vitest";
import { requireSameSource } from "../../../../src/engine/apply/stale-plan.ts";
import { EngineError } from "../../../../src/model/engine-error.ts";
import { plan } from "../../report/documents.ts";

/** What is said about a plan whose configuration changed, by the files of the configuration. */
function saidAbout(files: readonly string[]): readonly (readonly string[])[] {
  try {
    requireSameSource(plan([]), "plan.json", { configHash: "other", url: plan([]).url, files });
  } catch (error) {
    if (error instanceof EngineError) return error.diagnostics.map(({ code, message }) => [code, message]);
    throw error;
  }
  return [];
}

it.each([
  ["none", []],
  ["one", ["driftline.yaml"]],
  ["several, of which it is not known which changed", ["a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml"]],
])("a plan of another configuration is out of date: %s", (_name, files) => {
  expect(saidAbout(files)).toMatchSnapshot();
});
