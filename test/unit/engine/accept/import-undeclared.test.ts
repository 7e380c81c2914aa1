import { describe, expect, it } from "vitest";
import {
  declareObjects,
  importableChanges,
  type UndeclaredObject,
} from "../../../../src/engine/accept/import-undeclared.ts";
import { Acceptance } from "../../../../src/engine/accept/acceptance.ts";
import { findImportable } from "../../../../src/engine/import/candidates.ts";
import { loadGood } from "../../config/helpers.ts";
import { ACME } from "../../plan/world.ts";
import { type Answers, inputOf, serviceOf } from "../world.ts";
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
async function stray(files: Parameters<typeof driftOf>[0] = FILE, answers: Answers = ANSWERS) {
  const run = await driftOf(files, answers);
  const importable = await findImportable(inputOf(await loadGood(files), serviceOf(answers)), []);
  const changes = run.plan.changes.filter(({ work }) => work !== null && work.resource === undefined);
  return { run, importable, changes };
}

/** What accepts an object. */
function additionOf(object: UndeclaredObject | undefined): object {
  const { change, candidate } = object ?? {};
  return { type: "addition", address: change?.address, change, added: candidate?.address };
}

describe("an undeclared object of an exclusive kind", () => {
  it("is the importable one of its kind with its id", async () => {
    const { importable, changes } = await stray();
    expect(
      importableChanges(changes, importable).map(({ change, candidate }) => [change.address, candidate.address]),
    ).toEqual([
      ["acme/domains/id=7", "acme/domains/b-com"],
      ["acme/projects/web/insights/id=7", "acme/projects/web/insights/b"],
      ["acme/projects/web/insights/id=8", "acme/projects/web/insights/c"],
    ]);
  });

  it.each(["members", "memberships"])(
    "is that of its own organization, if a person of %s is in several",
    async (kind) => {
      const files = `driftline: 1
organizations:
  acme: { name: Acme Inc, exclusive: [${kind}] }
  beta: { name: Beta Inc, exclusive: [${kind}] }
`;
      const organization = (id: string, name: string) => ({ ...ACME, id, name, teams: [] });
      const person = { id: "m", level: 1, user: { uuid: "u", email: "bob@acme.com" } };
      const answers = {
        "organizations.list": [organization("a", "Acme Inc"), organization("b", "Beta Inc")],
        "members.list": [person],
        "invites.list": [],
      };
      const { importable, changes } = await stray(files, answers);
      expect(
        importableChanges(changes, importable).map(({ change, candidate }) => [change.address, candidate.address]),
      ).toEqual(["acme", "beta"].map((scope) => [`${scope}/${kind}/id=u`, `${scope}/memberships/bob@acme.com`]));
    },
  );

  it("is left out if it cannot be imported", async () => {
    const { changes } = await stray();
    expect(importableChanges(changes, { candidates: [] })).toEqual([]);
  });

  it("becomes an addition beside the others of its kind, under the address of the change", async () => {
    const { run, importable, changes } = await stray();
    const objects = importableChanges(changes, importable).slice(1, 2);
    const where = { cwd: run.input.config.root, folders: [], schema: () => undefined };
    const { edits, newFiles } = declareObjects(objects, importable, run.input.config, where);
    expect(newFiles).toEqual([]);
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

  it("is in a new file if that is where an import writes it, and then no longer refused", async () => {
    const split = (name: string): string =>
      `driftline: 1\norganizations: { acme: { projects: { web: { insights: { ${name}: { id: 1 } } } } } }\n`;
    const files = {
      "acme.yaml": FILE.replace(", insights: { a: { id: 1 } }", ""),
      "web/insights/a.yaml": split("a"),
      "web/insights/d.yaml": split("d").replace("1 }", "2 }"),
    };
    const answers = { ...ANSWERS, "insights.list": [...ANSWERS["insights.list"], { id: 2, short_id: "d", name: "D" }] };
    const { run, importable, changes } = await stray(files, answers);
    const objects = importableChanges(changes, importable).slice(1);
    const { root } = run.input.config;
    const where = { cwd: root, folders: [root], schema: () => undefined };
    const added = declareObjects(objects, importable, run.input.config, where);
    const acceptance = await Acceptance.prepare(run, root, { only: ["acme/projects/web"], added });
    expect(
      acceptance.files.map(({ file, textWith, edits }) => [
        file,
        textWith !== undefined,
        edits.map(({ source }) => source),
      ]),
    ).toEqual([
      ["web/insights/b.yaml", true, [additionOf(objects[0])]],
      ["web/insights/c.yaml", true, [additionOf(objects[1])]],
    ]);
    expect(acceptance.diagnostics).toEqual([]);
    expect(acceptance.remainingAfter(acceptance.files.slice(1)).map(({ address }) => address)).toEqual(
      expect.arrayContaining([changes[1]?.address]),
    );
    expect(acceptance.remainingAfter(acceptance.files)).not.toContain(changes[1]);
  });
});
