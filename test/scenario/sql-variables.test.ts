/** A read by id shows today's SQL variables of a project, a list those that are stored. It is the same insight. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { applyJson, outcomeOf, planJson, web } from "../support/acme.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";
const OLD = "0190aa11-0000-4000-8000-000000000001";
const NEW = "0190aa11-0000-4000-8000-000000000002";
const variable = (id: string): JsonObject => ({ [id]: { variableId: id, code_name: "plan" } });
const query = (variables: JsonObject): JsonObject => ({
  kind: "DataVisualizationNode",
  source: { kind: "HogQLQuery", query: "select {variables.plan}", variables },
});

const EDITED: JsonObject = {
  kind: "DataVisualizationNode",
  source: { kind: "HogQLQuery", query: "select 1, {variables.plan}", variables: variable(OLD) },
};

async function declared(live: string | undefined, fields: object): Promise<Workspace> {
  const space = await workspace({ dialect: "deployed" });
  if (live !== undefined) space.emulator.editProject(2, { variables: [{ id: live, code_name: "plan" }] });
  space.emulator.insert("insight", { project: 2 }, { id: 5, name: "I", query: query(variable(OLD)) });
  await space.configure(web({ insights: { i: { name: "I", query: query(variable(OLD)), ...fields } } }));
  return space;
}

it.each([
  ["that exist", OLD],
  ["that were made anew", NEW],
  ["that are gone", undefined],
])("variables %s are no difference, and no change since the plan", async (_name, live) => {
  const space = await declared(live, {});
  expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
  await space.configure(web({ insights: { i: { name: "I", lifecycle: { state: "absent" } } } }));
  await space.apply();
  expect(space.emulator.find("insight")).toMatchObject([{ deleted: true }]);
});

it.each([
  ["that exist", OLD],
  ["that were made anew", NEW],
])("an insight with variables %s is changed and verified", async (_name, live) => {
  const space = await declared(live, { description: "New" });
  await space.apply();
  expect(space.emulator.find("insight")).toMatchObject([{ description: "New", query: query(variable(OLD)) }]);
  expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
});

it("a variable that the project does not have is named", async () => {
  const space = await declared(undefined, { description: "New", query: EDITED });
  const { status, error } = outcomeOf(await applyJson(space), ADDRESS);
  expect({ status, code: error?.code, paths: error?.paths }).toEqual({
    status: "unverified",
    code: "reference_missing",
    paths: [`/query/source/variables/${OLD}`],
  });
  expect([error?.message, error?.hint]).toMatchSnapshot();
  expect(space.emulator.find("insight")).toMatchObject([{ description: "New" }]);
  expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
});

it.each([
  ["that is gone", undefined, EDITED, [`query.source.variables.${OLD}`]],
  ["that is gone, in a bare query", undefined, EDITED["source"], [`query.variables.${OLD}`]],
  ["that exists", OLD, EDITED, []],
  ["that was made anew", NEW, EDITED, []],
  ["that is gone, of a query that is not written", undefined, query(variable(OLD)), []],
])("the plan says before it writes a query with a variable %s", async (name, live, written, paths) => {
  const space = await declared(live, { description: "New", query: written });
  space.emulator.clearRequests();
  const { diagnostics } = await space.plan();
  const said = diagnostics.filter(({ code }) => code === "reference_missing");
  expect(said).toHaveLength(paths.length);
  for (const path of paths) expect(said[0]?.message).toContain(path);
  const reads = space.emulator.requests.filter(({ path }) => path.endsWith("/insights/5/"));
  expect(reads).toHaveLength(name.endsWith("not written") ? 0 : 1);
});

it("a variable that the project does not have is no matter of a change that leaves the query alone", async () => {
  const space = await declared(undefined, { description: "New" });
  await space.apply();
  expect(space.emulator.find("insight")).toMatchObject([{ description: "New" }]);
});

it.each([
  ["is gone", undefined, 1],
  ["was made anew", NEW, 0],
])(
  "with --only and an id, a variable that %s is no difference, and said before it is written",
  async (_name, live, said) => {
    const space = await declared(live, { id: 5, description: "New" });
    const only = ["--only", ADDRESS];
    await space.apply(only);
    expect(space.emulator.find("insight")).toMatchObject([{ description: "New" }]);
    expect((await planJson(space, "--detailed-exitcode", ...only)).code).toBe(0);
    await space.configure(web({ insights: { i: { id: 5, query: EDITED } } }));
    const { changes, diagnostics } = await space.plan(...only);
    expect(changes.map(({ fields }) => fields.map(({ path }) => path))).toEqual([["/query/source/query"]]);
    expect(diagnostics.filter(({ code }) => code === "reference_missing")).toHaveLength(said);
  },
);

it("a variable of a bare query is named where it is declared", async () => {
  const space = await declared(undefined, { description: "New", query: EDITED["source"] });
  expect(outcomeOf(await applyJson(space), ADDRESS).error?.paths).toEqual([`/query/variables/${OLD}`]);
});

it("a change by somebody else is still one", async () => {
  const space = await declared(NEW, { description: "New" });
  expect((await space.run(["plan", "--out", "plan.json"])).code).toBe(0);
  space.emulator.edit("insight", 5, { query: query(variable(NEW)) });
  expect((await space.run(["apply", "--yes", "--plan", "plan.json"])).code).toBe(12);
  expect(space.emulator.find("insight")).not.toMatchObject([{ description: "New" }]);
});
