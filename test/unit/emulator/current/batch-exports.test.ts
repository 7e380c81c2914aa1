import { beforeEach, describe, expect, test } from "vitest";
import { clock, idOf, ORG, rows, start, type Body, type Reply, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";
import type { JsonObject } from "../../../../src/emulator/json.ts";

const PB = "/api/projects/2/batch_exports/";
const BUCKET = { bucket_name: "b", region: "r", prefix: "p/" };
const NOOP = { type: "NoOp", config: {} };
const BODY = { name: "Nightly", interval: "day", destination: NOOP };
const QUERY = "SELECT uuid, timestamp AS at FROM events";
const SQL = { ...BODY, model: "hogql", hogql_query: QUERY };
const KINDS: Readonly<Record<string, string>> = {
  AwsS3: "aws-s3",
  S3Compatible: "s3-compatible",
  Snowflake: "snowflake",
  Postgres: "postgresql",
  Redshift: "aws-redshift",
  BigQuery: "google-cloud-service-account",
  Databricks: "databricks",
  AzureBlob: "azure-blob",
};
const CONFIGS: Readonly<Record<string, JsonObject>> = {
  AwsS3: BUCKET,
  S3Compatible: BUCKET,
  Snowflake: { database: "d", warehouse: "w", schema: "s" },
  Postgres: { database: "d" },
  Redshift: { database: "d", host: "h.example" },
  BigQuery: { dataset_id: "d" },
  Databricks: { http_path: "h", catalog: "c", schema: "s", table_name: "t" },
  AzureBlob: { container_name: "c" },
};
const time = clock();
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({ dialect: "current", now: time.now }));
});

const integration = (kind: string, project = 2): number =>
  Number(emulator.insert("integration", { project }, { kind }).id);
const destination = (type: string, config: JsonObject = {}, given = integration(KINDS[type] ?? "")): JsonObject => ({
  type,
  config: { ...CONFIGS[type], ...config },
  integration: given,
});
const post = (body: object): Promise<Reply> => send("POST", PB, { ...BODY, ...body });
const make = async (body: object = {}): Promise<string> => `${PB}${idOf((await post(body)).json)}/`;
const shown = ({ status, json }: Reply): unknown[] => [status, json["code"], json["attr"]];
const detail = ({ status, json }: Reply): unknown[] => [status, json["attr"], json["detail"]];
const config = (json: Body): Body | undefined => json["destination"]?.["config"];

