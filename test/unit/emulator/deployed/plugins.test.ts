import { beforeEach, describe, expect, test } from "vitest";
import { FOREIGN, ORG, start, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const GROUPS = ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"];
const path = (group: string, id: unknown = ""): string => `/api/organizations/${ORG}/${group}/${String(id)}`;
const HERE = path("pipeline_destinations");
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({ dialect: "deployed", keys: [{ key: "k", scopes: ["*"] }] }));
});

const seenIn = async (id: unknown): Promise<string[]> => {
  const found: string[] = [];
  for (const group of GROUPS) if ((await send("GET", path(group, id))).status === 200) found.push(group);
  return found;
};

// A number in a test name is that of the observation of a real server which the test repeats.
describe("deployed: plugins", () => {
  test.each([
    ["without a url", { name: "p" }, 500],
    ["of an unknown type", { name: "p", plugin_type: "weird" }, 400],
    ["from source", { name: "p", plugin_type: "source" }, 201],
    ["from a url", { url: "https://x.example/p" }, 201],
  ])("91 create %s", async (_case, body, status) => {
    expect((await send("POST", HERE, body)).status).toBe(status);
  });

  test("a url is accepted by create only, shown without its token, and unique", async () => {
    const url = "https://x.example/p?private_token=secret";
    expect((await send("POST", HERE, { url })).json["url"]).toBe("https://x.example/p");
    expect((await send("POST", HERE, { url })).status).toBe(400);
  });

  test.each([
    [{ methods: ["onEvent"] }, "pipeline_destinations"],
    [{ methods: ["composeWebhook"] }, "pipeline_destinations"],
    [{}, "pipeline_frontend_apps"],
    [{ methods: [], scheduled_tasks: ["runEveryHour"] }, "pipeline_import_apps"],
    [{ methods: ["setupPlugin"] }, "pipeline_import_apps"],
  ])("92 a plugin with %j is only in %s", async (capabilities, group) => {
    const { json } = await send("POST", HERE, { name: "p", plugin_type: "source", capabilities });
    expect(await seenIn(json["id"])).toEqual([group]);
  });

  test("92 a patch of the capabilities moves a plugin to another group", async () => {
    const { json } = await send("POST", HERE, { plugin_type: "source", capabilities: { methods: ["onEvent"] } });
    await send("PATCH", path("pipeline_destinations", json["id"]), { capabilities: {} });
    expect(await seenIn(json["id"])).toEqual(["pipeline_frontend_apps"]);
  });

  test("93 a global plugin cannot be deleted, and an id that is not an integer is 500", async () => {
    const { id } = emulator.insert("pipeline_frontend_app", { organization: ORG }, { name: "p", is_global: true });
    const replies = [
      await send("DELETE", path("pipeline_frontend_apps", id)),
      await send("GET", path("pipeline_frontend_apps", "abc")),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([400, 500]);
  });

  test("93 below plugin level 6 every write is 403", async () => {
    emulator.edit("organization", ORG, { plugins_access_level: 3 });
    const replies = [await send("POST", HERE, { plugin_type: "source" }), await send("GET", HERE)];
    expect(replies.map((reply) => reply.status)).toEqual([403, 200]);
  });

  test.each([
    ["files", { "index.ts": "export {}", "plugin.json": "{}" }, 200],
    ["a list", [{ "index.ts": "x" }], 400],
    ["a text", "export {}", 400],
    ["a field of a plugin", { is_global: true }, 400],
    ["files under a key", { source: { "index.ts": "x" } }, 400],
  ])("107 update_source with %s", async (_case, body, status) => {
    const key = "unscoped";
    ({ emulator, send } = await start({ dialect: "deployed", keys: [{ key }] }));
    const { id } = emulator.insert("pipeline_frontend_app", { organization: ORG }, { name: "p" });
    const at = (name: string): string => path("pipeline_frontend_apps", `${String(id)}/${name}/`);
    expect((await send("PATCH", at("update_source"), body, key)).status).toBe(status);
    expect((await send("GET", at("source"), undefined, key)).json).toEqual(status === 200 ? body : {});
  });

  test("plugins of another organization are listed only if they are global", async () => {
    emulator.insert("pipeline_frontend_app", { organization: FOREIGN }, { name: "shared", is_global: true });
    emulator.insert("pipeline_frontend_app", { organization: FOREIGN }, { name: "theirs" });
    const { json } = await send("GET", path("pipeline_frontend_apps"));
    expect(json).toMatchObject({ count: 1, results: [{ name: "shared", organization_id: FOREIGN }] });
  });
});
