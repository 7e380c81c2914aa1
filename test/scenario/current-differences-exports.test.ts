/** What old declarations of batch exports and plugins do on today's service. A test is named by the row that it is about. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/api/limits/clock.ts";
import type { Runtime } from "../../src/cli/runtime.ts";
import type { EmulatorOptions, StoredObject } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import {
  applyJson,
  changeOf,
  config as organization,
  NOOP,
  one,
  outcomeOf,
  planJson,
  web,
  writes,
} from "../support/acme.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/batch_exports/e";
const ID = "0190aa11-0000-4000-8000-00000000000e";
const SQL = "SELECT uuid, timestamp FROM events";
const SNOWFLAKE = { database: "d", warehouse: "w", schema: "s" };
const BUCKET = { bucket_name: "b", region: "eu", prefix: "e/" };
const KEYS = { aws_access_key_id: "${secret:ID}", aws_secret_access_key: "${secret:KEY}" };

const declare = (space: Workspace, fields: object): Promise<void> =>
  space.configure(web({ batch_exports: { e: { name: "E", interval: "hour", ...fields } } }));
const stored = ({ emulator }: Workspace): StoredObject =>
  one(emulator.find("batch_export", ({ name }) => name !== "Other"));
const planned = async (space: Workspace) => changeOf(await planJson(space), ADDRESS);
const codes = async ({ plan }: Workspace): Promise<readonly string[]> =>
  (await plan()).diagnostics.map(({ code }) => code);
const bodies = ({ emulator }: Workspace): readonly unknown[] =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ body }) => body);

const INTEGRATIONS = {
  AwsS3: [7, "aws-s3"],
  S3Compatible: [8, "s3-compatible"],
  Snowflake: [9, "snowflake"],
  Postgres: [10, "postgresql"],
  BigQuery: [11, "google-cloud-service-account"],
  Databricks: [12, "databricks"],
  AzureBlob: [13, "azure-blob"],
} as const;

/** Today's service, with integrations of the project, and an export that shows that it is today's. */
async function today(declared: object, switches: EmulatorOptions["switches"] = {}): Promise<Workspace> {
  const space = await workspace({ dialect: "current", switches });
  for (const [id, kind] of Object.values(INTEGRATIONS))
    space.emulator.insert("integration", { project: 2 }, { id, kind });
  space.emulator.insert("batch_export", { project: 2 }, { name: "Other", model: "sessions", destination: NOOP });
  await declare(space, declared);
  return space;
}

/** The same with an export that the declaration is about. */
async function withExport(live: JsonObject, declared: object): Promise<Workspace> {
  const space = await today(declared);
  space.emulator.insert("batch_export", { project: 2 }, { id: ID, name: "E", interval: "hour", ...live });
  return space;
}

async function expectConverged(space: Workspace): Promise<void> {
  await space.apply();
  expect(await planned(space)).toMatchObject({ action: "no_op", fields: [] });
}

/** Blocked at its place with what to declare, and nothing is sent. */
async function expectRefused(space: Workspace): Promise<void> {
  const { diagnostics, changes } = await space.plan();
  const blocked = changes.find(({ address }) => address === ADDRESS)?.blocked;
  expect(blocked).toMatchSnapshot();
  expect(diagnostics).toMatchObject([{ code: "service_refuses", severity: "warning", line: 9, column: 11 }]);
  await space.apply([], 13);
  expect(writes(space)).toEqual([]);
}

/** An error in the file, at its line, before any request. */
async function expectInvalid(space: Workspace, ...lines: readonly (readonly [number, string])[]): Promise<void> {
  const { code, stderr } = await space.run(["plan"]);
  const found = [...stderr.matchAll(/driftline\.yaml:(\d+):\d+: error (\w+):/gu)];
  expect([code, found.map(([, line, name]) => [Number(line), name])]).toEqual([10, lines]);
  expect(stderr).toMatchSnapshot();
  expect(space.emulator.requests).toEqual([]);
}

