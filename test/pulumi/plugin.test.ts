import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import { pulumiProperties } from "../../src/generated/pulumi.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { UNKNOWN_SECRET } from "../../src/model/secret-values.ts";
import { UNKNOWN } from "../../src/pulumi/properties/check.ts";
import { envOf } from "../support/cli.ts";
import { ACME } from "../support/interface/declare.ts";
import { SEED } from "../support/workspace.ts";
import { PACKAGE } from "./support/package.ts";
import { startPlugin, wrapped, type PluginProcess } from "./support/plugin-process.ts";
import { failureIn } from "./support/provider-process.ts";

interface World {
  readonly emulator: Emulator;
  readonly plugin: PluginProcess;
  readonly env: Readonly<Record<string, string>>;
}

/** @param without variables that the process does not get */
async function world(options: EmulatorOptions = {}, without: readonly string[] = []): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-plugin-"));
  const emulator = await startEmulator({ seed: SEED, ...options });
  const given = Object.entries(envOf(emulator, folder)).filter(([name]) => !without.includes(name));
  const env = { ...Object.fromEntries(given), DRIFTLINE_SETTLE_AFTER: "1" };
  const plugin = await startPlugin(env);
  onTestFinished(async () => {
    plugin.stop();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { emulator, plugin, env };
}

function writes({ requests }: Emulator): readonly string[] {
  return requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

/** A call that has to fail, with what the engine would record. */
async function failed(call: Promise<unknown>): Promise<{ readonly message: string; readonly recorded: unknown }> {
  try {
    await call;
  } catch (error) {
    return { message: (error as { details?: string }).details ?? "", recorded: failureIn(error) };
  }
  throw new Error("it did not fail");
}

const S3 = {
  bucket_name: "b",
  region: "eu",
  prefix: "p/",
  aws_access_key_id: "AKIA",
  aws_secret_access_key: "hush-hush",
};
const EXPORT = {
  projectId: 2,
  name: "Nightly",
  interval: "day",
  paused: false,
  destination: { type: "S3", config: S3 },
};

describe("the packaged provider", () => {
  it("declines secrets, previews updates, and gives its schema and version without settings", async () => {
    const { plugin } = await world({}, ["DRIFTLINE_URL", "DRIFTLINE_API_KEY"]);
    const handshake = await plugin.send("handshake", "ProviderHandshakeRequest");
    expect([handshake["getAcceptSecrets"]?.(), handshake["getAcceptOutputs"]?.()]).toEqual([false, false]);
    const schema = (await plugin.send("getSchema", "GetSchemaRequest"))["getSchema"]?.() as string;
    expect(schema).toBe(await readFile(join(PACKAGE, "schemas/pulumi.schema.json"), "utf8"));
    const { version } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8")) as { version: string };
    expect((await plugin.send("getPluginInfo", "Empty"))["getVersion"]?.()).toBe(version);
    const configured = await plugin.configure({});
    expect([configured["getSupportspreview"]?.(), configured["getAcceptsecrets"]?.()]).toEqual([true, false]);
    const { message } = await failed(plugin.create("Insight", { projectId: 2, name: "A" }));
    expect(message).toContain("DRIFTLINE_URL");
    expect(plugin.output()).toBe("");
  });

  it("refuses settings that have no valid value, without the value", async () => {
    const { plugin } = await world();
    expect(
      await plugin.checkConfig({ url: "https://example.com", apiKey: "k", settleAfter: "5", version: "0.1.0" }),
    ).toEqual([]);
    const failures = await plugin.checkConfig({ profile: "other", settleAfter: "soon", apiKey: { a: "hush-2" } });
    expect(failures.map(({ property }) => property)).toEqual(["", "", ""]);
    expect(JSON.stringify(failures)).not.toContain("hush");
    expect(plugin.output()).toBe("");
  });

  it("leaves alone the keys of a project that is named driftline, and warns of one that is nearly a setting", async () => {
    const { plugin } = await world();
    const own = { region: "eu", replicas: "3", tags: { team: "web" }, apikey: "hush-1" };
    expect(await plugin.checkConfig(own)).toEqual([]);
    await expect.poll(() => plugin.output()).toContain("did you mean driftline:apiKey");
    expect(plugin.output()).not.toMatch(/region|replicas|tags|hush/);
    await plugin.configure(own);
    expect((await plugin.create("Insight", { projectId: 2, name: "A" })).id).not.toBe("");
  });

  it("takes its own settings before those of the environment, and no other service, whatever its name is", async () => {
    const { plugin, emulator } = await world();
    for (const name of ["", "default", "default_0_1_0", "second"])
      for (const [url, said] of [
        [emulator.url, "401"],
        ["http://127.0.0.1:1", "DRIFTLINE_URL and driftline:url"],
      ] as const) {
        await plugin.configure({ url, apiKey: wrapped("wrong") } as unknown as JsonObject, name);
        const { message } = await failed(plugin.create("Insight", { projectId: 2, name: "B" }));
        expect(message, name).toContain(said);
      }
    // Settings that the program does not give come from the environment.
    await plugin.configure({ apiKey: wrapped(emulator.key) } as unknown as JsonObject, "third");
    expect((await plugin.create("Insight", { projectId: 2, name: "C" })).id).not.toBe("");
    await plugin.configure({ url: UNKNOWN }, "fourth");
    expect((await failed(plugin.read("Insight", "2/1"))).message).toContain("url");
  });

  it("lives a life: a preview that only checks the key, details of differences, one PATCH, refresh, delete", async () => {
    const { plugin, emulator } = await world();
    await plugin.configure({});
    const news = { projectId: 2, name: "Signups", tags: ["a"], query: { kind: "EventsQuery", "a.b": { c: [1, 2] } } };
    const { inputs, failures } = await plugin.check("Insight", news);
    expect(failures).toEqual([]);
    const preview = await plugin.create("Insight", inputs, true);
    expect(preview).toEqual({ id: "", outs: { ...news, shortId: UNKNOWN, createdAt: UNKNOWN, isSample: UNKNOWN } });
    expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/organizations/"]);

    const { id, outs } = await plugin.create("Insight", inputs);
    expect(outs).toMatchObject({ name: "Signups", shortId: expect.any(String) as string });
    expect(await plugin.diff("Insight", outs, news)).toMatchObject({ changes: "none", paths: {} });
    const next: JsonObject = {
      projectId: 2,
      name: "Signups 2",
      query: { kind: "EventsQuery", "a.b": { c: [1, 3] } },
      description: "d",
    };
    expect(await plugin.diff("Insight", outs, next)).toEqual({
      changes: "some",
      replaces: [],
      deleteBeforeReplace: true,
      stables: ["shortId", "createdAt", "isSample"],
      paths: { name: "update", 'query["a.b"].c[1]': "update", description: "add", tags: "delete" },
    });
    expect(await plugin.diff("Insight", outs, { ...news, projectId: 3 })).toMatchObject({
      replaces: ["projectId"],
      stables: [],
      paths: { projectId: "update-replace" },
    });
    emulator.clearRequests();
    const planned = await plugin.update("Insight", id, outs, next, true);
    expect(planned).toEqual({
      ...next,
      shortId: outs["shortId"],
      createdAt: outs["createdAt"],
      isSample: false,
      __mark: outs["__mark"],
    });
    expect(emulator.requests).toEqual([]);
    const updated = await plugin.update("Insight", id, outs, next);
    expect(updated).toEqual(planned);
    expect(writes(emulator)).toHaveLength(1);

    emulator.edit("insight", Number(id), { name: "Edited" });
    expect(await plugin.read("Insight", id, updated)).toMatchObject({ id, inputs: { name: "Signups 2" } });
    await plugin.remove("Insight", id, updated);
    expect(emulator.find("insight", (one) => one["deleted"] !== true)).toEqual([]);
    expect(plugin.output()).toBe(`the key for ${emulator.url} sees the organization "Acme Inc" (${ACME})\n`);
  });

  it("wraps what holds secrets in every answer, and takes it in clear", async () => {
    const { plugin, emulator } = await world();
    await plugin.configure({});
    const { inputs } = await plugin.check("BatchExport", EXPORT);
    expect(inputs["destination"]).toEqual(wrapped(EXPORT.destination));
    const { id, outs } = await plugin.create("BatchExport", EXPORT);
    expect(outs["destination"]).toEqual(wrapped(EXPORT.destination));
    const state = { ...outs, destination: EXPORT.destination };
    const rotated = { type: "S3", config: { ...S3, aws_secret_access_key: "hush-2" } };
    expect(await plugin.diff("BatchExport", state, { ...EXPORT, destination: rotated, paused: false })).toMatchObject({
      paths: { "destination.config.aws_secret_access_key": "update" },
    });
    expect(
      await plugin.diff("BatchExport", state, {
        ...EXPORT,
        destination: { type: "NoOp", config: {} },
        paused: false,
        model: null,
        hogqlQuery: null,
        lastPausedAt: null,
      }),
    ).toMatchObject({ replaces: ["destination"], paths: { "destination.type": "update-replace" } });
    const updated = await plugin.update("BatchExport", id, state, { ...EXPORT, destination: rotated, paused: false });
    expect(updated["destination"]).toEqual(wrapped(rotated));
    expect((await plugin.read("BatchExport", id, { ...state, destination: rotated })).props["destination"]).toEqual(
      wrapped(rotated),
    );
    expect(emulator.find("batch_export", () => true)).toMatchObject([
      { destination: { config: { aws_secret_access_key: "hush-2" } } },
    ]);
    const { failures } = await plugin.check("BatchExport", {
      ...EXPORT,
      destination: { type: "S3", config: { bucket_name: { a: "hush-3" } } },
    });
    expect(JSON.stringify(failures)).not.toContain("hush");
  });
});

describe("an import", () => {
  it("takes the inputs that a program would declare, and no secrets", async () => {
    const { plugin, emulator } = await world();
    await plugin.configure({});
    const { id } = await plugin.create("BatchExport", EXPORT);
    emulator.clearRequests();
    const found = await plugin.read("BatchExport", `2/${id}`);
    expect(found.id).toBe(id);
    const destination = {
      type: "S3",
      config: { ...S3, aws_secret_access_key: UNKNOWN_SECRET, aws_access_key_id: UNKNOWN_SECRET },
    };
    expect(found.inputs).toEqual({ ...EXPORT, destination: wrapped(destination) });
    expect(Object.keys(found.props).toSorted()).toEqual(
      [...Object.keys(found.inputs), "__fixed", "__mark", "createdAt", "teamId"].toSorted(),
    );
    // A second import reads nothing: the process knows the list.
    const { length } = emulator.requests;
    await plugin.read("BatchExport", `2/${id}`);
    expect(emulator.requests).toHaveLength(length);
    const state = { ...found.props, destination };
    const checked = await plugin.check("BatchExport", { ...found.inputs, destination });
    expect(await plugin.diff("BatchExport", state, { ...checked.inputs, destination })).toMatchObject({
      changes: "none",
    });
  });

  it("leaves out defaults, and finds people by their e-mail", async () => {
    const { plugin } = await world();
    await plugin.configure({});
    const { id } = await plugin.create("Insight", { projectId: 2, name: "Signups", tags: [], favorited: false });
    expect((await plugin.read("Insight", `2/${id}`)).inputs).toEqual({ projectId: 2, name: "Signups" });
    for (const type of ["Membership", "Member"])
      expect((await plugin.read(type, `${ACME}/ada@acme.com`)).inputs, type).toEqual({
        organizationId: ACME,
        email: "ada@acme.com",
        level: 8,
      });
    expect((await plugin.read("Organization", ACME)).inputs).toEqual({
      name: "Acme Inc",
      isMemberJoinEmailEnabled: true,
    });
    const { id: domain } = await plugin.create("Domain", { organizationId: ACME, domain: "acme.com" });
    expect((await plugin.read("Domain", `${ACME}/${domain}`)).inputs).toEqual({
      organizationId: ACME,
      domain: "acme.com",
    });
  });

  it("has no value that Pulumi YAML would take for a call of a function, and says so", async () => {
    const { plugin } = await world();
    await plugin.configure({});
    const query = { source: [{ "fn::readFile": "/etc/passwd" }] };
    const { id } = await plugin.create("Insight", { projectId: 2, name: "Signups", query });
    expect((await plugin.read("Insight", `2/${id}`)).inputs).toEqual({ projectId: 2, name: "Signups" });
    expect(plugin.output()).toContain("query");
  });

  it("needs the place of the object in its id, and says how to write it", async () => {
    const { plugin } = await world();
    await plugin.configure({});
    for (const [type, id] of [
      ["Insight", "5"],
      ["Insight", `${ACME}/5`],
      ["Domain", "2/x"],
      ["BatchExport", "x/y"],
      ["Membership", "ada@acme.com"],
    ] as const)
      expect((await failed(plugin.read(type, id))).message, id).toMatch(/_ID\//);
    expect((await plugin.read("Insight", "2/99")).id).toBe("");
  });

  it("looks objects up by id, with or without a place beside it", async () => {
    const { plugin } = await world();
    await plugin.configure({});
    const { id } = await plugin.create("Insight", { projectId: 2, name: "Signups" });
    const whole = { name: "Signups", favorited: false, projectId: 2 };
    expect(await plugin.read("Insight", `2/${id}`, {})).toMatchObject({ id, props: whole });
    expect(await plugin.read("Insight", id, { projectId: 2 })).toMatchObject({ id, props: whole });
    expect((await failed(plugin.read("Insight", id, {}))).message).toContain("PROJECT_ID/ID");
    expect(await plugin.read("Insight", `2/${id}`, { projectId: 2 })).toMatchObject({ id, props: whole });
    expect((await failed(plugin.read("Insight", `2/${id}`, { projectId: 3 }))).message).toContain("another place");
  });

  it("updates and removes an object of which the state has nothing but the id as it was typed", async () => {
    const { plugin, emulator } = await world();
    await plugin.configure({});
    const { id, outs } = await plugin.create("Insight", { projectId: 2, name: "Signups" });
    const typed = `2/${id}`;
    const read = await plugin.read("Insight", typed, {});
    expect(await plugin.update("Insight", typed, read.props, { projectId: 2, name: "A" })).toMatchObject({ name: "A" });
    // Without anything to write as well.
    const { shortId } = outs;
    expect(await plugin.update("Insight", typed, {}, { projectId: 2, name: "A" })).toMatchObject({
      name: "A",
      shortId,
    });
    await plugin.remove("Insight", typed, {});
    expect(emulator.find("insight", ({ deleted }) => deleted !== true)).toEqual([]);
  });
});

describe("a failure", () => {
  it("keeps an object that exists, with its id and the reason", async () => {
    const { plugin, emulator } = await world();
    await plugin.configure({});
    emulator.faults.add({ method: "POST", times: 1, fault: { type: "ignore-field", field: "description" } });
    emulator.faults.add({ method: "PATCH", fault: { type: "ignore-field", field: "description" } });
    const inputs = { projectId: 2, name: "Signups", description: "d" };
    const { recorded } = await failed(plugin.create("Insight", inputs));
    const [stored] = emulator.find("insight", () => true);
    expect(recorded).toMatchObject({
      id: String(stored?.["id"]),
      properties: inputs,
      reasons: [expect.stringContaining("description")],
    });
    emulator.faults.clear();
    const { id, properties } = recorded as { id: string; properties: JsonObject };
    expect(await plugin.update("Insight", id, properties, inputs)).toMatchObject(inputs);
  });

  it("keeps an object that exists with its secrets wrapped", async () => {
    const { plugin, emulator } = await world();
    await plugin.configure({});
    // A batch export is created paused. Here it stays so.
    emulator.faults.add({ method: "POST", path: "/unpause", fault: { type: "status", status: 403 } });
    emulator.faults.add({ method: "PATCH", fault: { type: "status", status: 403 } });
    const { recorded } = await failed(plugin.create("BatchExport", EXPORT));
    expect(recorded).toMatchObject({ properties: { destination: wrapped(EXPORT.destination) } });
  });

  it("has no detail if nothing was created, and no secret of the request", async () => {
    const { plugin, emulator } = await world();
    await plugin.configure({});
    emulator.faults.add({
      method: "POST",
      fault: {
        type: "answer",
        status: 400,
        text: JSON.stringify({ detail: "bad hush-hush" }),
        contentType: "application/json",
      },
    });
    const { message, recorded } = await failed(plugin.create("BatchExport", EXPORT));
    expect(recorded).toBeUndefined();
    expect(message).not.toContain("hush-hush");
    expect(
      (
        await failed(
          plugin.send("create", "CreateRequest", { urn: "urn:pulumi:dev::acme::driftline:index:Nothing::x" }),
        )
      ).message,
    ).toContain("Nothing");
  });

  it("of an answer is not a second object", async () => {
    const { plugin, emulator } = await world();
    await plugin.configure({});
    emulator.faults.add({ method: "POST", times: 1, fault: { type: "process-then-drop" } });
    const { outs } = await plugin.create("Insight", { projectId: 2, name: "Once" });
    const [once, more] = emulator.find("insight", () => true);
    expect(more).toBeUndefined();
    // Other resources of the program may use what the service has chosen.
    expect(outs).toMatchObject({ shortId: once?.["short_id"], createdAt: once?.["created_at"] });
  });
});

describe("a cancel", () => {
  it("lets a create in flight end, and only ends the waiting", async () => {
    const { plugin, emulator } = await world();
    await plugin.configure({ settleAfter: "600" });
    const slow = emulator.faults.add({ method: "POST", times: 1, fault: { type: "delay-after", ms: 500 } });
    const created = plugin.create("Insight", { projectId: 2, name: "Slow" });
    await expect.poll(() => slow.hits).toBe(1);
    await plugin.send("cancel", "Empty");
    await plugin.send("cancel", "Empty");
    expect((await created).id).not.toBe("");
    // Nothing new begins, and nothing is logged.
    await failed(plugin.create("Insight", { projectId: 2, name: "Late" }));
    expect(emulator.find("insight", () => true)).toHaveLength(1);
    expect(plugin.output()).toBe("");
  });
});

describe("the schema", () => {
  it("has the same resources, properties and secrets as the dynamic resources", async () => {
    const schema = JSON.parse(await readFile(join(PACKAGE, "schemas/pulumi.schema.json"), "utf8")) as {
      resources: Record<
        string,
        { inputProperties: Record<string, { secret?: boolean }>; properties: object; aliases: object[] }
      >;
    };
    for (const { title, inputs, outputs, secrets } of Object.values(pulumiProperties)) {
      const resource = schema.resources[`driftline:index:${title}`];
      expect(Object.keys(resource?.inputProperties ?? {}), title).toEqual(expect.arrayContaining(Object.keys(inputs)));
      expect(Object.keys(resource?.properties ?? {}), title).toEqual(expect.arrayContaining(Object.keys(outputs)));
      expect(
        Object.entries(resource?.inputProperties ?? {}).flatMap(([name, { secret }]) =>
          secret === true ? [name] : [],
        ),
      ).toEqual(secrets);
      expect(resource?.aliases).toEqual([{ type: `pulumi-nodejs:dynamic/driftline:${title}` }]);
      // An SDK would send a default as if the program had declared it.
      expect(JSON.stringify(resource)).not.toContain('"default":');
    }
  });
});
