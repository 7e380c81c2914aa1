import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import type { InputProblem } from "../../../../src/api/typed/validate-input.ts";
import { systemClock } from "../../../../src/api/limits/clock.ts";
import { createClient } from "../../../../src/api/client.ts";
import { operations, type OperationName } from "../../../../src/api/operations/index.ts";
import { createRedactor } from "../../../../src/api/redact/redact.ts";
import { createTypedClient, type TypedClient } from "../../../../src/api/typed/client.ts";
import type {
  BatchExport,
  Domain,
  FunnelStep,
  Insight,
  PageOf,
  TrendSeries,
} from "../../../../src/api/typed/response-types.ts";
import { startEmulator, type Dialect, type Emulator, type LoggedRequest } from "../../../../src/emulator/index.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { connect, failureOf, json, serve } from "../support.ts";

const ORG = "0190aa11-0000-4000-8000-00000000000a";
const project_id = "2";
const organization_id = ORG;
const NOOP = { type: "NoOp" as const, config: {} };
const PLUGIN = { name: "Sink", plugin_type: "source" as const };
const SERIES = {
  body: { events: [{ id: "signed up" }, { id: "paid" }], date_from: "2024-01-01", date_to: "2024-01-02" },
};

const SEED = {
  organizations: [
    {
      id: ORG,
      name: "Acme Inc",
      projects: [
        {
          id: 2,
          name: "Web",
          insights: [{ name: "Signups" }],
          batch_exports: [{ name: "Of the project", interval: "hour", destination: NOOP }],
        },
      ],
      members: [{ email: "ada@acme.com", level: 1 }],
      domains: [{ domain: "acme.com" }],
      invites: [{ target_email: "bob@acme.com" }],
      batch_exports: [{ name: "Nightly", interval: "day", destination: NOOP }],
      pipeline_destinations: [PLUGIN],
      pipeline_frontend_apps: [{ ...PLUGIN, name: "Banner" }],
      pipeline_import_apps: [{ ...PLUGIN, name: "Import" }],
    },
  ],
};

interface World {
  readonly emulator: Emulator;
  readonly api: TypedClient;
  readonly idOf: (kind: Parameters<Emulator["find"]>[0]) => string;
}

/** A service with one object of every kind, and a client that sends only documented parameters. */
async function world(dialect: Dialect = "document"): Promise<World> {
  const emulator = await startEmulator({ seed: SEED, dialect });
  const client = createClient({
    url: emulator.url,
    key: emulator.key,
    mode: "write",
    profile: "document",
    clock: systemClock,
    redactor: createRedactor(),
  });
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  return { emulator, api: createTypedClient(client), idOf: (kind) => String(emulator.find(kind)[0]?.id) };
}

type Send = (world: World) => Promise<unknown>;

