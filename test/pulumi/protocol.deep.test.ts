import { createRequire } from "node:module";
import { runtime } from "@pulumi/pulumi";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { UNKNOWN } from "../../src/pulumi/properties/check.ts";
import { identityOf } from "../../src/pulumi/properties/provider-text.ts";
import { envOf } from "../support/cli.ts";
import { normalized } from "../support/normalized.ts";
import { SEED } from "../support/workspace.ts";
import type { Found } from "./sdks/sdks.ts";
import { sdks } from "./support/engine.ts";
import { PACKAGE } from "./support/package.ts";
import { OWN, startProvider, type ProviderProcess } from "./support/provider-process.ts";

const ACME = SEED.organizations[0]?.id ?? "";

/** The SDKs that run the process: our own, and the oldest and the newest of the peer range. */
const toolchains: readonly Found[] = [OWN, ...sdks()];

interface World {
  readonly emulator: Emulator;
  readonly provider: ProviderProcess;
}

/** An emulator and a stock process that uses it. `atEnd` receives the function that stops both. */
async function world(toolchain: Found, atEnd: (end: () => Promise<void>) => void): Promise<World> {
  if ("missing" in toolchain) throw new Error(toolchain.missing);
  const folder = await mkdtemp(join(tmpdir(), "driftline-pulumi-"));
  const emulator = await startEmulator({ seed: SEED });
  const provider = await startProvider(envOf(emulator, folder), {}, toolchain);
  atEnd(async () => {
    provider.stop();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { emulator, provider };
}

function writes({ requests }: Emulator): readonly string[] {
  return requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

describe("the text in the state", () => {
  it("is the text that every release has written", () => {
    expect(identityOf("Domain").text).toBe(
      'exports.handler=()=>require("module").createRequire(process.cwd()+"/")("driftline/dynamic").domain();',
    );
  });

  it("names an entry that can be required", async () => {
    const dynamic = createRequire(join(PACKAGE, "package.json"))("driftline/dynamic") as Record<string, () => object>;
    expect(Object.keys(dynamic).toSorted()).toEqual([
      "batchExport",
      "domain",
      "identityProviderConfig",
      "insight",
      "invite",
      "lookUp",
      "member",
      "membership",
      "organization",
      "pipelineDestination",
      "pipelineFrontendApp",
      "pipelineImportApp",
    ]);
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(dynamic["domain"]?.()) as object);
    expect(methods.toSorted()).toEqual([
      "check",
      "configure",
      "constructor",
      "create",
      "delete",
      "diff",
      // The packaged provider looks up an import with it. The engine never calls it here.
      "find",
      "list",
      "locate",
      "read",
      "update",
    ]);
  });

  it("uses Pulumi's own text for an unknown value", () => {
    expect(UNKNOWN).toBe((runtime as unknown as { readonly unknownValue: string }).unknownValue);
  });
});

interface Life {
  readonly entry: string;
  readonly inputs: JsonObject;
  /** Inputs that check adds or replaces. */
  readonly checked?: JsonObject;
  readonly computed: readonly string[];
  readonly change: JsonObject;
  /** Inputs whose change replaces the object. */
  readonly replaces?: readonly string[];
}

const organizationId = ACME;
const plugin = {
  inputs: { organizationId, name: "Sink", pluginType: "source" },
  computed: [],
  change: { description: "where things go" },
};
const lives: readonly Life[] = [
  { entry: "organization", inputs: { name: "Beta" }, computed: ["createdAt", "slug"], change: { enforce2fa: true } },
  {
    entry: "domain",
    inputs: { organizationId, domain: "acme.com" },
    computed: ["hasSaml", "isVerified", "verificationChallenge", "verifiedAt"],
    change: { samlEntityId: "urn:acme" },
  },
  {
    entry: "invite",
    inputs: { organizationId, targetEmail: "eve@acme.com", level: "admin" },
    checked: { level: 8 },
    computed: ["createdAt", "emailingAttemptMade"],
    change: { message: "Hello" },
    replaces: ["message"],
  },
  {
    entry: "member",
    inputs: { organizationId, email: "bob@acme.com", level: 1 },
    computed: ["joinedAt"],
    change: { level: 8 },
  },
  {
    entry: "membership",
    inputs: { organizationId, email: "Eve@acme.com", level: 1 },
    computed: [],
    change: { level: 8 },
  },
  {
    entry: "batchExport",
    inputs: {
      organizationId,
      name: "Events",
      interval: "hour",
      destination: {
        type: "S3",
        config: { bucket_name: "b", region: "eu", prefix: "e/", aws_secret_access_key: "hush" },
      },
    },
    checked: { paused: false },
    computed: ["createdAt", "teamId"],
    change: { interval: "day" },
  },
  { entry: "pipelineDestination", ...plugin },
  { entry: "pipelineFrontendApp", ...plugin },
  { entry: "pipelineImportApp", ...plugin },
  {
    entry: "insight",
    inputs: { projectId: "2", name: "Signups", tags: ["Growth"] },
    computed: ["createdAt", "isSample", "shortId"],
    change: { query: { kind: "TrendsQuery" } },
  },
];

const cases = toolchains.map((toolchain): [string, Found] => [toolchain.name, toolchain]);

describe.each(cases)("the life of a resource in the stock process of the %s SDK", (_name, toolchain) => {
  let shared: World;
  beforeAll(async () => {
    if (!("missing" in toolchain)) shared = await world(toolchain, (end) => ends.push(end));
  });
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => void (await Promise.all(ends.map((end) => end()))));

  it.skipIf("missing" in toolchain).each(lives)("$entry", async (life) => {
    const { entry, inputs, checked = {}, computed, change, replaces } = life;
    const { emulator, provider } = shared;
    const resource = provider.as(entry);
    const check = await resource.check({}, inputs);
    expect(check).toEqual({ inputs: { ...inputs, ...checked }, failures: [] });
    const created = await resource.create(check.inputs);
    expect(created.id).not.toBe("");
    expect(created.outs).toMatchObject(check.inputs);
    const shown = Object.keys(created.outs).filter((name) => !name.startsWith("__"));
    expect(shown.toSorted()).toEqual([...Object.keys(check.inputs), ...computed].toSorted());
    expect(await resource.diff(created.id, created.outs, check.inputs)).toMatchObject({ changes: "none" });
    expect(await resource.read(created.id, created.outs)).toEqual({
      id: created.id,
      props: created.outs,
      inputs: check.inputs,
    });

    const news = { ...check.inputs, ...change };
    expect(await resource.diff(created.id, created.outs, news)).toMatchObject({
      changes: "unknown",
      replaces: replaces ?? [],
    });
    if (replaces === undefined) {
      const updated = await resource.update(created.id, created.outs, news);
      expect(updated).toMatchObject(news);
      emulator.clearRequests();
      expect(await resource.update(created.id, updated, news)).toEqual(updated);
      expect(writes(emulator)).toEqual([]);
      expect(await resource.read(created.id, updated)).toMatchObject({ props: updated, inputs: news });
    }
    await resource.remove(created.id, entry === "organization" ? { ...news, confirmDelete: "Beta" } : news);
    await resource
      .remove(created.id, entry === "organization" ? { ...news, confirmDelete: "Beta" } : news)
      .catch(() => undefined);
    const after = await resource.read(created.id, news).catch(() => ({ id: "" }));
    expect(after).toMatchObject(entry === "insight" ? { props: { deleted: true } } : { id: "" });
  });

  it.skipIf("missing" in toolchain)(
    "prints nothing but what the key sees and the error of a lookup, because the user sees all output",
    async () => {
      const { provider } = shared;
      // Reading an organization that is gone is an error, and the only output of this and of all rows above.
      await provider
        .as("organization")
        .read("0190aa11-0000-4000-8000-0000000000ff", { name: "Gone" })
        .catch(() => undefined);
      // An answer of the process comes after all its earlier output.
      await provider.version();
      const lines = provider
        .output()
        .split("\n")
        .filter((line) => line.trim() !== "" && !line.startsWith("the key for "));
      expect([...new Set(lines.map(normalized))]).toMatchSnapshot();
    },
  );
});
