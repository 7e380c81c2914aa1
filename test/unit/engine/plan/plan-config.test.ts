/** What earlier runs left, in the plan of a whole configuration. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenIntent } from "../../../../src/apply/journal/intents.ts";
import { formatRecord } from "../../../../src/apply/journal/records.ts";
import { planConfig } from "../../../../src/engine/plan/plan-config.ts";
import { stateFiles } from "../../../../src/engine/state/state-files.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { fakeClock, intentOf } from "../../apply/support.ts";
import { loadGood } from "../../config/helpers.ts";
import { inputOf, SERVICE, serviceOf, type Answers } from "../world.ts";

const ADDRESS = "acme/projects/web/batch_exports/e";
const file = (type: string): string =>
  `driftline: 1\norganizations: { acme: { name: Acme Inc, projects: { web: { id: "2", batch_exports: { e: { name: E, interval: hour, destination: { type: ${type}, config: { url: u } } } } } } } }\n`;
const row = (id: string, type: string): JsonObject => ({
  id,
  name: "E",
  interval: "hour",
  paused: false,
  destination: { type, config: { url: "u" } },
});

interface Left extends Partial<OpenIntent> {
  /** The object that the create made, if the journal says so. */
  readonly made?: string;
}

/** The change of the batch export, after an earlier run that left a create in its journal. */
async function changeAfter({ made, ...left }: Left, type: string, answers: Answers) {
  const input = inputOf(await loadGood(file(type)), serviceOf(answers));
  const common = { url: SERVICE, kind: "batch_export", scope: { project_id: "2" }, key: "E", at: fakeClock().now() };
  const intent = intentOf({ ...common, ...left });
  const { journal } = stateFiles(input.context.env, SERVICE);
  mkdirSync(dirname(journal), { recursive: true });
  const settled = made === undefined ? "" : formatRecord({ type: "settle", id: intent.id, made });
  writeFileSync(journal, formatRecord({ type: "begin", ...intent }) + settled);
  const { plan } = await planConfig(input);
  const { action, id } = plan.changes.find(({ address }) => address === ADDRESS) ?? {};
  return { action, id, unmanaged: plan.unmanaged.map((one) => one.id) };
}

describe("an object that the last run created, and that no list shows yet", () => {
  const answers = { "project_batch_exports.get": row("new", "HTTP") };
  const DAY = 24 * 60 * 60_000;

  it.each<[string, Left, string]>([
    ["is not created again", { made: "new" }, "no_op"],
    ["is created if it was made on another service", { made: "new", url: "https://other.example" }, "create"],
    ["is created if that was long ago", { made: "new", at: fakeClock().now() - DAY }, "create"],
  ])("%s", async (_name, left, action) => {
    expect((await changeAfter(left, "HTTP", answers)).action).toBe(action);
  });
});

describe("a replace that was interrupted between its create and its delete", () => {
  const both = { "project_batch_exports.list": [row("old", "NoOp"), row("new", "HTTP")] };
  const left = { replaces: "old", known: ["old"] };

  it("is planned as a replace of the old object, and the new one is not unmanaged", async () => {
    expect(await changeAfter(left, "HTTP", both)).toEqual({ action: "replace", id: "old", unmanaged: [] });
  });

  it("is finished if the old object is gone", async () => {
    const finished = { "project_batch_exports.list": [row("new", "HTTP")] };
    const long = { ...left, at: fakeClock().now() - 60 * 60_000 };
    expect(await changeAfter(long, "HTTP", finished)).toEqual({ action: "no_op", id: "new", unmanaged: [] });
    // Until then the new one may be that of another run, and the own one may still come.
    expect(await changeAfter(left, "HTTP", finished)).toEqual({ action: "create", id: null, unmanaged: [] });
  });

  it.each<[string, Left, string]>([
    ["is no longer wanted", left, "NoOp"],
    ["was made on another service", { ...left, url: "https://other.example" }, "HTTP"],
  ])("hides nothing if it %s", async (_name, given, type) => {
    expect(await changeAfter(given, type, both)).toMatchObject({ action: "unknown" });
  });
});

it("reads once what a check and the history of a drift ask for", async () => {
  const insights = `{ web: { id: "2", insights: { i: { name: I, lifecycle: { state: absent } } } } }`;
  const listed = { id: 7, short_id: "i7", name: "I", last_modified_at: "2026-01-01T00:00:00Z" };
  const service = serviceOf({ "insights.list": [listed], "insights.list_activity": { results: [] } });
  const config = await loadGood(`driftline: 1\norganizations: { acme: { name: Acme Inc, projects: ${insights} } }\n`);
  const { document } = await planConfig(inputOf(config, service), "drift");
  expect(document.changes.find(({ address }) => address.endsWith("/i"))?.action).toBe("delete");
  expect(service.asked.filter((one) => one.startsWith("insights.get"))).toEqual(["insights.get 7"]);
});
