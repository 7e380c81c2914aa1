/** A declared query is compared whole: what somebody else adds to it is drift, unless the lifecycle leaves it to them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/emulator/json.ts";
import { NOOP, one, planJson, web } from "../support/acme.ts";
import { outcomesOf } from "../support/cli.ts";
import { hostileService } from "../support/hostile-service.ts";
import { changedAt, SQL, type Path } from "../support/queries.ts";
import { WAYS } from "../support/ways.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";
const BREAKDOWN = { breakdown: "plan", breakdown_type: "event" };
const QUERY = {
  kind: "InsightVizNode",
  source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "$pageview" }] },
};
const FILTERS = { insight: "TRENDS", events: [{ id: "$pageview" }] };

const declare = (space: Workspace, fields: object): Promise<void> =>
  space.configure(web({ insights: { i: { name: "I", ...fields } } }));

/** A workspace with a configuration that is applied already. */
async function applied(fields: JsonObject): Promise<Workspace> {
  const space = await workspace({ dialect: "deployed" });
  await declare(space, fields);
  await space.apply();
  return space;
}

/** Somebody else edits the insight in the web interface. */
function edit({ emulator }: Workspace, fields: JsonObject): void {
  emulator.edit("insight", Number(one(emulator.find("insight")).id), fields);
}

/** The part of a parsed file that these tests read. */
interface DeclaredInsight {
  readonly organizations: {
    readonly acme: { readonly projects: { readonly web: { readonly insights: { readonly i: unknown } } } };
  };
}

const added = (path: Path, value: JsonObject): JsonObject =>
  changedAt(QUERY, path, (old) => ({ ...(old as JsonObject), ...value })) as JsonObject;
const queryOf = ({ emulator }: Workspace): unknown => one(emulator.find("insight"))["query"];

describe.each(WAYS)("what somebody adds to a query, by $name", ({ plan, apply }) => {
  const drifted = async (space: Workspace) =>
    (await plan(space, "driftline.drift")).changes.find(({ address }) => address === ADDRESS);

  it.each<[string, Path, JsonObject, string]>([
    ["beside the node inside", [], { full: true }, "/query/full"],
    ["a breakdown", ["source"], { breakdownFilter: BREAKDOWN }, "/query/source/breakdownFilter"],
    ["sampling", ["source"], { samplingFactor: 0.1 }, "/query/source/samplingFactor"],
    ["without test accounts", ["source"], { filterTestAccounts: true }, "/query/source/filterTestAccounts"],
    ["math of an event", ["source", "series", 0], { math: "dau" }, "/query/source/series/0/math"],
  ])("is drift, which apply removes: %s", async (_name, at, value, path) => {
    const space = await applied({ query: QUERY });
    edit(space, { query: added(at, value) });
    expect(await drifted(space)).toMatchObject({ action: "update", fields: [{ path }] });
    await apply(space);
    expect(queryOf(space)).toEqual(QUERY);
    expect(await drifted(space)).toMatchObject({ action: "no_op" });
  });

  it("is drift in a node that took the place of filters", async () => {
    const space = await applied({ filters: FILTERS });
    edit(space, { filters: {}, query: SQL });
    expect(await drifted(space)).toMatchObject({ action: "update", blocked: { rule: "edited_as_query" } });
  });

  it("is left alone where lifecycle.ignore says so, and nowhere else", async () => {
    const ignore = ["/query/source/breakdownFilter", "/query/source/series/*/math"];
    const space = await applied({ query: QUERY, lifecycle: { ignore } });
    const theirs = changedAt(added(["source"], { breakdownFilter: BREAKDOWN }), ["source", "series", 0], (old) => ({
      ...(old as JsonObject),
      math: "dau",
    })) as JsonObject;
    edit(space, { query: theirs });
    expect(await drifted(space)).toMatchObject({ action: "no_op" });
    edit(space, { query: changedAt(theirs, ["source"], (old) => ({ ...(old as JsonObject), samplingFactor: 0.1 })) });
    expect(await drifted(space)).toMatchObject({
      action: "update",
      fields: [{ path: "/query/source/samplingFactor" }],
    });
    await apply(space);
    expect(queryOf(space)).toEqual(theirs);
  });

  it("is left alone anywhere in a query that is partial", async () => {
    const space = await applied({ query: QUERY, lifecycle: { partial: ["query"] } });
    const theirs = added(["source"], { breakdownFilter: BREAKDOWN });
    edit(space, { query: theirs });
    const drift = await drifted(space);
    expect([drift?.action, drift?.more]).toEqual(["no_op", undefined]);
    await declare(space, { query: QUERY, description: "New", lifecycle: { partial: ["query"] } });
    await apply(space);
    expect(one(space.emulator.find("insight"))).toMatchObject({ description: "New", query: theirs });
  });
});