/** Each operation, called as in a program. */
const CALLS: Record<string, Send> = {
  "organizations.list": ({ api }) => api.call("organizations.list", { limit: 5, offset: 0 }),
  "organizations.create": ({ api }) => api.call("organizations.create", { body: { name: "New", enforce_2fa: true } }),
  "organizations.get": ({ api }) => api.call("organizations.get", { id: ORG }),
  "organizations.update": ({ api }) => api.call("organizations.update", { id: ORG, body: { enforce_2fa: null } }),
  "organizations.delete": ({ api }) => api.call("organizations.delete", { id: ORG }),
  "domains.list": ({ api }) => api.call("domains.list", { organization_id }),
  "domains.create": ({ api }) => api.call("domains.create", { organization_id, body: { domain: "acme.org" } }),
  "domains.get": ({ api, idOf }) => api.call("domains.get", { organization_id, id: idOf("domain") }),
  "domains.update": ({ api, idOf }) =>
    api.call("domains.update", { organization_id, id: idOf("domain"), body: { saml_entity_id: "x" } }),
  "domains.delete": ({ api, idOf }) => api.call("domains.delete", { organization_id, id: idOf("domain") }),
  "domains.verify": ({ api, idOf }) => api.call("domains.verify", { organization_id, id: idOf("domain"), body: {} }),
  "identity_provider_configs.list": ({ api }) => api.call("identity_provider_configs.list", { organization_id }),
  "identity_provider_configs.create": ({ api }) =>
    api.call("identity_provider_configs.create", { organization_id, body: { name: "Okta", scim_enabled: true } }),
  "identity_provider_configs.get": (w) => w.api.call("identity_provider_configs.get", configOf(w)),
  "identity_provider_configs.update": (w) =>
    w.api.call("identity_provider_configs.update", { ...configOf(w), body: { saml_entity_id: null } }),
  "identity_provider_configs.delete": (w) => w.api.call("identity_provider_configs.delete", configOf(w)),
  "invites.list": ({ api }) => api.call("invites.list", { organization_id }),
  "invites.create": ({ api }) =>
    api.call("invites.create", { organization_id, body: { target_email: "eve@acme.com", level: 8 } }),
  "invites.delete": ({ api, idOf }) => api.call("invites.delete", { organization_id, id: idOf("invite") }),
  "invites.bulk": ({ api }) => api.call("invites.bulk", { organization_id, body: { target_email: "eve@acme.com" } }),
  "members.list": ({ api }) => api.call("members.list", { organization_id }),
  "members.update": async ({ api }) =>
    api.call("members.update", { organization_id, user__uuid: await ada(api), body: { level: 8 } }),
  "members.delete": async ({ api }) => api.call("members.delete", { organization_id, user__uuid: await ada(api) }),
  ...batchExports("batch_exports", { organization_id }, 0),
  ...batchExports("project_batch_exports" as "batch_exports", { project_id }, 1),
  "project_batch_exports.backfills": (w) => w.api.call("project_batch_exports.backfills", exportOf(w)),
  "project_batch_exports.create_backfill": (w) =>
    w.api.call("project_batch_exports.create_backfill", { ...exportOf(w), body: { start_at: "2024-01-01T00:00:00Z" } }),
  "project_batch_exports.runs": (w) =>
    w.api.call("project_batch_exports.runs", { ...exportOf(w), after: "2024-01-01" }),
  "project_batch_exports.retry_run": (w) => w.api.call("project_batch_exports.retry_run", { ...runOf(w), body: {} }),
  "project_batch_exports.cancel_run": (w) => w.api.call("project_batch_exports.cancel_run", { ...runOf(w), body: {} }),
  ...plugins("pipeline_destinations", "pipeline_destination"),
  ...plugins("pipeline_frontend_apps" as "pipeline_destinations", "pipeline_frontend_app"),
  ...plugins("pipeline_import_apps" as "pipeline_destinations", "pipeline_import_app"),
  "insights.list": ({ api }) =>
    api.call("insights.list", { project_id, short_id: "abcd1234", format: "json", limit: 1 }),
  "insights.create": ({ api }) => api.call("insights.create", { project_id, body: { name: "New", tags: ["a"] } }),
  "insights.sharing": ({ api, idOf }) => api.call("insights.sharing", { project_id, insight_id: idOf("insight") }),
  "insights.get": ({ api, idOf }) =>
    api.call("insights.get", { project_id, id: idOf("insight"), refresh: true, from_dashboard: 7 }),
  "insights.update": ({ api, idOf }) =>
    api.call("insights.update", { project_id, id: idOf("insight"), body: { deleted: true } }),
  "insights.delete": ({ api, idOf }) => api.call("insights.delete", { project_id, id: idOf("insight") }),
  "insights.activity": ({ api, idOf }) => api.call("insights.activity", { project_id, id: idOf("insight") }),
  "insights.viewed": ({ api, idOf }) => api.call("insights.viewed", { project_id, id: idOf("insight"), body: {} }),
  "insights.mark_viewed": ({ api }) => api.call("insights.mark_viewed", { project_id, body: { insight_ids: [1] } }),
  "insights.list_activity": ({ api }) => api.call("insights.list_activity", { project_id }),
  "insights.cancel": ({ api }) => api.call("insights.cancel", { project_id, body: { client_query_id: "q" } }),
  "insights.get_funnel": ({ api }) => api.call("insights.get_funnel", { project_id }),
  "insights.funnel": ({ api }) => api.call("insights.funnel", { project_id, ...SERIES }),
  "insights.get_funnel_correlation": ({ api }) => api.call("insights.get_funnel_correlation", { project_id }),
  "insights.funnel_correlation": ({ api }) => api.call("insights.funnel_correlation", { project_id, body: {} }),
  "insights.my_last_viewed": ({ api }) => api.call("insights.my_last_viewed", { project_id }),
  "insights.get_path": ({ api }) => api.call("insights.get_path", { project_id }),
  "insights.path": ({ api }) => api.call("insights.path", { project_id, body: {} }),
  "insights.get_retention": ({ api }) => api.call("insights.get_retention", { project_id }),
  "insights.retention": ({ api }) => api.call("insights.retention", { project_id, body: {} }),
  "insights.timing": ({ api }) => api.call("insights.timing", { project_id, body: {} }),
  "queries.run": ({ api }) =>
    api.call("queries.run", {
      project_id,
      body: { query: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "paid" }] }, refresh: "blocking" },
    }),
  "insights.get_trend": ({ api }) => api.call("insights.get_trend", { project_id }),
  "insights.trend": ({ api }) => api.call("insights.trend", { project_id, ...SERIES }),
};

