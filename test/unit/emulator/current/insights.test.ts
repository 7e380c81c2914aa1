import { beforeEach, describe, expect, test } from "vitest";
import { idOf, ORG, rows, start, type Body, type Reply, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const I = "/api/projects/2/insights/";
const SERIES = [{ kind: "EventsNode", event: "view" }];
const VIEW = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: SERIES } };
const FUNNEL = { kind: "InsightVizNode", source: { kind: "FunnelsQuery", series: SERIES } };
const LEGACY =
  "Creating or updating insights with legacy filters is not available for this user. Send a query object instead. See https://posthog.com/docs/api/insights";
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({ dialect: "current" }));
});

const post = (body: object = {}): Promise<Reply> => send("POST", I, { query: VIEW, ...body });
const make = async (body: object = {}): Promise<string> => `${I}${idOf((await post(body)).json)}/`;
const shown = ({ status, json }: Reply): unknown[] => [status, json["code"], json["attr"]];
const names = (reply: Reply): unknown[] => rows(reply).map((row) => row["name"]);
const addAlert = (path: string): string => {
  const insight = Number(path.split("/").at(-2));
  return String(emulator.insert("alert", { project: 2 }, { insight, name: "Low" }).id);
};
const from = (client: string, method: string, path: string, body: object): Promise<Response> =>
  fetch(emulator.url + path, {
    method,
    headers: {
      authorization: `Bearer ${emulator.key}`,
      "content-type": "application/json",
      "x-posthog-client": client,
    },
    body: JSON.stringify(body),
  });

