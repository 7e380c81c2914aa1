import { describe, expect, test } from "vitest";
import { ORG, start } from "../harness.ts";

const GROUPS = ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"];
const path = (group: string, id: unknown = ""): string => `/api/organizations/${ORG}/${group}/${String(id)}`;

describe.each(GROUPS)("%s", (group) => {
  test("create returns an integer id and the fields and defaults of the document", async () => {
    const { send } = await start();
    const reply = await send("POST", path(group), { name: "P", plugin_type: "custom", url: "https://x.example" });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.any(Number),
      plugin_type: "custom",
      name: "P",
      description: null,
      url: null,
      icon: null,
      config_schema: {},
      tag: null,
      latest_tag: null,
      is_global: false,
      organization_id: ORG,
      organization_name: "Acme",
      capabilities: {},
      metrics: {},
      public_jobs: {},
    });
  });

  test("a plugin is visible only in its group, for any capabilities", async () => {
    const { send } = await start();
    const { json } = await send("POST", path(group), { name: "P", capabilities: { methods: ["onEvent"] } });
    const seen = GROUPS.map(async (other) => (await send("GET", path(other, json["id"]))).status);
    expect(await Promise.all(seen)).toEqual(GROUPS.map((other) => (other === group ? 200 : 404)));
  });

  test("a patch replaces a whole free-form value", async () => {
    const { send } = await start();
    const { json } = await send("POST", path(group), { name: "P", config_schema: { a: { type: "string" } } });
    const reply = await send("PATCH", path(group, json["id"]), { config_schema: { b: 1 } });
    expect([reply.status, reply.json["config_schema"], reply.json["name"]]).toEqual([200, { b: 1 }, "P"]);
  });
});

test("the three groups share one sequence of ids", async () => {
  const { send } = await start();
  const made = [];
  for (const group of GROUPS) made.push((await send("POST", path(group), {})).json["id"]);
  expect(made).toEqual([1, 2, 3]);
});
