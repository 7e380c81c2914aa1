import { expect, it } from "vitest";
import { requireSameSource } from "../../../../src/engine/apply/stale-plan.ts";
import { EngineError } from "../../../../src/model/engine-error.ts";
import { plan } from "../../report/documents.ts";

/** What is said about a plan whose configuration changed, by the files of the configuration. */
function saidAbout(
  files: readonly string[],
  hashes: readonly (readonly [string, string])[] = [],
  before?: typeof hashes,
): readonly (readonly string[])[] {
  const source = { paths: ["."], variable_files: [], variables: [], profile: "posthog", url: null } as const;
  const known = before?.map(([file, hash]) => ({ file, hash }));
  const saved = plan([], { source: known === undefined ? source : { ...source, files: known } });
  try {
    requireSameSource(saved, "plan.json", { configHash: "other", url: saved.url, files, fileHashes: new Map(hashes) });
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

const A = ["a.yaml", "1"] as const;
const B = ["b.yaml", "2"] as const;
it.each<[string, files: readonly string[], now: readonly (readonly [string, string])[]]>([
  ["the text of one is another", ["a.yaml", "b.yaml"], [A, ["b.yaml", "3"]]],
  ["one is new", ["a.yaml", "b.yaml", "c.yaml"], [A, B, ["c.yaml", "4"]]],
  ["one is gone", ["a.yaml"], [A]],
  ["none, so a variable", ["a.yaml", "b.yaml"], [A, B]],
  ["none, so a program or a variable", ["a.yaml", "b.yaml", "c.ts"], [A, B]],
])("a plan names the files that changed: %s", (_name, files, now) => {
  expect(saidAbout(files, now, [A, B])).toMatchSnapshot();
});
