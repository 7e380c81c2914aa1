/**
 * Declarations that move: to the file of another team, or to another name in the configuration. Neither is known to the
 * service, so nothing changes there.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { ACME, changeOf, seedOf, writes } from "../support/acme.ts";
import { type CliResult } from "../support/cli.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { placeOf, SECRETS } from "../support/interface/declare.ts";
import { allSpecimens } from "../support/interface/index.ts";
import { existsIn } from "../support/interface/specimen.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const env = { env: SECRETS };
const OLD = "old-owner/all.yaml";
const NEW = "new-owner/all.yaml";

/** Keys of a declaration, from the organization to the resource. */
type Place = readonly string[];

const lives = allSpecimens.flatMap(([kind, specimen]) =>
  specimen.scopes.map((scope) => ({ kind, specimen, scope, at: placeOf(specimen, scope, specimen.key) })),
);

/** A declaration at a place. The seeded organization and project are found by their ids. */
function declarationAt([organization = "", ...below]: Place, values: object): object {
  const [projects, project, ...inProject] = below;
  const nested = (keys: Place): object => keys.reduceRight<object>((inner, key) => ({ [key]: inner }), values);
  const pin = organization.startsWith("acme") ? { id: ACME } : {};
  const inner =
    projects === "projects" ? { projects: { [project ?? ""]: { id: "2", ...nested(inProject) } } } : nested(below);
  return { driftline: 1, organizations: { [organization]: { ...pin, ...inner } } };
}

async function prepareOwners({ folder }: Workspace): Promise<void> {
  for (const file of [OLD, NEW]) await mkdir(join(folder, file, ".."));
}

const planOwners = ({ run }: Workspace): Promise<CliResult> =>
  run(["plan", "--format", "json", "--detailed-exitcode", "."], env);

/** The only declaration, in the file of one of the owners. */
async function declare(space: Workspace, file: string, at: Place, values: object): Promise<void> {
  for (const owner of [OLD, NEW]) await rm(join(space.folder, owner), { force: true });
  await space.configure(stringify(declarationAt(at, values)), file);
}

/** Plans what is declared at a place, and expects that nothing differs and only GET is sent. */
async function expectUnchanged(space: Workspace, at: Place, id: string | null): Promise<void> {
  space.emulator.clearRequests();
  const result = await planOwners(space);
  expect(result.code, result.stdout).toBe(0);
  expect(changeOf(result, at.join("/"))).toMatchObject({ action: "no_op", id });
  expect((await space.run(["apply", "--yes", "."], env)).code).toBe(0);
  expect(writes(space)).toEqual([]);
}

const cases = ALL_DIALECTS.flatMap((dialect) =>
  lives
    .filter(({ scope, specimen }) =>
      dialect !== "current" ? existsIn(specimen, dialect, scope) : specimen.dialect === "current",
    )
    .map((life) => [life.at.join("/"), dialect, life] as const),
);

/** The places of a declaration after each of its own names is another one. An e-mail address is not a name of its own. */
function renamedPlaces(at: Place, isEmail: boolean): readonly Place[] {
  const rename = (...indexes: readonly number[]): Place =>
    at.map((key, index) => (indexes.includes(index) ? `${key}-renamed` : key));
  const names = at.flatMap((_key, index) => (index % 2 === 0 && !(isEmail && index === at.length - 1) ? [index] : []));
  return [...names.map((index) => rename(index)), rename(...names)];
}

it.each(cases)(
  "%s moves to another file and gets another name, and a %s server notices nothing",
  async (_name, dialect, life) => {
    const { specimen, at } = life;
    const space = await workspace({ dialect });
    await prepareOwners(space);
    const lifecycle = specimen.asksToCreate === true ? { lifecycle: { create: true } } : {};
    const values = { ...specimen.create, ...lifecycle };
    await declare(space, OLD, at, values);
    const made = await space.run(["apply", "--yes", "."], env);
    expect(made.code, made.stderr).toBe(0);
    const { id } = changeOf(await planOwners(space), at.join("/"));
    await declare(space, NEW, at, values);
    await expectUnchanged(space, at, id);
    for (const place of renamedPlaces(at, specimen.keyedByEmail === true)) {
      await declare(space, OLD, place, values);
      await expectUnchanged(space, place, id);
    }
  },
);

/** Kinds whose name can be changed on the service. */
const nameable = cases.filter(([, , { specimen }]) =>
  ["name", "domain"].some(
    (field) => specimen.fields[field] !== undefined && specimen.fields[field]?.fixed === undefined,
  ),
);

it.each(nameable)(
  "%s moves, and is renamed on a %s server in the same step",
  async (_name, dialect, { specimen, at }) => {
    const space = await workspace({ dialect });
    await prepareOwners(space);
    const { create, asksToCreate } = specimen;
    const field = create["name"] === undefined ? "domain" : "name";
    const founding = asksToCreate === true ? { create: true } : {};
    await declare(space, OLD, at, { ...create, lifecycle: founding });
    await space.run(["apply", "--yes", "."], env);
    const { id } = changeOf(await planOwners(space), at.join("/"));
    const next = { ...create, [field]: specimen.fields[field]?.next };
    const [moved = at] = renamedPlaces(at, false).toReversed();
    await declare(space, NEW, moved, { ...next, lifecycle: { renamed_from: create[field] } });
    expect(changeOf(await planOwners(space), moved.join("/"))).toMatchObject({ action: "update", id });
    space.emulator.clearRequests();
    expect((await space.run(["apply", "--yes", "."], env)).code).toBe(0);
    expect(writes(space).map((line) => line.split(" ")[0])).toEqual(["PATCH"]);
    // The former name may stay, and may go.
    await declare(space, OLD, moved, { ...next, lifecycle: { renamed_from: create[field] } });
    await expectUnchanged(space, moved, id);
    await declare(space, NEW, at, next);
    await expectUnchanged(space, at, id);
  },
);

describeDialects("what refers to a name", () => {
  const insights = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, { name }]));

  it("exclusive is kept by the organization's file, and nothing that moved is pruned", async () => {
    const space = await workspace({
      seed: seedOf({}, { insights: [{ name: "One" }, { name: "Two" }, { name: "Left" }] }),
    });
    await prepareOwners(space);
    const whole = { acme: { id: ACME, projects: { web: { id: "2", exclusive: ["insights"] } } } };
    await space.configure({ driftline: 1, organizations: whole }, "organization.yaml");
    const team = (names: readonly string[]): object => ({
      driftline: 1,
      organizations: { acme: { projects: { web: { insights: insights(names) } } } },
    });
    const deleted = async (): Promise<readonly string[]> => {
      const { changes } = await space.plan("--prune", ".");
      expect(changes.filter(({ action }) => action === "no_op")).toHaveLength(3);
      return changes.filter(({ action }) => action !== "no_op").map(({ action, name }) => `${action} ${name ?? ""}`);
    };
    await space.configure(team(["One", "Two"]), OLD);
    const before = await deleted();
    expect(before).toEqual(["delete Left"]);
    await space.configure(team(["One"]), OLD);
    await space.configure(team(["Two"]), NEW);
    expect(await deleted()).toEqual(before);
  });
});