// A number in a test name is that of the fact about today's service.
describe("current: batch exports", () => {
  test("165 166 has the fields of today, and writes three that are not documented", async () => {
    const names =
      "id team_id name model destination interval paused created_at last_updated_at last_paused_at start_at end_at latest_runs hogql_query hogql_modifiers primary_key version_key incremental_mode schema filters timezone offset_day offset_hour";
    const at = { last_paused_at: "2026-01-01T00:00:00Z", start_at: "2026-01-02T00:00:00Z", end_at: null };
    const { json } = await post(at);
    expect(Object.keys(json).toSorted()).toEqual(names.split(" ").toSorted());
    expect(json).toMatchObject(at);
    expect(Object.keys(json["destination"] ?? {}).toSorted()).toEqual(["config", "integration", "type"]);
  });

  test("167 name, interval and destination are needed; the minutes need a flag", async () => {
    for (const field of ["name", "interval", "destination"]) {
      const { [field]: _left, ...body } = BODY as Record<string, unknown>;
      expect(shown(await send("POST", PB, body))).toEqual([400, "required", field]);
    }
    const minutes = { interval: "every 15 minutes" };
    expect((await post(minutes)).status).toBe(403);
    emulator.setSwitches({ frequent_exports: true });
    expect((await post(minutes)).status).toBe(201);
  });

  test("168 the model never changes, and null is none", async () => {
    expect((await post({})).json["model"]).toBe("events");
    expect(shown(await post({ model: null }))).toEqual([400, "null", "model"]);
    const path = await make({ model: "sessions" });
    expect((await send("PATCH", path, { model: "sessions" })).status).toBe(200);
    const refused = await send("PATCH", path, { model: "persons" });
    expect(detail(refused)).toEqual([
      400,
      "model",
      "Changing models is not supported. Create a new batch export instead.",
    ]);
    emulator.setSwitches({ hogql_exports: false });
    expect((await post(SQL)).json["detail"]).toBe("HogQL batch exports are not enabled for this team.");
  });

  test("169 the type of the destination never changes", async () => {
    const refused = await send("PATCH", await make(), { destination: destination("AwsS3") });
    expect(detail(refused)).toEqual([
      400,
      "destination",
      "Cannot change destination type from 'NoOp' to 'AwsS3'. Delete this batch export and create a new one with the new destination type.",
    ]);
  });

  test("170 S3 is no type any more, and old rows are converted", async () => {
    expect(shown(await post({ destination: { type: "S3", config: BUCKET } }))).toEqual([
      400,
      "invalid_choice",
      "destination__type",
    ]);
    const keys = { aws_access_key_id: "hush", endpoint_url: null };
    const insert = (own: object): string =>
      String(
        emulator.insert(
          "batch_export",
          { project: 2 },
          { name: "Old", destination: { type: "S3", config: { ...BUCKET, ...keys, ...own } } },
        ).id,
      );
    const aws = (await send("GET", PB + insert({}))).json["destination"];
    expect([aws?.["type"], aws?.["integration"]]).toEqual(["AwsS3", null]);
    expect(Object.keys(aws?.["config"] ?? {})).not.toContain("aws_access_key_id");
    const other = await send("GET", PB + insert({ endpoint_url: "https://minio.example" }));
    expect(other.json["destination"]?.["type"]).toBe("S3Compatible");
  });

  test("170 the types of some teams are refused", async () => {
    expect((await post({ destination: { type: "Workflows", config: { hog_function_id: "h" } } })).status).toBe(403);
    expect((await post({ destination: { type: "FileDownload", config: {} } })).status).toBe(201);
  });

  test("171 both names of the integration are read, one is shown, and it is the project's own", async () => {
    const id = integration("aws-s3");
    const { json } = await post({ destination: { type: "AwsS3", config: BUCKET, integration_id: id } });
    expect(json["destination"]).toMatchObject({ type: "AwsS3", integration: id });
    for (const given of [999, integration("aws-s3", 3)]) {
      expect(shown(await post({ destination: destination("AwsS3", {}, given) }))[1]).toBe("does_not_exist");
    }
  });

  test.each(Object.keys(KINDS))("172 173 176 %s needs an integration of its kind", async (type) => {
    const without = await post({ destination: { type, config: CONFIGS[type] } });
    expect(detail(without)).toEqual([400, "destination", `Integration is required for ${type} batch exports`]);
    const wrong = await post({ destination: destination(type, {}, integration("slack")) });
    expect([wrong.status, wrong.json["detail"]]).toEqual([
      400,
      expect.stringMatching(/^Integration (is not|provided)/),
    ]);
    const { status, json } = await post({ destination: destination(type) });
    expect(status).toBe(201);
    expect(config(json)).toMatchObject({ ...CONFIGS[type] });
  });

  test.each([
    ["AwsS3", 200],
    ["S3Compatible", 200],
    ["Snowflake", 200],
    ["Postgres", 200],
    ["Redshift", 400],
    ["BigQuery", 400],
    ["Databricks", 400],
    ["AzureBlob", 400],
  ])("174 a change of %s without its integration is %d, and null is refused", async (type, status) => {
    const given = destination(type);
    const path = await make({ destination: given });
    const omitted = await send("PATCH", path, { destination: { type, config: {} } });
    expect(omitted.status).toBe(status);
    if (status === 200) expect(omitted.json["destination"]?.["integration"]).toBe(given["integration"]);
    expect((await send("PATCH", path, { destination: { type, config: {}, integration: null } })).status).toBe(400);
    expect((await send("PATCH", path, { destination: { ...given, config: {} } })).status).toBe(200);
  });

  test.each([
    ["Postgres", 200],
    ["Redshift", 200],
    ["BigQuery", 400],
  ])("174 an old %s without an integration: null is %d", async (type, status) => {
    const values = { name: "Old", destination: { type, config: { ...CONFIGS[type] } } };
    const { id } = emulator.insert("batch_export", { project: 2 }, values);
    const body = { destination: { type, config: {}, integration: null } };
    expect((await send("PATCH", `${PB}${String(id)}/`, body)).status).toBe(status);
  });

  test.each([
    ["an unknown setting", { b: 1, a: 2 }, "Configuration has unknown field/s: 'a', 'b'"],
    ["a wrong type", { max_file_size_mb: "big" }, "Configuration has invalid type: got 'str', expected 'int'"],
    ["an inline key (177)", { aws_access_key_id: "k" }, "Configuration has unknown field/s: 'aws_access_key_id'"],
    ["an empty bucket (179)", { bucket_name: "" }, "The following inputs are empty: ['bucket_name']"],
    ["an unknown format (179)", { file_format: "CSV" }, "File format CSV is not supported."],
    ["a compression of another format (179)", { compression: "zstd" }, "Compression zstd is not supported for file"],
    ["legacy names (180)", { legacy_parquet_extension: true }, "'legacy_parquet_extension' can only stay on"],
  ])("175 %s is refused", async (_case, own, text) => {
    const refused = await post({ destination: destination("AwsS3", own) });
    expect([refused.status, refused.json["detail"]]).toEqual([400, expect.stringContaining(text)]);
  });

  test("175 a missing setting is refused on create, and not in a patch; some names are tolerated", async () => {
    const id = integration("aws-s3");
    const missing = await post({ destination: { type: "AwsS3", config: { bucket_name: "b" }, integration: id } });
    expect(missing.json["detail"]).toBe("Configuration missing required field: 'region'");
    const path = await make({ destination: destination("AwsS3", { exclude_events: ["a"] }) });
    expect((await send("PATCH", path, { destination: { type: "AwsS3", config: { region: "x" } } })).status).toBe(200);
  });

  test("177 Postgres still takes inline keys, Snowflake does not", async () => {
    expect((await post({ destination: destination("Postgres", { user: "u", password: "p" }) })).status).toBe(201);
    expect((await post({ destination: destination("Snowflake", { password: "p" }) })).status).toBe(400);
  });

  test("178 179 what Redshift needs to copy, and its host", async () => {
    const inputs = { s3_bucket: "b", region_name: "r", authorization: "role", bucket_credentials: { a: "1", b: "2" } };
    const copy = (copy_inputs: JsonObject | null): Promise<Reply> =>
      post({ destination: destination("Redshift", { mode: "COPY", copy_inputs }) });
    expect((await copy(null)).json["detail"]).toBe("Missing required inputs for 'COPY'");
    expect((await copy({ s3_bucket: "b" })).json["detail"]).toBe("Missing required input for 'COPY'");
    expect((await copy({ ...inputs, bucket_credentials: 999 })).json["detail"]).toContain(
      "does not reference an AWS S3",
    );
    const made = await copy({ ...inputs, bucket_credentials: integration("aws-s3") });
    expect(made.status).toBe(201);
    const back = {
      type: "Redshift",
      config: { copy_inputs: inputs },
      integration: made.json["destination"]?.["integration"],
    };
    const refused = await send("PATCH", PB + idOf(made.json), { destination: back });
    expect(refused.json["detail"]).toContain("Cannot switch 'bucket_credentials' from an integration to inline");
    expect((await post({ destination: destination("Redshift", { host: "" }) })).json["detail"]).toContain(
      "A 'host' is",
    );
  });

  test("180 the service adds legacy_parquet_extension, to old exports with their first change", async () => {
    for (const type of ["AwsS3", "S3Compatible", "AzureBlob"]) {
      expect(config((await post({ destination: destination(type) })).json)).toMatchObject({
        legacy_parquet_extension: false,
      });
    }
    const values = { name: "Old", destination: { type: "AwsS3", config: BUCKET, integration: integration("aws-s3") } };
    const path = `${PB}${String(emulator.insert("batch_export", { project: 2 }, values).id)}/`;
    expect(Object.keys(config((await send("GET", path)).json) ?? {})).not.toContain("legacy_parquet_extension");
    const { json } = await send("PATCH", path, { destination: { type: "AwsS3", config: {} } });
    expect(config(json)).toMatchObject({ legacy_parquet_extension: false });
  });

  test("181 a patch merges deeply, and null stays null", async () => {
    const path = await make({ destination: destination("AwsS3", { kms_key_id: "k" }) });
    const { json } = await send("PATCH", path, { destination: { type: "AwsS3", config: { kms_key_id: null } } });
    expect(config(json)).toMatchObject({ ...BUCKET, kms_key_id: null });
    const redshift = destination("Redshift", { copy_inputs: { s3_bucket: "b", schema: { a: 1 } } });
    const other = await make({ destination: redshift });
    await send("PATCH", other, { destination: { ...redshift, config: { copy_inputs: { schema: { b: 2 } } } } });
    expect(config((await send("GET", other)).json)?.["copy_inputs"]).toEqual({
      s3_bucket: "b",
      schema: { a: 1, b: 2 },
    });
  });

  test("182 declared settings have their types again, others are text", async () => {
    const given = { max_file_size_mb: "7", interval: 5 };
    const path = await make({ destination: destination("AwsS3", given) });
    expect(config((await send("GET", path)).json)).toMatchObject({ max_file_size_mb: 7, interval: "5" });
    const flag = await post({ destination: destination("Postgres", { has_self_signed_cert: "True", port: 5432 }) });
    expect(config(flag.json)).toMatchObject({ has_self_signed_cert: true, port: 5432 });
  });

  test("183 secrets are not shown, at any depth", async () => {
    const keys = { user: "hush", password: "hush", copy_inputs: { bucket_credentials: { aws_access_key_id: "hush" } } };
    const { text } = await post({ destination: destination("Redshift", keys) });
    expect(text).not.toContain("hush");
    const http = { type: "HTTP", config: { url: "https://us.i.posthog.com/batch/", token: "hush" } };
    expect((await post({ destination: http })).text).not.toContain("hush");
  });

  test("184 HTTP has two urls and one model", async () => {
    const http = (url: string): JsonObject => ({ type: "HTTP", config: { url, token: "t" } });
    expect((await post({ destination: http("https://x.example/") })).json["detail"]).toContain(
      "Invalid destination URL",
    );
    const model = await post({ destination: http("https://eu.i.posthog.com/batch/"), model: "persons" });
    expect(model.json["detail"]).toBe("HTTP batch exports only support the events model");
  });

  test.each(["localhost", "https://db.example", "u:p@db.example", "10.0.0.1"])(
    "185 the host %s is refused",
    async (host) => {
      const refused = await post({ destination: destination("Postgres", { host }) });
      expect(refused.json["detail"]).toContain("Invalid host.");
    },
  );

  test("186 a timezone is a name of the list, and null is UTC", async () => {
    expect((await post({ timezone: null })).json["timezone"]).toBe("UTC");
    const path = await make({ timezone: "Asia/Calcutta" });
    expect((await send("PATCH", path, { name: "x" })).json["timezone"]).toBe("Asia/Calcutta");
    for (const timezone of ["Mars/Base", "+01:00"]) {
      expect(shown(await post({ timezone }))).toEqual([400, "invalid_choice", "timezone"]);
    }
  });

  test.each([
    [{ interval: "day", offset_day: 1 }, "offset_day"],
    [{ interval: "hour", offset_hour: 1 }, "offset_hour"],
    [{ interval: "week", offset_day: 7 }, "offset_day"],
    [{ interval: "week", offset_hour: 24 }, "offset_hour"],
  ])("187 %o is refused", async (body, attr) => {
    expect([(await post(body)).status, (await post(body)).json["attr"]]).toEqual([400, attr]);
  });

  test("188 offsets are handled with the interval", async () => {
    const path = await make({ interval: "week", offset_day: 3, offset_hour: 5 });
    const offsets = async (body: object, method = "PATCH"): Promise<unknown[]> => {
      const { json, status } = await send(method, path, body);
      return [status, json["offset_day"], json["offset_hour"]];
    };
    expect(await offsets({ interval: "week" })).toEqual([200, 3, 5]);
    expect(await offsets({ interval: "week", offset_day: 2 })).toEqual([200, 2, 0]);
    expect((await offsets({ offset_hour: 7 }))[0]).toBe(500);
    expect(await offsets({ ...BODY, interval: "week" }, "PUT")).toEqual([200, 0, 0]);
    expect(await offsets({ interval: "hour" })).toEqual([200, null, null]);
    emulator.setSwitches({ lone_offsets_fail: false });
    expect((await offsets({ offset_hour: 7 }))[0]).toBe(200);
  });

  test("189 missing offsets read as zero where they apply", async () => {
    const offsets = async (interval: string): Promise<unknown[]> => {
      const { json } = await post({ interval });
      return [json["offset_day"], json["offset_hour"]];
    };
    expect([await offsets("week"), await offsets("day"), await offsets("hour")]).toEqual([
      [0, 0],
      [null, 0],
      [null, null],
    ]);
  });

  test.each([
    [{}, "'filters' should be an array of filters"],
    [[1], "Each filter must be an object"],
    [[{ key: "data_interval_end", type: "event" }], "are run attributes and not 'filters'"],
    [[{ key: "a", type: "cohort" }], "Each filter must have a 'type' of one of: 'event', 'hogql', 'person'"],
  ])("190 the filters %o are refused", async (filters, text) => {
    const refused = await post({ filters });
    expect([refused.json["attr"], refused.json["detail"]]).toEqual(["filters", expect.stringContaining(text)]);
  });

  test("190 filters are for events, and a patch replaces them", async () => {
    const filters = [{ key: "a", type: "event", value: "x" }];
    expect((await post({ filters, model: "persons" })).json["detail"]).toContain("not 'persons' model");
    const path = await make({ filters });
    expect((await send("PATCH", path, { filters: [] })).json["filters"]).toEqual([]);
  });

  test("191 a query belongs to the model hogql, except where one of the old form is left", async () => {
    expect((await post(SQL)).json).toMatchObject({ hogql_query: QUERY, schema: null });
    expect((await post({ model: "hogql" })).json["detail"]).toBe("'hogql_query' is required when 'model' is 'hogql'");
    const refused = await post({ hogql_query: QUERY });
    expect(detail(refused)).toEqual([
      400,
      "hogql_query",
      "'hogql_query' is only supported for 'hogql' not 'events' model",
    ]);
    emulator.insert("batch_export", { project: 2 }, { name: "Old", hogql_query: QUERY });
    const old = await post({ hogql_query: QUERY });
    expect(old.json).toMatchObject({ hogql_query: null, schema: { hogql_query: QUERY } });
    expect((await post({ hogql_query: "SELECT 1 FROM events JOIN persons" })).status).toBe(400);
  });

  test("192 modifiers and keys are checked against the query", async () => {
    const { json } = await post({ ...SQL, hogql_modifiers: { debug: true, materializationMode: null } });
    expect(json["hogql_modifiers"]).toEqual({ debug: true });
    expect(shown(await post({ ...SQL, hogql_modifiers: { nope: 1 } }))[2]).toBe("hogql_modifiers");
    expect(shown(await post({ hogql_modifiers: { debug: true } }))[2]).toBe("hogql_modifiers");
    expect((await post({ ...SQL, primary_key: ["uuid"], version_key: ["at"], incremental_mode: "MERGE" })).status).toBe(
      201,
    );
    expect((await post({ ...SQL, primary_key: ["x"] })).json["detail"]).toContain("not present in the query: x");
    expect((await post({ ...SQL, version_key: [] })).status).toBe(400);
    const merge = await post({ ...SQL, incremental_mode: "MERGE" });
    expect(merge.json["detail"]).toBe("'primary_key' is required when 'incremental_mode' is 'MERGE'");
    expect((await post(SQL)).json["incremental_mode"]).toBe("APPEND");
  });

  test("193 pause ignores its body, unpause checks it", async () => {
    const path = await make();
    expect((await send("POST", `${path}pause/`, { backfill: "maybe" })).json).toEqual({ paused: true });
    expect(shown(await send("POST", `${path}unpause/`, { backfill: "maybe" }))[2]).toBe("backfill");
    expect((await send("POST", `${path}unpause/`, { backfill: true })).json).toEqual({ paused: false });
  });

  test("194 backfills replace backfill, with dates or times by interval", async () => {
    const daily = await make();
    expect((await send("POST", `${daily}backfill/`, {})).status).toBe(404);
    const backfill = (path: string, start_at: string | null, end_at: string): Promise<Reply> =>
      send("POST", `${path}backfills/`, { start_at, end_at });
    const made = await backfill(daily, "2029-01-01", "2029-01-02");
    expect([made.status, Object.keys(made.json)]).toEqual([201, ["backfill_id"]]);
    expect((await backfill(daily, "2029-01-01T00:00:00Z", "2029-01-02T00:00:00Z")).status).toBe(400);
    expect((await backfill(daily, null, "2029-01-02")).json["detail"]).toContain("from the beginning of time");
    expect((await backfill(daily, "2029-01-01", "2040-01-01")).status).toBe(400);
    expect((await backfill(daily, "2029-01-02", "2029-01-02")).status).toBe(400);
    const weekly = await make({ interval: "week", offset_day: 1 });
    expect((await backfill(weekly, "2029-01-01", "2029-01-08")).status).toBe(201);
    expect((await backfill(weekly, "2029-01-02", "2029-01-08")).status).toBe(400);
    const hourly = await make({ interval: "hour" });
    expect((await backfill(hourly, "2029-01-01T00:00:00", "2029-01-02T00:00:00Z")).status).toBe(400);
    expect((await backfill(hourly, "2029-01-01T00:00:00Z", "2029-01-02T00:00:00Z")).status).toBe(201);
  });

  test("195 too many backfills are 429 without a time to wait", async () => {
    emulator.setSwitches({ backfill_limit: 1 });
    const path = await make();
    const body = { start_at: "2029-01-01", end_at: "2029-01-02" };
    expect((await send("POST", `${path}backfills/`, body)).status).toBe(201);
    const refused = await send("POST", `${path}backfills/`, body);
    expect(shown(refused)).toEqual([429, "too_many_concurrent_backfills", null]);
    expect(refused.json["detail"]).toContain("This team already has 1 batch export backfills running.");
    expect(refused.headers.get("retry-after")).toBeNull();
  });

  test("196 197 backfills and runs are read by cursor; a run is cancelled and retried", async () => {
    emulator.setSwitches({ backfill_limit: 500 });
    const path = await make();
    for (let day = 1; day <= 51; day += 1) {
      const start_at = `2029-01-${String((day % 28) + 1).padStart(2, "0")}`;
      await send("POST", `${path}backfills/`, { start_at, end_at: "2029-02-01" });
    }
    const first = await send("GET", `${path}backfills/`);
    expect([rows(first).length, Object.keys(first.json).toSorted()]).toEqual([50, ["next", "previous", "results"]]);
    expect(rows(await send("GET", String(first.json["next"])))).toHaveLength(1);
    const [run] = rows(await send("GET", `${path}runs/`));
    const fields =
      "backfill batch_export batch_export_on_demand bytes_exported created_at cursor data_interval_end data_interval_start finished_at id last_updated_at latest_error records_completed records_failed records_total_count status";
    expect(Object.keys(run ?? {}).toSorted()).toEqual(fields.split(" "));
    const at = `${path}runs/${idOf(run ?? {})}/`;
    expect((await send("POST", `${at}cancel/`)).json).toEqual({ cancelled: true });
    expect((await send("POST", `${at}cancel/`)).json["detail"]).toBe(
      "Cannot cancel a run that is in 'Cancelled' status",
    );
    const retried = await send("POST", `${at}retry/`);
    expect([retried.status, Object.keys(retried.json)]).toEqual([201, ["backfill_id"]]);
    expect(rows(await send("GET", `${path}runs/?status=Cancelled&status=Failed`))).toHaveLength(1);
    expect((await send("GET", path)).json["latest_runs"]).toHaveLength(10);
    time.pass(8 * 24 * 60 * 60 * 1000);
    expect(rows(await send("GET", `${path}runs/`))).toEqual([]);
    expect(rows(await send("GET", `${path}runs/?after=2000-01-01`))).toHaveLength(52);
  });

  test("198 a deleted export is 404, and its integration stays", async () => {
    const path = await make({ destination: destination("AwsS3") });
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("GET", path)).status).toBe(404);
    expect(emulator.find("integration")).toHaveLength(1);
  });

  test("199 an export of a workflow is not listed, but shown on its own; the newest comes first", async () => {
    const values = { name: "W", destination: { type: "Workflows", config: { hog_function_id: "h" } } };
    const { id } = emulator.insert("batch_export", { project: 2 }, values);
    await post({ name: "A" });
    time.pass(1000);
    await post({ name: "B" });
    expect(rows(await send("GET", PB)).map((row) => row["name"])).toEqual(["B", "A"]);
    expect((await send("GET", PB + String(id))).status).toBe(200);
  });

  test("136 an organization's route cannot create even where it is left", async () => {
    emulator.setSwitches({ organization_exports_gone: false });
    expect((await send("POST", `/api/organizations/${ORG}/batch_exports/`, BODY)).status).toBe(500);
  });
});
