import { describe, expect, it } from "vitest";
import { declareEdits, undeclaredObjects } from "../../../../src/engine/accept/import-undeclared.ts";
import { findImportable } from "../../../../src/engine/import/candidates.ts";
import { loadGood } from "../../config/helpers.ts";
import { inputOf, serviceOf } from "../world.ts";
import { driftOf } from "./support.ts";

const FILE = `driftline: 1
organizations:
  acme:
    name: Acme Inc
    exclusive: [domains]
    domains: { a: { domain: a.com } }
    projects: { web: { id: "2", exclusive: [insights], insights: { a: { id: 1 } } } }
`;
const ANSWERS = {
  "domains.list": [
    { id: "1", domain: "a.com" },
    { id: "7", domain: "b.com" },
  ],
  "insights.list": [
    { id: 1, short_id: "aaaaaaaa", name: "A" },
    { id: 7, short_id: "bbbbbbbb", name: "B" },
    { id: 8, short_id: "cccccccc", name: "C" },
  ],
};

/** The drift, and what an import finds beside it. */
async function stray() {
  const run = await driftOf(FILE, ANSWERS);
  const importable = await findImportable(inputOf(await loadGood(FILE), serviceOf(ANSWERS)), []);
  const changes = run.plan.changes.filter(({ work }) => work !== null && work.resource === undefined);
  return { run, importable, changes };
}

describe("an undeclared object of an exclusive kind", () => {
  it("is the importable one of its kind with its id", async () => {
    const { importable, changes } = await stray();
    expect(
      undeclaredObjects(changes, importable).map(({ change, candidate }) => [change.address, candidate.address]),
    ).toEqual([
      ["acme/domains/id=7", "acme/domains/b-com"],
      ["acme/projects/web/insights/id=7", "acme/projects/web/insights/b"],
      ["acme/projects/web/insights/id=8", "acme/projects/web/insights/c"],
    ]);
  });

  it("is left out if it cannot be imported", async () => {
    const { changes } = await stray();
    expect(undeclaredObjects(changes, { candidates: [] })).toEqual([]);
  });

  it("becomes an addition beside the others of its kind, under the address of the change", async () => {
    const { run, importable, changes } = await stray();
    const objects = undeclaredObjects(changes, importable).slice(1, 2);
    const edits = declareEdits(objects, importable, run.input.config);
    expect(edits).toMatchObject([
      {
        at: { file: "driftline.yaml", line: 7 },
        path: "/insights",
        value: { b: { id: 7 } },
        add: true,
        source: { type: "addition", address: "acme/projects/web/insights/id=7", added: "acme/projects/web/insights/b" },
      },
    ]);
    expect(edits[0]?.source.change).toBe(changes[1]);
  });
});