async function ada(api: TypedClient): Promise<string> {
  const { results } = await api.call("members.list", { organization_id });
  return results.find(({ user }) => user?.email === "ada@acme.com")?.user?.uuid ?? "";
}

/** The configuration of an identity provider, which only today's service has. */
function configOf({ emulator }: World): { readonly organization_id: string; readonly id: string } {
  const { id } = emulator.insert("identity_provider_config", { organization: ORG }, { name: "Entra" });
  return { organization_id, id: String(id) };
}

/** The same methods on the organization's route and on the project's. */
function batchExports(
  family: "batch_exports",
  scope: Readonly<Record<string, string>>,
  which: number,
): Record<string, Send> {
  const at = ({ emulator }: World) => ({
    ...(scope as { readonly organization_id: string }),
    id: String(
      emulator.find("batch_export", (row) => row["name"] === (which === 0 ? "Nightly" : "Of the project"))[0]?.id,
    ),
  });
  const body = { name: "New", interval: "hour", destination: NOOP, paused: true };
  return {
    [`${family}.list`]: (w) => w.api.call(`${family}.list`, scope as { readonly organization_id: string }),
    [`${family}.create`]: (w) =>
      w.api.call(`${family}.create`, { ...(scope as { readonly organization_id: string }), body }),
    [`${family}.get`]: (w) => w.api.call(`${family}.get`, at(w)),
    [`${family}.update`]: (w) => w.api.call(`${family}.update`, { ...at(w), body: { interval: "day" } }),
    [`${family}.delete`]: (w) => w.api.call(`${family}.delete`, at(w)),
    [`${family}.backfill`]: (w) =>
      w.api.call(`${family}.backfill`, {
        ...at(w),
        body: { start_at: "2024-01-01T00:00:00Z", end_at: "2024-01-02T00:00:00Z" },
      }),
    [`${family}.pause`]: (w) => w.api.call(`${family}.pause`, at(w)),
    [`${family}.unpause`]: (w) => w.api.call(`${family}.unpause`, { ...at(w), body: {} }),
  };
}

function exportOf({ emulator }: World) {
  const [found] = emulator.find("batch_export", (row) => row["name"] === "Of the project");
  return { project_id, id: String(found?.id) };
}

/** A run of the export, which only today's service lists. */
function runOf(there: World) {
  const at = exportOf(there);
  const run_id = "0190aa11-0000-4000-8000-0000000000ff";
  const run = { id: run_id, status: "Running", data_interval_start: "2026-01-01T00:00:00Z" };
  there.emulator.edit("batch_export", at.id, { latest_runs: [run] });
  return { ...at, run_id };
}

