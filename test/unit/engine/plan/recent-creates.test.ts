import { describe, expect, it } from "vitest";
import type { CreatedObject } from "../../../../src/apply/journal/recent-creates.ts";
import { withRecentCreates } from "../../../../src/engine/plan/recent-creates.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import { untilKnown } from "../../../../src/world/until-known.ts";
import { listKey, type LiveWorld } from "../../../../src/model/live.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { declare, live, plan } from "../../plan/world.ts";
import { type Answers, SERVICE, serviceOf } from "../world.ts";

const WEB = "acme/projects/web";
const A = declare(`${WEB}/insights/a`, { name: "A" });
const ROW = { id: 7, short_id: "abcdefgh", name: "A" };
const MADE: CreatedObject = {
  id: "intent",
  url: SERVICE,
  kind: "insight",
  scope: { project_id: "2" },
  key: "A",
  payload: "",
  at: 0,
  made: "7",
};

/** The ids of insights that the plan of a resource takes in, and what was read for that. */
async function takenIn(
  created: readonly CreatedObject[],
  { resource = A, answers = { "insights.get": ROW }, listed = live({}, { "insights.list": [] }) }: World = {},
) {
  const { changes } = plan([resource], listed);
  const { client, asked } = serviceOf(answers);
  const start = worldOf(listed);
  const { completed } = await untilKnown(client, start, (world) => {
    const made = withRecentCreates(SERVICE, world, changes, created);
    return { needs: made.needs, completed: made.world };
  });
  const lists = completed.lists === start.lists ? undefined : completed.lists;
  return { ids: lists?.get(listKey(WEB, "insight"))?.objects.map(({ id }) => id), asked };
}

interface World {
  readonly resource?: Resource;
  readonly answers?: Answers;
  readonly listed?: LiveWorld;
}

describe("an object that an earlier run created", () => {
  it("is read by its id and taken in if the list lacks it", async () => {
    expect(await takenIn([MADE])).toEqual({ ids: ["7"], asked: ["insights.get 7"] });
  });

  it("is taken in as well where it is declared absent", async () => {
    const absent = { ...A, lifecycle: { state: "absent" } as const };
    expect((await takenIn([MADE], { resource: absent })).ids).toEqual(["7"]);
  });

  it.each<[name: string, made: Partial<CreatedObject>, world?: World]>([
    ["was created on another service", { url: "https://other.example" }],
    ["is of another kind", { kind: "batch_export" }],
    ["is in another scope", { scope: { project_id: "3" } }],
    ["has another natural key", { key: "B" }],
    ["is in the list", {}, { listed: live({}, { "insights.list": [{ ...ROW, name: "Renamed" }] }) }],
    ["is found under its name", {}, { listed: live({}, { "insights.list": [{ ...ROW, id: 8 }] }) }],
  ])("is not even read if it %s", async (_name, made, world) => {
    expect(await takenIn([{ ...MADE, ...made }], world)).toEqual({ ids: undefined, asked: [] });
  });

  it.each<[string, Answers]>([
    ["is gone", {}],
    ["is deleted by now", { "insights.get": { ...ROW, deleted: true } }],
    ["cannot be told from another one", { "insights.get": { ...ROW, id: 9 } }],
  ])("stays out if it %s", async (_name, answers) => {
    expect(await takenIn([MADE], { answers })).toEqual({ ids: undefined, asked: ["insights.get 7"] });
  });

  it("stays out if its scope was not found, or if it is an organization", async () => {
    const listed = live({}, { "insights.list": [] });
    const scopes = new Map([...listed.scopes, [WEB, { status: "absent" } as const]]);
    expect((await takenIn([MADE], { listed: { ...listed, scopes } })).asked).toEqual([]);
    const organization = { ...MADE, kind: "organization", scope: {}, key: "Beta", made: "b" };
    const beta = declare("beta", { name: "Beta" }, { lifecycle: { create: true } });
    expect((await takenIn([organization], { resource: beta })).asked).toEqual([]);
  });
});
