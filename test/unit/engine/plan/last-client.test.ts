import { describe, expect, it } from "vitest";
import { withLastClients } from "../../../../src/engine/plan/last-client.ts";
import { MAX_READS } from "../../../../src/engine/plan/last-modified.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import { untilKnown } from "../../../../src/world/until-known.ts";
import { apiError } from "../../apply/support.ts";
import { declare, live, plan } from "../../plan/world.ts";
import { type Answers, serviceOf } from "../world.ts";

const AT = "2026-03-02T12:00:00Z";
const entry = (client: string | null, at = AT): JsonObject => ({ results: [{ client, created_at: at }] });

/** The clients in a plan of so many changed insights. */
async function clientsOf(count: number, activity: Answers[string], row: JsonObject = { last_modified_at: AT }) {
  const names = Array.from({ length: count }, (_, index) => `i${String(index)}`);
  const rows = names.map((name, id) => ({ id, short_id: `short${String(id)}`, name, description: "b", ...row }));
  const snapshot = live({}, { "insights.list": rows });
  const resources = names.map((name) => declare(`acme/projects/web/insights/${name}`, { name, description: "a" }));
  const { client, asked } = serviceOf({ "insights.activity": activity ?? {} });
  const made = plan(resources, snapshot);
  const { changes } = (await untilKnown(client, worldOf(snapshot), (world) => withLastClients(world, made))).plan;
  return { clients: changes.map(({ work }) => work?.live?.modified?.client), asked };
}

describe("the client of a last change", () => {
  it.each<[name: string, activity: JsonObject, client: string | undefined]>([
    [
      "is that of the newest entry",
      {
        results: [
          { client: "web", created_at: AT },
          { client: "api", created_at: AT },
        ],
      },
      "web",
    ],
    ["may be written some seconds before its object", entry("web", "2026-03-02T11:59:50Z"), "web"],
    ["is not that of an older entry", entry("web", "2026-03-02T11:59:49Z"), undefined],
    ["is unknown without a time", { results: [{ client: "web" }] }, undefined],
    ["is unknown if it has no name", entry(""), undefined],
    ["is unknown if the service does not say", entry(null), undefined],
    ["is unknown without any entry", { results: [] }, undefined],
  ])("%s", async (_name, activity, client) => {
    expect((await clientsOf(1, activity)).clients).toEqual([client]);
  });

  it("counts if the object has no time", async () => {
    const { clients } = await clientsOf(1, entry("web"), { last_modified_by: { email: "ada@acme.com" } });
    expect(clients).toEqual(["web"]);
  });

  it.each<[string, Answers[string]]>([
    ["refuses to show it", apiError("insights.activity", {})],
    ["names no clients", { results: [{ created_at: AT }] }],
    ["answers something else", { results: "none" }],
  ])("is asked for once if the service %s", async (_name, activity) => {
    expect(await clientsOf(3, activity)).toEqual({
      clients: [undefined, undefined, undefined],
      asked: ["insights.activity 0"],
    });
  });

  it("is asked for every object if the first one has no entry, but not for thousands", async () => {
    expect((await clientsOf(2, { results: [] })).asked).toHaveLength(2);
    expect((await clientsOf(MAX_READS + 2, entry("web"))).asked).toHaveLength(MAX_READS);
  });

  it("is not asked for if an object does not say when it was changed", async () => {
    expect((await clientsOf(1, entry("web"), {})).asked).toEqual([]);
  });

  it("is not asked for if nothing differs", async () => {
    expect((await clientsOf(1, entry("web"), { last_modified_at: AT, description: "a" })).asked).toEqual([]);
  });
});
