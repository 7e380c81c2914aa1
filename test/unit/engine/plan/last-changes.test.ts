import { describe, expect, it } from "vitest";
import { MAX_READS, withLastChanges } from "../../../../src/engine/plan/last-changes.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { untilKnown } from "../../../../src/world/until-known.ts";
import { apiError } from "../../apply/support.ts";
import { declare, live, plan } from "../../plan/world.ts";
import { type Answers, serviceOf } from "../world.ts";

const AT = "2026-03-02T12:00:00Z";
const LISTED = { last_modified_at: AT };
const ADA = { ...LISTED, last_modified_by: { email: "ada@acme.com" } };
const entry = (id: number, more: JsonObject = {}): JsonObject => ({
  item_id: String(id),
  created_at: AT,
  user: { email: "bob@acme.com" },
  client: "web",
  ...more,
});

interface Service {
  /** The answers of the log, and to a read by an id. */
  readonly log?: Answers[string];
  readonly read?: Answers[string] | undefined;
  readonly most?: number;
}

/** Who changed insights last: `listed` is what the list shows of them. */
async function changesOf(listed: readonly JsonObject[], { log = {}, read, most = MAX_READS }: Service = {}) {
  const rows = listed.map((row, id) => ({
    id,
    short_id: `short${String(id)}`,
    name: `i${String(id)}`,
    description: "b",
    ...row,
  }));
  const before = live({}, { "insights.list": rows });
  const resources = rows.map(({ name }) => declare(`acme/projects/web/insights/${name}`, { name, description: "a" }));
  const answers = { "insights.list_activity": log, ...(read === undefined ? {} : { "insights.get": read }) };
  const { client, asked } = serviceOf(answers);
  const made = plan(resources, before);
  const known = await untilKnown(client, worldOf(before), (world) => withLastChanges(world, made, most));
  const last = known.plan.changes.map(({ work }) => work?.live?.modified);
  return {
    people: last.map((one) => one?.by),
    clients: last.map((one) => one?.client),
    asked,
    said: known.diagnostics.map(({ code, message }) => `${code} ${/\d+/u.exec(message)?.[0] ?? ""}`),
  };
}

const many = (count: number): readonly JsonObject[] => Array.from({ length: count }, () => LISTED);

describe("who changed an object last", () => {
  it("is read of one page of the log for all of them, with the program", async () => {
    const results = Array.from({ length: MAX_READS + 2 }, (_, id) => entry(id));
    expect(await changesOf(many(MAX_READS + 2), { log: { results } })).toEqual({
      people: results.map(() => "bob@acme.com"),
      clients: results.map(() => "web"),
      asked: ["insights.list_activity"],
      said: [],
    });
  });

  it("is read by its id if neither the list nor the log has it", async () => {
    const log = { results: [entry(2)] };
    const { people, asked } = await changesOf([LISTED, ADA, LISTED], { log, read: ({ id = "" }) => ({ id, ...ADA }) });
    expect(people).toEqual(["ada@acme.com", "ada@acme.com", "bob@acme.com"]);
    expect(asked).toEqual(["insights.list_activity", "insights.get 0"]);
  });

  it.each<[string, Answers[string] | undefined]>([
    ["cannot be read", apiError("insights.get", {})],
    ["does not say it either", { id: 0 }],
  ])("stays unknown if the object %s", async (_name, read) => {
    expect((await changesOf([LISTED], { log: apiError("insights.list_activity", {}), read })).people).toEqual([null]);
  });

  it("is not read of thousands of objects one by one, and how many are left is said", async () => {
    const { asked, said } = await changesOf(many(MAX_READS + 2), { read: ADA });
    expect([asked.length, said]).toEqual([1 + MAX_READS, ["not_looked_up 2"]]);
  });

  it("is read of all of them if that was asked for", async () => {
    const { asked, said } = await changesOf(many(MAX_READS + 2), { read: ADA, most: Infinity });
    expect([asked.length, said]).toEqual([3 + MAX_READS, []]);
  });

  it.each<[string, JsonObject]>([
    ["the object is as declared", { ...LISTED, description: "a" }],
    ["the list does not even say when", {}],
  ])("is not asked for if %s", async (_name, row) => {
    expect((await changesOf([row], { read: ADA })).asked).toEqual([]);
  });

  it("is not asked for of a kind that has no such field", () => {
    const exported = { id: "b", name: "E", interval: "hour", last_updated_at: AT };
    const before = live({}, { "project_batch_exports.list": [exported] });
    const made = plan([declare("acme/projects/web/batch_exports/e", { name: "E", interval: "day" })], before);
    expect(made.changes[0]?.work?.live?.modified).toEqual({ at: AT, by: null });
    expect(withLastChanges(worldOf(before), made, MAX_READS)).toEqual({ plan: made, needs: [], diagnostics: [] });
  });
});

describe("an entry of the log", () => {
  const of = (...results: readonly JsonObject[]): JsonObject => ({ results });
  it.each<[name: string, log: JsonObject, client: string | undefined]>([
    ["counts as the newest", of(entry(0), entry(0, { client: "api" })), "web"],
    ["may be written some seconds before its object", of(entry(0, { created_at: "2026-03-02T11:59:50Z" })), "web"],
    ["is older than the change", of(entry(0, { created_at: "2026-03-02T11:59:49Z" })), undefined],
    ["is about something later", of(entry(0, { created_at: "2026-03-02T12:00:11Z" })), undefined],
    ["has no time", of(entry(0, { created_at: null })), undefined],
    ["is about another object", of(entry(1)), undefined],
    ["names no program", of(entry(0, { client: "" })), undefined],
    ["is no entry", { results: "none" }, undefined],
  ])("%s", async (_name, log, client) => {
    expect((await changesOf([ADA], { log })).clients).toEqual([client]);
  });

  it("counts if the object has no time", async () => {
    const row = { last_modified_by: { email: "ada@acme.com" } };
    const { people, clients } = await changesOf([row], { log: of(entry(0)) });
    expect([people, clients]).toEqual([["ada@acme.com"], ["web"]]);
  });
});