it("more keys of filters are no drift, but noted; a setting that no file may declare is not", async () => {
  const space = await workspace({ dialect: "deployed" });
  const nightly = { name: "Nightly", interval: "day", destination: NOOP };
  await space.configure(web({ insights: { i: { name: "I", filters: FILTERS } }, batch_exports: { nightly } }));
  await space.apply();
  edit(space, { filters: { ...FILTERS, interval: "week" } });
  const { id } = one(space.emulator.find("batch_export"));
  space.emulator.edit("batch_export", String(id), { destination: { ...NOOP, config: { note: "mine" } } });
  const { code, document } = await space.drift();
  expect([code, document.changes.flatMap(({ more = [] }) => more)]).toEqual([0, ["/filters/interval"]]);
  const { stdout } = await space.run(["drift", "--verbose"]);
  expect(stdout).toContain(`${ADDRESS}  filters.interval`);
  expect((await space.run(["drift", "--format", "html"])).stdout).toContain("filters.interval");
});

describe("what the service itself adds to a query", () => {
  /** A workspace whose service shows more in every node of a kind; a sampling factor by default. */
  async function adding(kind = "TrendsQuery", more = '"samplingFactor":0.1'): Promise<Workspace> {
    const space = await workspace({ dialect: "deployed" });
    const rewrite = (text: string): string => text.replaceAll(`"kind":"${kind}"`, `"kind":"${kind}",${more}`);
    const { url } = await hostileService(space.emulator.url, ({ path }) =>
      path.includes("/insights") ? { rewrite } : undefined,
    );
    const run: Workspace["run"] = (args, options = {}) =>
      space.run(args, { ...options, env: { ...options.env, DRIFTLINE_URL: url } });
    return { ...space, run };
  }

  /** The insight as the file declares it. */
  async function insightIn({ folder }: Workspace): Promise<unknown> {
    const config = parse(await readFile(join(folder, "driftline.yaml"), "utf8")) as DeclaredInsight;
    return config.organizations.acme.projects.web.insights.i;
  }

  it("is listed by the outcome, with the line that settles it", async () => {
    const space = await adding();
    await declare(space, { query: QUERY });
    const result = await space.run(["apply", "--yes", "--format", "json"]);
    const { error } = outcomesOf(result).changes.find(({ address }) => address === ADDRESS) ?? {};
    expect([result.code, error]).toMatchObject([
      14,
      { code: "added_by_service", paths: ["/query/source/samplingFactor"] },
    ]);
    const [, line = ""] = /lifecycle: \{ ignore: (\[.*?\]) \}/.exec(error?.hint ?? "") ?? [];
    expect((await planJson(space, "--detailed-exitcode")).code).toBe(2);
    await declare(space, { query: QUERY, lifecycle: { ignore: JSON.parse(line) as unknown } });
    expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
  });

  it("is declared by drift --accept, like what anybody else adds", async () => {
    const space = await adding();
    await declare(space, { query: QUERY });
    expect((await space.run(["apply", "--yes"])).code).toBe(14);
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
    expect(await insightIn(space)).toEqual({ name: "I", query: added(["source"], { samplingFactor: 0.1 }) });
    expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
  });

  it("is compared if it was declared meanwhile, as drift --accept writes it", async () => {
    const space = await adding();
    await declare(space, { query: QUERY });
    expect((await space.run(["apply", "--yes"])).code).toBe(14);
    await declare(space, { query: added(["source"], { samplingFactor: 1 }) });
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
    expect(await insightIn(space)).toEqual({ name: "I", query: added(["source"], { samplingFactor: 0.1 }) });
  });
});