function plugins(family: "pipeline_destinations", kind: Parameters<World["idOf"]>[0]): Record<string, Send> {
  const at = ({ idOf }: World) => ({ organization_id, id: idOf(kind) });
  return {
    [`${family}.list`]: (w) => w.api.call(`${family}.list`, { organization_id }),
    [`${family}.create`]: (w) => w.api.call(`${family}.create`, { organization_id, body: { ...PLUGIN, name: "New" } }),
    [`${family}.get`]: (w) => w.api.call(`${family}.get`, at(w)),
    [`${family}.update`]: (w) => w.api.call(`${family}.update`, { ...at(w), body: { description: "x" } }),
    [`${family}.delete`]: (w) => w.api.call(`${family}.delete`, at(w)),
    [`${family}.check_for_updates`]: (w) => w.api.call(`${family}.check_for_updates`, at(w)),
    [`${family}.source`]: (w) => w.api.call(`${family}.source`, at(w)),
    [`${family}.update_source`]: (w) => w.api.call(`${family}.update_source`, { ...at(w), body: {} }),
    [`${family}.upgrade`]: (w) => w.api.call(`${family}.upgrade`, at(w)),
    [`${family}.list_activity`]: (w) => w.api.call(`${family}.list_activity`, { organization_id }),
    [`${family}.exports_unsubscribe_configs`]: (w) =>
      w.api.call(`${family}.exports_unsubscribe_configs`, { organization_id }),
    [`${family}.repository`]: (w) => w.api.call(`${family}.repository`, { organization_id }),
    [`${family}.unused`]: (w) => w.api.call(`${family}.unused`, { organization_id }),
  };
}