describe("batch exports on today's service", () => {
  it("destination type S3 with inline keys, create", async () => {
    await expectRefused(await today({ destination: { type: "S3", config: { ...BUCKET, ...KEYS } } }));
  });

  it("destination type S3 with inline keys, create, where no export shows what the service takes", async () => {
    const space = await workspace({ dialect: "current" });
    await declare(space, { destination: { type: "S3", config: BUCKET } });
    expect(await planned(space)).toMatchObject({ action: "create", blocked: null });
    const { error } = outcomeOf(await applyJson(space), ADDRESS);
    expect([error?.code, error?.hint]).toMatchSnapshot();
  });

  describe("existing declaration with type S3", () => {
    it.each([
      ["AwsS3", {}],
      ["S3Compatible", { endpoint_url: "https://storage.acme.com" }],
    ] as const)("converted to %s", async (type, more) => {
      const [integration] = INTEGRATIONS[type];
      const live = { type: "S3", config: { ...BUCKET, ...more, aws_secret_access_key: "k" }, integration };
      const declared = { type: "S3", config: { ...BUCKET, ...KEYS, ...more } };
      const space = await withExport({ destination: live }, { destination: declared });
      expect(await planned(space)).toMatchObject({ action: "no_op", fields: [], blocked: null });
      const { diagnostics } = await space.plan();
      expect(diagnostics).toMatchObject([{ code: "converted_by_service", severity: "warning", line: 9, column: 11 }]);
      expect(diagnostics[0]).toMatchSnapshot("warning");
      const { code, document } = await space.drift();
      expect([code, document.diagnostics.map((found) => found.code)]).toEqual([0, ["converted_by_service"]]);
      await space.apply();
      expect(writes(space)).toEqual([]);
      expect((await space.run(["drift", "--accept", "--yes", "--only", ADDRESS])).code).toBe(0);
      expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toMatchSnapshot("file");
      expect(await planned(space)).toMatchObject({ action: "no_op", fields: [] });
      expect(await codes(space)).toEqual([]);
    });

    it("with another change: only that is sent, in the form of today", async () => {
      const live = { type: "S3", config: BUCKET, integration: 7 };
      const config = { ...BUCKET, ...KEYS, region: "us" };
      const space = await withExport({ destination: live }, { destination: { type: "S3", config } });
      expect((await planned(space)).fields.map(({ path }) => path)).toEqual(["/destination/config/region"]);
      await space.apply();
      const sent = { type: "AwsS3", config: { ...BUCKET, region: "us" }, integration: 7 };
      expect(bodies(space)).toEqual([{ destination: sent }]);
      expect(await planned(space)).toMatchObject({ action: "no_op" });
    });

    it("in a file that cannot be edited: what has to be changed is named", async () => {
      const live = { type: "S3", config: BUCKET, integration: 7 };
      const space = await withExport({ destination: live }, { destination: { type: "${var:t}", config: BUCKET } });
      const { stderr } = await space.run(["drift", "--accept", "--yes", "--var", "t=S3"]);
      expect(stderr).toContain("destination.type stays");
    });
  });

  it.each(["AwsS3", "S3Compatible", "Snowflake"] as const)(
    "inline keys in AwsS3, S3Compatible, Snowflake: %s",
    async (type) => {
      const config =
        type === "Snowflake" ? { ...SNOWFLAKE, user: "u", password: "${secret:P}" } : { ...BUCKET, ...KEYS };
      const space = await today({ destination: { type, integration: INTEGRATIONS[type][0], config } });
      await expectInvalid(space, [19, "not_taken"], [20, "not_taken"]);
    },
  );

  it("inline keys in Snowflake, without an integration", async () => {
    const config = { ...SNOWFLAKE, account: "a", user: "u", password: "${secret:P}" };
    const space = await today({ destination: { type: "Snowflake", config } });
    await expectRefused(space);
    const live = { type: "Snowflake", config: SNOWFLAKE, integration: 9 };
    space.emulator.insert("batch_export", { project: 2 }, { name: "E", interval: "hour", destination: live });
    await expectRefused(space);
  });

  it("inline keys in Postgres, Redshift, BigQuery, create", async () => {
    const config = { database: "d", host: "db.acme.com", user: "u", password: "${secret:P}" };
    await expectRefused(await today({ destination: { type: "Postgres", config } }));
  });

  it("same, update of an old export: Postgres", async () => {
    const shown = { database: "d", host: "db.acme.com" };
    const live = { type: "Postgres", config: { ...shown, user: "u", password: "p" }, integration: null };
    const config = { ...shown, database: "d2", user: "u", password: "${secret:P}" };
    const space = await withExport({ destination: live }, { destination: { type: "Postgres", config } });
    const { code, stderr } = await space.run(["apply", "--yes"], { env: { P: "p-0123456789" } });
    expect(code, stderr).toBe(0);
    expect(stored(space)["destination"]).toMatchObject({ config: { database: "d2" }, integration: null });
  });

  it("same, update of an old export: BigQuery", async () => {
    const live = { type: "BigQuery", config: { dataset_id: "d" } };
    const destination = { type: "BigQuery", config: { dataset_id: "d2" } };
    const space = await withExport({ destination: { ...live, integration: 11 } }, { destination });
    await expectConverged(space);
    expect(bodies(space)).toEqual([{ destination: { ...destination, integration: 11 } }]);
    space.emulator.edit("batch_export", ID, { destination: { ...live, integration: null } });
    space.emulator.clearRequests();
    await expectRefused(space);
  });

  it("endpoint_url on S3Compatible", async () => {
    const config = { ...BUCKET, endpoint_url: "https://storage.acme.com" };
    const space = await today({ destination: { type: "S3Compatible", config } });
    await expectInvalid(space, [18, "not_taken"]);
  });

  it("endpoint_url on S3Compatible, of an old export that still shows it", async () => {
    const config = { ...BUCKET, endpoint_url: "https://storage.acme.com" };
    const live = { type: "S3Compatible", config, integration: 8 };
    const declared = { type: "S3Compatible", config: { ...BUCKET, region: "us" } };
    const space = await withExport({ destination: live }, { destination: declared });
    await expectConverged(space);
    expect(bodies(space)).toEqual([{ destination: { ...declared, integration: 8 } }]);
  });

  it.each([
    ["Databricks", { http_path: "h", catalog: "c", schema: "s", table_name: "t" }],
    ["AzureBlob", { container_name: "c" }],
  ] as const)("Databricks, AzureBlob: %s", async (type, config) => {
    await expectConverged(await today({ destination: { type, config, integration: INTEGRATIONS[type][0] } }));
  });

  it.each([
    ["another URL", { url: "https://acme.com" }, "events"],
    ["another model", { url: "https://eu.i.posthog.com/batch/" }, "persons"],
  ])("HTTP: %s", async (_name, config, model) => {
    await expectRefused(
      await today({ model, destination: { type: "HTTP", config: { token: "${secret:T}", ...config } } }),
    );
  });

  it("NoOp", async () => {
    await expectConverged(await today({ destination: NOOP }));
  });

  it("a setting that the type takes no more", async () => {
    const destination = (dataset: string, more: object = {}): JsonObject => ({
      type: "BigQuery",
      config: { dataset_id: dataset, ...more },
      integration: 11,
    });
    const old = destination("old", { json_config_file: null, timeout: "60" });
    const space = await withExport({ destination: old }, { destination: destination("new") });
    await expectConverged(space);
    expect(bodies(space)).toEqual([{ destination: destination("new") }]);
  });

  it("type change", async () => {
    const filters = [{ key: "plan", operator: "exact", type: "event", value: ["pro"] }];
    const live = { type: "AwsS3", config: BUCKET, integration: 7 };
    const space = await withExport({ destination: live, filters, timezone: "Europe/Berlin" }, { destination: NOOP });
    expect(await planned(space)).toMatchObject({ action: "replace", blocked: null });
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ destination: NOOP, filters, timezone: "Europe/Berlin", paused: false });
  });

  it("model change (events to persons)", async () => {
    const space = await withExport({ destination: NOOP }, { destination: NOOP, model: "persons" });
    expect(await planned(space)).toMatchObject({ action: "replace", fields: [{ path: "/model" }], blocked: null });
    await expectConverged(space);
  });

  it("model: null", async () => {
    const space = await today({ destination: NOOP, model: null });
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ model: "events" });
  });

  it("hogql_query with model events", async () => {
    const space = await today({ destination: NOOP, hogql_query: SQL });
    const { error } = outcomeOf(await applyJson(space), ADDRESS);
    expect([error?.code, error?.hint]).toMatchSnapshot();
    expect(space.emulator.find("batch_export")).toHaveLength(1);
  });

  it("`schema` comparison for the query", async () => {
    const space = await today({ destination: NOOP, model: "hogql", hogql_query: SQL }, { hogql_exports: true });
    await expectConverged(space);
    space.emulator.edit("batch_export", stored(space).id, { hogql_query: `${SQL} WHERE event = 'a'` });
    expect(await planned(space)).toMatchObject({ action: "update", fields: [{ path: "/hogql_query", planned: SQL }] });
  });

  it.each([
    { port: 5433, has_self_signed_cert: true },
    { port: "5433", has_self_signed_cert: "True" },
  ])("config numbers and booleans read as strings: %o", async (typed) => {
    const config = { database: "d", host: "db.acme.com", ...typed };
    const space = await today({ destination: { type: "Postgres", integration: 10, config } });
    await expectConverged(space);
    expect((await space.drift()).code).toBe(0);
  });

  it("live config has legacy_parquet_extension", async () => {
    const live = { type: "AwsS3", config: { ...BUCKET, legacy_parquet_extension: true }, integration: 7 };
    const destination = { type: "AwsS3", config: BUCKET };
    const space = await withExport({ destination: live }, { destination });
    expect(await planned(space)).toMatchObject({ action: "no_op", fields: [] });
    expect((await space.drift()).document.changes.find(({ address }) => address === ADDRESS)?.more).toEqual([
      "/destination/integration",
    ]);
    await declare(space, { destination, model: "persons" });
    await expectConverged(space);
    expect(stored(space)["destination"]).toMatchObject({ config: { legacy_parquet_extension: false }, integration: 7 });
  });

  it("live timezone, offset_day, offset_hour, filters, hogql_modifiers, primary_key, version_key, incremental_mode not declared", async () => {
    const live = { timezone: "Europe/Berlin", offset_day: 2, offset_hour: 3, end_at: "2027-01-01T00:00:00Z" };
    const fields = { interval: "week", destination: NOOP };
    const space = await withExport({ ...fields, ...live }, fields);
    await declare(space, { ...fields, start_at: "2026-01-01T00:00:00Z" });
    await expectConverged(space);
    expect(stored(space)).toMatchObject(live);
    await declare(space, { ...fields, model: "persons" });
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ ...live, model: "persons", start_at: "2026-01-01T00:00:00Z" });
  });

  it("live timezone and the like not declared: the keys of the model hogql", async () => {
    const hogql = { model: "hogql", hogql_query: SQL, hogql_modifiers: { debug: true }, primary_key: ["uuid"] };
    const live = { ...hogql, version_key: ["timestamp"], incremental_mode: "MERGE" };
    const azure = { type: "AzureBlob", config: { container_name: "c" }, integration: 13 };
    const space = await today({ destination: azure }, { hogql_exports: true });
    space.emulator.insert("batch_export", { project: 2 }, { name: "E", interval: "hour", destination: NOOP, ...live });
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ ...live, destination: azure });
  });

  it.each([
    ["day", { offset_hour: 3 }],
    ["hour", {}],
  ])("PATCH of interval alone, week to day or hour: %s", async (interval, kept) => {
    const live = { interval: "week", destination: NOOP, offset_day: 2, offset_hour: 3 };
    const space = await withExport(live, { destination: NOOP, interval });
    await expectConverged(space);
    expect(bodies(space)).toEqual([{ interval, ...kept }]);
    expect(stored(space)).toMatchObject({ interval, offset_day: null, ...kept });
  });

  it("PATCH with offsets only", async () => {
    const live = { interval: "week", destination: NOOP, offset_day: 2, offset_hour: 3 };
    const space = await withExport(live, { destination: NOOP, interval: "week", offset_day: 4 });
    await expectConverged(space);
    expect(bodies(space)).toEqual([{ interval: "week", offset_day: 4, offset_hour: 3 }]);
  });

  it.each([
    ["hour", { offset_day: 1 }],
    ["hour", { offset_hour: 1 }],
    ["day", { offset_day: 1 }],
  ])("offsets with an interval that has none: %s, %o", async (interval, offset) => {
    await expectInvalid(await today({ destination: NOOP, interval, ...offset }), [15, "not_applicable"]);
  });

  it("offsets with a live interval that has none", async () => {
    const space = await withExport({ destination: NOOP }, {});
    await space.configure(web({ batch_exports: { e: { id: ID, offset_day: 1 } } }));
    await expectRefused(space);
  });

  it("offset declared null, read 0", async () => {
    const space = await today({ destination: NOOP, interval: "week", offset_day: null, offset_hour: null });
    await expectConverged(space);
    expect((await space.drift()).code).toBe(0);
  });

  it("removing a config key", async () => {
    const live = { type: "AwsS3", config: { ...BUCKET, compression: "gzip" }, integration: 7 };
    const declared = { type: "AwsS3", config: BUCKET };
    const space = await withExport({ destination: live }, { destination: declared });
    expect(await planned(space)).toMatchObject({
      action: "no_op",
      more: ["/destination/config/compression", "/destination/integration"],
    });
    await declare(space, { destination: { ...declared, config: { ...BUCKET, compression: null } } });
    await expectConverged(space);
    expect(stored(space)["destination"]).toMatchObject({ config: { compression: null } });
  });

  it("last_paused_at, start_at, end_at", async () => {
    const at = { start_at: "2026-01-01T00:00:00Z", end_at: "2027-01-01T00:00:00Z" };
    await expectConverged(await today({ destination: NOOP, last_paused_at: "2026-01-02T00:00:00Z", ...at }));
  });

  it("pause, unpause", async () => {
    const space = await today({ destination: NOOP });
    for (const paused of [true, false]) {
      await declare(space, { destination: NOOP, paused });
      await expectConverged(space);
      expect(stored(space)).toMatchObject({ paused });
    }
  });

  const AT = ["project_id=2", `id=${ID}`];
  const backfill = (space: Workspace, runtime: Partial<Runtime> = {}) =>
    space.run(["call", "project_batch_exports.create_backfill", ...AT, "start_at=2026-01-01T00:00:00Z", "--yes"], {
      runtime,
    });

  it("backfill action", async () => {
    const space = await withExport({ destination: NOOP }, { destination: NOOP });
    const old = await space.run(["call", "project_batch_exports.backfill", ...AT, "--yes"]);
    expect([old.code, old.stderr]).toMatchSnapshot();
    const { code, stdout } = await backfill(space);
    expect([code, JSON.parse(stdout)]).toEqual([0, { backfill_id: expect.any(String) }]);
  });

  it("429 too_many_concurrent_backfills", async () => {
    const space = await today({ destination: NOOP }, { backfill_limit: 0 });
    space.emulator.insert("batch_export", { project: 2 }, { id: ID, name: "E", destination: NOOP });
    const clock = { ...systemClock, sleep: () => Promise.reject(new Error("it waits")) };
    const { code, stderr } = await backfill(space, { clock });
    expect([code, stderr]).toMatchSnapshot();
    expect(space.emulator.requests).toHaveLength(1);
  });

  it("organization route", async () => {
    const space = await workspace({ dialect: "current", switches: { organization_exports_gone: true } });
    await space.configure(organization({ batch_exports: { e: { name: "E", interval: "hour", destination: NOOP } } }));
    const { diagnostics } = await space.plan();
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toMatchSnapshot();
    await declare(space, { destination: NOOP });
    await expectConverged(space);
  });

  it("runs", async () => {
    const started = (index: number): string => new Date(Date.now() - index * 60_000).toISOString();
    const latest_runs = Array.from({ length: 130 }, (_, index) => ({ id: String(index), created_at: started(index) }));
    const space = await withExport({ destination: NOOP, latest_runs }, { destination: NOOP });
    space.emulator.clearRequests();
    const { code, stdout } = await space.run(["call", "project_batch_exports.runs", ...AT, "--all"]);
    const ids = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as JsonObject)["id"]);
    expect([code, ids]).toEqual([0, latest_runs.map(({ id }) => id)]);
    expect(space.emulator.requests).toHaveLength(2);
  });

  it("runs: one is cancelled, and its range exported again", async () => {
    const run = {
      id: "0190aa11-0000-4000-8000-0000000000ff",
      status: "Running",
      data_interval_start: "2026-01-01T00:00:00Z",
    };
    const space = await withExport({ destination: NOOP, latest_runs: [run] }, { destination: NOOP });
    const call = (name: string) =>
      space.run(["call", `project_batch_exports.${name}`, ...AT, `run_id=${run.id}`, "--yes"]);
    const cancelled = await call("cancel_run");
    expect([cancelled.code, JSON.parse(cancelled.stdout)]).toEqual([0, { cancelled: true }]);
    const again = await call("cancel_run");
    expect([again.code === 0, again.stderr]).toEqual([false, expect.stringContaining("in 'Cancelled' status")]);
    const retried = await call("retry_run");
    expect([retried.code, JSON.parse(retried.stdout)]).toEqual([0, { backfill_id: expect.any(String) }]);
  });

  it("an integration id that is text", async () => {
    const space = await today({ destination: { type: "AwsS3", config: BUCKET, integration: "7" } });
    await expectInvalid(space, [18, "wrong_type"]);
  });
});

describe("plugins on today's service", () => {
  const plugin = organization({ pipeline_destinations: { sink: { name: "Sink", plugin_type: "source" } } });

  it("list, get, patch, delete", async () => {
    const space = await workspace({ dialect: "current" });
    await space.configure(plugin);
    await space.apply();
    expect((await space.drift()).code).toBe(0);
  });

  it("routes removed one day", async () => {
    const space = await workspace({ dialect: "current", switches: { plugins_gone: true } });
    await space.configure(plugin);
    const { diagnostics, changes } = await space.plan();
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["not_on_service", "warning"]]);
    expect(changes.filter(({ kind }) => kind === "pipeline_destination")).toEqual([]);
    for (const command of ["export", "doctor"]) expect((await space.run([command])).code).toBe(0);
  });

  it("plugin:read in a key's needs", async () => {
    const space = await workspace({ dialect: "current" });
    await declare(space, { destination: NOOP });
    const scopes = async (): Promise<string> =>
      (await space.run(["doctor"])).stdout.split("The minimum scopes")[1] ?? "";
    expect(await scopes()).not.toContain("plugin:read");
    await space.configure(plugin);
    expect(await scopes()).toContain("plugin:read");
  });
});
