import { describe, expect, test } from "vitest";
import { ORG, rows, start } from "../harness.ts";

const path = (group: string, rest: string): string => `/api/organizations/${ORG}/${group}/${rest}/`;
const HERE = "pipeline_frontend_apps";

describe("document: the further operations of plugins", () => {
  test("update_source changes the plugin, and upgrade sets the latest version", async () => {
    const { emulator, send } = await start();
    const { id } = emulator.insert(
      "pipeline_frontend_app",
      { organization: ORG },
      { name: "p", tag: "1", latest_tag: "2" },
    );
    expect((await send("PATCH", path(HERE, `${id}/update_source`), { name: "q" })).json["name"]).toBe("q");
    expect((await send("POST", path(HERE, `${id}/upgrade`), {})).json["tag"]).toBe("2");
    expect((await send("GET", path(HERE, `${id}/check_for_updates`))).json["latest_tag"]).toBe("2");
  });

  test("an operation on many plugins shows the newest plugin, or an empty one if there is none", async () => {
    const { emulator, send } = await start();
    expect((await send("GET", path(HERE, "unused"))).json).toMatchObject({
      id: 0,
      name: null,
      organization_name: "Acme",
    });
    for (const name of ["a", "b"]) emulator.insert("pipeline_frontend_app", { organization: ORG }, { name });
    expect((await send("GET", path(HERE, "unused"))).json["name"]).toBe("b");
  });

  test("an id of another group is not found", async () => {
    const { emulator, send } = await start();
    const { id } = emulator.insert("pipeline_frontend_app", { organization: ORG }, { name: "p" });
    expect((await send("GET", path("pipeline_import_apps", `${id}/source`))).status).toBe(404);
  });
});

describe("deployed: the further operations of plugins", () => {
  test("source and update_source handle files, and null removes a file", async () => {
    const { send } = await start({ dialect: "deployed" });
    const { json } = await send("POST", path(HERE, "").replace(/\/$/, ""), { name: "p", plugin_type: "source" });
    const source = path(HERE, `${String(json["id"])}/source`);
    const update = source.replace("/source", "/update_source");
    expect((await send("GET", source)).json).toEqual({});
    await send("PATCH", update, { "a.ts": "1", "b.ts": "2" });
    expect((await send("PATCH", update, { "a.ts": null })).json).toEqual({ "b.ts": "2" });
    expect((await send("GET", source)).json).toEqual({ "b.ts": "2" });
    expect((await send("GET", source.replace("/source", ""))).json).not.toHaveProperty("source_files");
    expect((await send("PATCH", update, [])).status).toBe(400);
  });

  test("check_for_updates wraps a plugin with a url, and is 500 for a plugin without one", async () => {
    const { emulator, send } = await start({ dialect: "deployed" });
    const at = { organization: ORG };
    const from = emulator.insert("pipeline_frontend_app", at, { name: "p", url: "https://x.example/p" });
    const own = emulator.insert("pipeline_frontend_app", at, { name: "q" });
    expect((await send("GET", path(HERE, `${from.id}/check_for_updates`))).json["plugin"]?.["name"]).toBe("p");
    expect((await send("GET", path(HERE, `${own.id}/check_for_updates`))).status).toBe(500);
  });

  test("unused lists ids of all groups, and the two other lists are empty", async () => {
    const { emulator, send } = await start({ dialect: "deployed" });
    emulator.insert("pipeline_frontend_app", { organization: ORG }, { name: "a" });
    emulator.insert(
      "pipeline_destination",
      { organization: ORG },
      { name: "b", capabilities: { methods: ["onEvent"] } },
    );
    const texts = ["unused", "repository", "exports_unsubscribe_configs"].map(
      async (name) => (await send("GET", path(HERE, name))).text,
    );
    expect(await Promise.all(texts)).toEqual(["[1,2]", "[]", "[]"]);
  });

  test("activity lists installations and removals", async () => {
    const { send } = await start({ dialect: "deployed" });
    const { json } = await send("POST", `/api/organizations/${ORG}/${HERE}/`, { name: "p", plugin_type: "source" });
    await send("DELETE", path(HERE, String(json["id"])));
    const reply = await send("GET", path(HERE, "activity"));
    expect(rows(reply).map((row) => [row["activity"], row["scope"], row["detail"]?.["name"]])).toEqual([
      ["uninstalled", "Plugin", "p"],
      ["installed", "Plugin", "p"],
    ]);
  });
});

describe("projects", () => {
  test("GET /api/projects/ lists those of the caller's organizations", async () => {
    for (const dialect of ["document", "deployed"] as const) {
      const { send } = await start({ dialect, keys: [{ key: "k", scopes: ["project:read"] }] });
      const reply = await send("GET", "/api/projects/");
      expect(rows(reply).map((row) => [row["id"], row["name"]])).toEqual([
        [2, "Web"],
        [3, "App"],
      ]);
    }
  });

  test("a key can be limited to other organizations", async () => {
    const { send } = await start({ keys: [{ key: "k", organizations: [] }] });
    expect(rows(await send("GET", "/api/projects/"))).toEqual([]);
  });
});

describe("deployed: plan limits", () => {
  const features = (...keys: readonly string[]): object[] => keys.map((key) => ({ key, name: key }));

  test("another organization, provisioning and tags require their features", async () => {
    const { emulator, send } = await start({ dialect: "deployed", planLimits: true });
    const domain = emulator.insert("domain", { organization: ORG }, { domain: "a.example", is_verified: true });
    const one = `/api/organizations/${ORG}/domains/${domain.id}/`;
    const outcome = async (): Promise<unknown[]> => [
      (await send("PATCH", one, { jit_provisioning_enabled: true })).json["code"],
      (await send("POST", "/api/projects/2/insights/", { tags: ["t"] })).json["tags"],
      (await send("POST", "/api/organizations/", { name: "Second" })).status,
    ];
    expect(await outcome()).toEqual(["feature_not_available", [], 403]);
    const all = features("automatic_provisioning", "tagging", "organizations_projects");
    emulator.edit("organization", ORG, { available_product_features: all as never });
    expect(await outcome()).toEqual([undefined, ["t"], 201]);
  });
});