describe("the typed client", () => {
  it("is tested with every operation of the tables", () => {
    expect(Object.keys(CALLS).toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it.each(Object.entries(CALLS).filter(([name]) => name !== "insights.delete"))("sends %s", async (name, send) => {
    const isOfToday =
      /^identity_provider_configs\.|\.(backfills|create_backfill|runs|retry_run|cancel_run|mark_viewed)$|^queries\./u.test(
        name,
      );
    const there = await world(isOfToday ? "current" : "document");
    const operation = operations[name as OperationName];
    const answer = await send(there);
    const last = there.emulator.requests.at(-1);
    expect({ method: last?.method, status: last?.status }).toEqual({
      method: operation.method,
      status: operation.success,
    });
    expect(isAt(operation.path, last)).toBe(true);
    if (operation.response === "none") expect(answer).toBeUndefined();
    else if (operation.response === "page")
      expect(answer).toMatchObject({ count: expect.any(Number), results: expect.any(Array) });
    else if (operation.response === "cursor") expect(answer).toMatchObject({ next: null, results: expect.any(Array) });
    else expect(typeof answer).toBe("object");
  });

  it("says what to do instead of deleting an insight", async () => {
    const error = await failureOf(CALLS["insights.delete"]?.(await world()) ?? Promise.resolve());
    expect(error).toMatchObject({ kind: "invalid", status: 405, tookEffect: "no" });
    expect(error.hint).toContain("deleted=true");
    expect(error.hint).toMatchSnapshot();
  });
});

/** Whether a request went to a path of the tables, with a trailing slash. */
function isAt(path: string, request: LoggedRequest | undefined): boolean {
  const pattern = path.replaceAll(/:[a-z_]+/gu, "[^/]+");
  return new RegExp(`^${pattern}/$`, "u").test(request?.path ?? "");
}

describe("the types", () => {
  it("of results are the shapes of the document", () => {
    // Checked only by the compiler.
    const unsent = async (api: TypedClient): Promise<void> => {
      const body = { start_at: "2024-01-01T00:00:00Z", end_at: "2024-01-02T00:00:00Z" };
      const backfilled = await api.call("batch_exports.backfill", { organization_id, id: "x", body });
      expectTypeOf(await api.call("domains.list", { organization_id })).toEqualTypeOf<PageOf<Domain>>();
      expectTypeOf(backfilled).toEqualTypeOf<BatchExport>();
      expectTypeOf(await api.call("domains.delete", { organization_id, id: "x" })).toEqualTypeOf<undefined>();
      expectTypeOf(await api.call("insights.viewed", { project_id, id: 1 })).toEqualTypeOf<Insight | undefined>();
      expectTypeOf(await api.call("insights.list", { project_id, format: "csv" })).toEqualTypeOf<Uint8Array>();
      expectTypeOf(await api.call("insights.list", { project_id })).toEqualTypeOf<PageOf<Insight>>();
      const trend = await api.call("insights.trend", { project_id, body: { events: [{}] } });
      expectTypeOf(trend.result).toEqualTypeOf<readonly TrendSeries[]>();
      const funnel = await api.call("insights.funnel", { project_id, body: { actions: [{}] } });
      expectTypeOf(funnel.result).toEqualTypeOf<readonly FunnelStep[]>();
    };
    expect(unsent).toBeTypeOf("function");
  });

  it("accept only the parameters of the tables", () => {
    const wrong: readonly ((api: TypedClient) => unknown)[] = [
      // @ts-expect-error -- computed by the service
      (api) => api.call("domains.create", { organization_id, body: { domain: "a.com", is_verified: true } }),
      // @ts-expect-error -- a domain is what it takes
      (api) => api.call("domains.create", { organization_id, body: {} }),
      // @ts-expect-error -- no such parameter
      (api) => api.call("batch_exports.pause", { organization_id, idd: "x" }),
      // @ts-expect-error -- no such form
      (api) => api.call("insights.list", { project_id, format: "xml" }),
      // @ts-expect-error -- no such value
      (api) => api.call("insights.funnel", { project_id, body: { events: [], funnel_viz_type: "bars" } }),
      // @ts-expect-error -- one domain is no list
      (api) => api.each("domains.get", { organization_id, id: "x" }),
    ];
    expect(wrong).toHaveLength(6);
  });
});

describe("a typed request", () => {
  it("returns the unchanged bytes of format=csv", async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from('id,name\r\n1,"a ""b"""\r\n'), 0xff, 0x00]);
    const server = await serve((_seen, response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      response.end(bytes);
    });
    const csv = await createTypedClient(connect(server.url)).call("insights.list", { project_id, format: "csv" });
    expect(Buffer.from(csv).equals(bytes)).toBe(true);
    expect(server.seen[0]?.query.get("format")).toBe("csv");
    expect(server.seen[0]?.headers.accept).toBe("*/*");
  });

  it("reads the code of an error in CSV", async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(403, { "content-type": "text/csv" });
      response.end(
        'attr,code,detail,type\r\n,authentication_failed,"The key, it says, is invalid.",authentication_error\r\n',
      );
    });
    const error = await failureOf(
      createTypedClient(connect(server.url)).call("insights.list", { project_id, format: "csv" }),
    );
    expect(error).toMatchObject({ kind: "auth", code: "authentication_failed" });
    expect(error.message).toContain("The key, it says, is invalid.");
  });

  it.each([
    ["an unknown parameter", { organization_id, limitt: 1 }, "limit"],
    ["a number in words", { organization_id, limit: "ten" }, ""],
    ["no organization", {}, "organization_id"],
    ["an invalid id", { organization_id: "../x" }, "UUID"],
  ])("is rejected for %s before it is sent", async (_name, input, hint) => {
    const server = await serve((_seen, response) => json(response, 200, {}));
    const error = await failureOf(createTypedClient(connect(server.url)).call("domains.list", input as never));
    expect(error).toMatchObject({ kind: "invalid", status: null, tookEffect: "no" });
    expect(error.hint).toContain(hint);
    expect(sentencesOf(error)).toMatchSnapshot();
    expect(server.seen).toEqual([]);
  });

  it("reports warnings and is still sent", async () => {
    const server = await serve((_seen, response) => json(response, 200, { result: [] }));
    const warnings: InputProblem[] = [];
    const api = createTypedClient(connect(server.url), { onWarning: (found) => void warnings.push(found) });
    await api.call("insights.funnel", { project_id, body: { events: [{}], funnel_window_days: 7 } });
    expect(warnings).toMatchObject([{ code: "deprecated_parameter" }]);
    expect(warnings[0]?.hint).toMatch(/\bfunnel_window_interval\b.*\bfunnel_window_interval_type\b/);
    expect(JSON.parse(server.seen[0]?.body ?? "")).toEqual({ events: [{}], funnel_window_days: 7 });
  });
});

it("a list is yielded row by row, and `next` is never followed", async () => {
  const server = await serve(({ query }, response) => {
    const [offset, limit] = [Number(query.get("offset")), Math.min(10, Number(query.get("limit")))];
    const results = Array.from({ length: Math.max(0, Math.min(limit, 15 - offset)) }, (_, index) => ({
      id: offset + index,
    }));
    json(response, 200, { count: 15, next: "http://192.0.2.1/steal", previous: null, results });
  });
  const found: unknown[] = [];
  for await (const { id } of createTypedClient(connect(server.url)).each("insights.list", { project_id: 2 }))
    found.push(id);
  expect(found).toEqual(Array.from({ length: 15 }, (_, index) => index));
});