// A number in a test name is that of the fact about today's service.
describe("current: insights", () => {
  test.each([{}, { query: null }, { query: {} }])("204 a create with %o is refused", async (body) => {
    const refused = await send("POST", I, { name: "x", ...body });
    expect(shown(refused)).toEqual([400, "invalid_input", "query"]);
    expect(refused.json["detail"]).toMatch(/^Creating an insight needs a query\./);
  });

  test("205 a patch keeps the query if it sends none", async () => {
    const path = await make();
    for (const query of [null, {}]) {
      const refused = await send("PATCH", path, { query });
      expect([refused.status, refused.json["detail"]]).toEqual([
        400,
        expect.stringContaining("To keep the stored one"),
      ]);
    }
    expect((await send("PATCH", path, { name: "x" })).json["query"]).toEqual(VIEW);
    const old = emulator.insert("insight", { project: 2 }, { filters: { events: [] } });
    expect((await send("PATCH", I + String(old.id), { tags: ["a"] })).status).toBe(200);
  });

  test("206 filters without a query are refused, even empty ones, but not null", async () => {
    const path = await make();
    for (const filters of [{}, { insight: "TRENDS" }]) {
      const replies = [await send("POST", I, { filters }), await send("PATCH", path, { filters })];
      for (const reply of replies) {
        expect([...shown(reply), reply.json["detail"]]).toEqual([403, "permission_denied", null, LEGACY]);
      }
    }
    expect((await send("PATCH", path, { filters: null, name: "x" })).status).toBe(200);
  });

  test("207 filters beside a query are ignored, and not shown", async () => {
    const { status, json } = await post({ filters: { insight: "FUNNELS" } });
    expect([status, Object.keys(json).includes("filters")]).toEqual([201, false]);
    const old = emulator.insert("insight", { project: 2 }, { filters: { insight: "FUNNELS" } });
    expect((await send("GET", I + String(old.id))).json["query"]).toBeNull();
    emulator.setSwitches({ filters_shown: true });
    expect((await send("GET", I + String(old.id))).json["filters"]).toMatchObject({ insight: "FUNNELS" });
    expect((await send("GET", I + idOf(json))).json["filters"]).toEqual({});
  });

  test("208 a query is an object of a known kind", async () => {
    for (const query of ["SELECT 1", [1], 5]) {
      expect((await post({ query })).json["detail"]).toBe("Query must be a valid JSON object");
    }
    expect(shown(await post({ query: { kind: "Nope" } }))).toEqual([400, "parse_error", null]);
  });

  test.each(["FunnelsQuery", "StickinessQuery", "LifecycleQuery", "TrendsQuery"])(
    "209 a bare %s is wrapped",
    async (kind) => {
      const { json } = await post({ query: { kind, series: SERIES, aggregation_group_type_index: null } });
      expect(json["query"]).toMatchObject({
        kind: "InsightVizNode",
        source: { kind, series: SERIES, filterTestAccounts: false, properties: [] },
      });
      expect(Object.keys(json["query"]?.["source"] ?? {})).not.toContain("aggregation_group_type_index");
    },
  );

  test("209 SQL is wrapped in another node, and wrapped nodes are stored as sent", async () => {
    const sql = { kind: "HogQLQuery", query: "SELECT 1" };
    expect((await post({ query: sql })).json["query"]).toEqual({ kind: "DataVisualizationNode", source: sql });
    expect((await post({ query: VIEW })).json["query"]).toEqual(VIEW);
  });

  test("210 the rules of the runner refuse a query once they are switched on", async () => {
    const query = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [] } };
    expect((await post({ query })).status).toBe(201);
    emulator.setSwitches({ query_rules_enforced: true });
    expect(shown(await post({ query }))).toEqual([400, "insight_requires_at_least_one_series", "query"]);
  });

  test("211 every patch that does not mention saved sets it", async () => {
    const path = await make();
    const saved = async (body?: object): Promise<unknown> =>
      (await send(body === undefined ? "GET" : "PATCH", path, body)).json["saved"];
    expect(await saved()).toBe(false);
    expect(await saved({ name: "x", saved: false })).toBe(false);
    expect(await saved({ name: "y" })).toBe(true);
  });

  test("212 unknown dashboards are named together", async () => {
    const refused = await post({ dashboards: [1, 7, 8] });
    expect([...shown(refused), refused.json["detail"]]).toEqual([
      400,
      "invalid_input",
      "dashboards",
      "Dashboard not found: 7, 8",
    ]);
  });

  test("213 a full dashboard is 402, except for insights that are on it", async () => {
    emulator.setSwitches({ dashboard_limit: 1 });
    const path = await make({ dashboards: [1] });
    const refused = await post({ dashboards: [1] });
    expect([refused.status, refused.json["code"], refused.json["detail"]]).toEqual([
      402,
      "limit_exceeded",
      "Resource limit exceeded.",
    ]);
    expect(refused.json["extra"]).toEqual({ limit_key: "insights_per_dashboard", limit: 1, current: 1, request: 1 });
    expect((await send("PATCH", path, { dashboards: [1] })).status).toBe(200);
  });

  test("214 a removed tile stays as a deleted one, and dashboards may have to be asked for", async () => {
    const path = await make({ dashboards: [1, 2] });
    const { json } = await send("PATCH", path, { dashboards: [2] });
    expect([json["dashboards"], json["dashboard_tiles"]]).toEqual([
      [2],
      [
        expect.objectContaining({ dashboard_id: 2, deleted: false }),
        expect.objectContaining({ dashboard_id: 1, deleted: true }),
      ],
    ]);
    emulator.setSwitches({ dashboards_on_request: true });
    expect(Object.keys((await send("GET", path)).json)).not.toContain("dashboards");
    expect((await send("GET", `${path}?include_dashboards=true`)).json["dashboards"]).toEqual([2]);
    expect(rows(await send("GET", `${I}?basic=true`))[0]?.["dashboard_tiles"]).toHaveLength(2);
  });

  test("215 232 a deletion hides the tiles and destroys the alerts, and a restore brings back neither", async () => {
    const path = await make({ dashboards: [1] });
    addAlert(path);
    await send("PATCH", path, { deleted: true });
    const { status, json } = await send("PATCH", path, { deleted: false });
    expect([status, json["dashboards"], json["alerts"]]).toEqual([200, [], []]);
    expect(json["dashboard_tiles"]).toEqual([expect.objectContaining({ dashboard_id: 1, deleted: true })]);
    expect(emulator.find("alert")).toEqual([]);
  });

  test("215 a query that cannot have alerts destroys them, another that can keeps them", async () => {
    const path = await make();
    const alert = addAlert(path);
    await send("PATCH", path, { query: { kind: "HogQLQuery", query: "SELECT 1" } });
    expect(emulator.find("alert").map(({ id }) => id)).toEqual([alert]);
    await send("PATCH", path, { query: FUNNEL });
    expect(emulator.find("alert")).toEqual([]);
  });

  test("216 full answers list the alerts", async () => {
    const path = await make();
    const alert = addAlert(path);
    for (const row of [(await send("GET", path)).json, rows(await send("GET", I))[0]]) {
      expect(row?.["alerts"]).toEqual([expect.objectContaining({ id: alert, name: "Low" })]);
    }
    expect((await post({ query: FUNNEL })).json["alerts"]).toEqual([]);
  });

  test("217 218 full and basic answers have the fields of today", async () => {
    const full =
      "id short_id name derived_name query order deleted dashboards dashboard_tiles last_refresh cache_target_age next_allowed_client_refresh result hasMore columns created_at created_by description updated_at tags favorited saved last_modified_at last_modified_by is_sample effective_restriction_level effective_privilege_level user_access_level timezone is_cached query_status hogql types resolved_date_range alerts filter_override_context last_viewed_at search_match_type filters_hash";
    const basic =
      "id short_id name derived_name query dashboards dashboard_tiles description last_refresh refreshing saved tags updated_at created_by created_at last_modified_at favorited user_access_level last_viewed_at search_match_type";
    const path = await make({ _create_in_folder: "x" });
    const fields = async (at: string): Promise<string[]> => Object.keys((await send("GET", at)).json).toSorted();
    expect(await fields(path)).toEqual(full.split(" ").toSorted());
    expect(await fields(`${path}?basic=true`)).toEqual(basic.split(" ").toSorted());
  });

  test("219 221 a short id is an id, also of a deleted insight that is restored", async () => {
    const { json } = await post();
    const path = `${I}${String(json["short_id"])}/`;
    expect((await send("GET", path)).json["id"]).toBe(json["id"]);
    await send("PATCH", path, { deleted: true });
    expect((await send("GET", path)).status).toBe(404);
    expect((await send("PATCH", path, { name: "x" })).status).toBe(404);
    expect((await send("PATCH", path, { deleted: false })).status).toBe(200);
    expect((await send("DELETE", path)).status).toBe(405);
  });

  test("220 three parameters of the list are JSON arrays", async () => {
    const { json } = await post({ name: "a", dashboards: [1], tags: ["t"], favorited: true });
    await post({ name: "b", query: FUNNEL });
    const author = String(json["created_by"]?.["id"]);
    const by = async (query: string): Promise<unknown[]> => names(await send("GET", `${I}?order=id&${query}`));
    expect(await by(`created_by=[${author}]`)).toEqual(["a", "b"]);
    expect(await by("created_by=[999]")).toEqual([]);
    expect(await by("dashboards=[1,5]")).toEqual(["a"]);
    expect(await by('tags=["t"]')).toEqual(["a"]);
    expect(await by('events=["view"]')).toEqual(["a", "b"]);
    expect(await by("insight=FUNNELS")).toEqual(["b"]);
    expect(await by("favorited=true")).toEqual(["a"]);
    expect(await by("user=true")).toEqual(["a", "b"]);
    expect(await by("saved=true")).toEqual(["a"]);
    expect(await by("search=b")).toEqual(["b"]);
    expect(await by(`short_id=${String(json["short_id"])}`)).toEqual(["a"]);
    expect(await by("created_date_from=2100-01-01")).toEqual([]);
    expect(await by("date_to=2000-01-01")).toEqual([]);
    expect((await send("GET", `${I}?created_by=${author}`)).status).toBe(500);
    emulator.setSwitches({ bare_list_parameters_fail: false });
    expect((await send("GET", `${I}?created_by=${author}`)).status).toBe(200);
  });

  test("223 insights are viewed together", async () => {
    const { json } = await post({ name: "a" });
    const viewed = await send("POST", `${I}viewed/`, { insight_ids: [json["id"]] });
    expect([viewed.status, viewed.text]).toEqual([201, ""]);
    expect((await send("POST", `${I}viewed/`, { insight_ids: [] })).status).toBe(400);
    expect((await send("POST", `${I}${idOf(json)}/viewed/`, {})).status).toBe(404);
    const last = (await send("GET", `${I}my_last_viewed/`)).json as unknown as readonly Body[];
    expect(last.map((row) => row["name"])).toEqual(["a"]);
  });

  test("224 trends and funnels calculate until that is switched off; path and retention are gone", async () => {
    const body = { events: [{ id: "view" }, { id: "view" }] };
    expect((await send("POST", `${I}trend/`, body)).status).toBe(200);
    emulator.setSwitches({ old_calculations: false });
    for (const method of ["GET", "POST"]) {
      const refused = await send(method, `${I}funnel/`, method === "GET" ? undefined : body);
      expect([refused.status, refused.json["detail"]]).toEqual([
        403,
        "Legacy insight endpoints are not available for this user.",
      ]);
    }
    expect((await send("GET", `${I}path/`)).status).toBe(404);
  });

  test("225 the client mcp meets stricter checks", async () => {
    expect(await (await from("mcp", "POST", I, { name: "x" })).json()).toMatchObject({
      detail: "This field is required.",
    });
    const bad = await from("mcp", "POST", I, { query: { kind: "Nope" } });
    expect(await bad.json()).toMatchObject({
      attr: "query",
      detail: expect.stringMatching(/^This query can't be saved: /),
    });
    expect((await from("driftline", "POST", I, { query: VIEW })).status).toBe(201);
  });

  test("231 activity names the client, and insights without a name write none", async () => {
    await from("driftline", "POST", I, { query: VIEW, name: "a" });
    await post();
    const entries = rows(await send("GET", `${I}activity/`));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ client: "driftline", team_id: 2, organization_id: ORG, scope: "Insight" });
    const fields =
      "activity client created_at detail id ip_address is_system item_id organization_id scope team_id unread user was_impersonated";
    expect(Object.keys(entries[0] ?? {}).toSorted()).toEqual(fields.split(" "));
  });

  test("228 insights have the smaller budget", async () => {
    ({ send } = await start({ dialect: "current", rateLimits: { general: 2, insights: 1 } }));
    expect([(await send("GET", I)).status, (await send("GET", I)).status]).toEqual([200, 429]);
    expect((await send("GET", "/api/organizations/")).status).toBe(200);
  });

  test("229 a list has no largest page", async () => {
    await post();
    await post();
    expect(rows(await send("GET", `${I}?limit=100000`))).toHaveLength(2);
  });
});

describe("current: plugins", () => {
  const path = `/api/organizations/${ORG}/pipeline_destinations/`;

  test("137 201 they are as before, with one more field", async () => {
    const { status, json } = await send("POST", path, { name: "p", plugin_type: "source" });
    expect([status, json["hog_function_migration_available"]]).toEqual([201, false]);
    emulator.edit("organization", ORG, { plugins_access_level: 3 });
    const refused = await send("POST", path, { name: "q", plugin_type: "source" });
    expect(refused.json["detail"]).toBe("Your organization's plugin access level is insufficient.");
  });

  test("203 their routes can be gone", async () => {
    emulator.setSwitches({ plugins_gone: true });
    for (const group of ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"]) {
      const { status, json } = await send("GET", `/api/organizations/${ORG}/${group}/`);
      expect([status, json["detail"]]).toEqual([404, "Endpoint not found."]);
    }
  });
});
