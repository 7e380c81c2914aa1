/**
 * States of earlier releases: `states/` has one of each release that changed the stored format. They never change, as
 * the states of users do not. DRIFTLINE_WRITE_STATE=NAME adds one. A state whose name ends in `-failed` is of a run in which
 * one write failed, and has more kinds of secrets. One whose name ends in `-packaged` is of the packaged provider.
 */
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Seed } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { CANARIES, leaksIn } from "../support/canary.ts";
import { SECRETS } from "../support/interface/declare.ts";
import { engine } from "./support/engine.ts";
import { ACME, lives } from "./support/lives.ts";
import { createPackagedStack, createYamlStack } from "./support/packaged-stack.ts";
import { createStack, type Deployment, type Program, type Stack } from "./support/stack.ts";
import { besideKeyChecks } from "./support/key-checks.ts";

const { bin, missing } = engine();
const FOLDER = new URL("states/", import.meta.url);
const states = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
const whole = states.filter((file) => !/-(?:failed|packaged)\.json$/.test(file));
const packaged = states.filter((file) => file.endsWith("-packaged.json"));
const failed = states.filter((file) => file.endsWith("-failed.json"));
const name = process.env["DRIFTLINE_WRITE_STATE"];

const id = (number: number): string => `0190aa11-0000-4000-8000-0000000001${String(number).padStart(2, "0")}`;
const created_at = "2026-01-01T00:00:00.000000Z";
const BETA = id(1);
const destination = lives["events"]?.create["destination"] ?? {};
const plugin = { plugin_type: "source" };

const { json, pem, markup } = CANARIES;
/** Every secret in the states. */
const KNOWN = { ...SECRETS, json, pem, markup };
const config = { account: "a", user: "u", database: "d", warehouse: "w", schema: "s", private_key: pem };
const snowflake = { type: "Snowflake", config: { ...config, password: json } };

/** The service that the states were written against. Every id is fixed. */
const SEED: Seed = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      projects: [
        {
          id: 2,
          name: "Web",
          dashboards: [7],
          batch_exports: [
            { id: id(2), name: "Persons", interval: "hour", destination, created_at },
            { id: id(8), name: "Snowflake", interval: "hour", destination: snowflake, created_at },
          ],
          insights: [
            { id: 41, short_id: "abcdefgh", name: "Signups", created_at },
            { id: 42, short_id: "half0042", name: "Half", created_at },
            { id: 43, short_id: "quiet043", name: "Quiet", description: markup, created_at },
          ],
        },
      ],
      members: [
        { email: "ada@acme.com", level: 15 },
        { email: "bob@acme.com", uuid: id(3), level: 1, joined_at: created_at },
      ],
      invites: [
        { id: id(4), target_email: "carol@acme.com", created_at: "2026-11-21T12:00:00.000000Z" },
        { id: id(5), target_email: "eve@acme.com", level: 1, created_at: "2026-11-21T12:00:00.000000Z" },
      ],
      batch_exports: [{ id: id(6), name: "Events", interval: "hour", destination, created_at }],
      pipeline_destinations: [{ id: 51, name: "PipelineDestination", ...plugin }],
      pipeline_frontend_apps: [{ id: 52, name: "PipelineFrontendApp", ...plugin }],
      pipeline_import_apps: [{ id: 53, name: "PipelineImportApp", ...plugin }],
    },
    {
      id: BETA,
      name: "Beta",
      created_at,
      domains: [{ id: id(7), domain: "acme.com", verification_challenge: "challenge" }],
    },
  ],
};

const OPTIONS = { seed: SEED, now: () => new Date("2026-11-21T12:30:00Z") };
/** The ways a program can go on with a state of dynamic resources. */
const FORMS = [
  ["dynamic resources", createStack],
  ["Pulumi YAML", createYamlStack],
  ["a Node program with packaged resources", createPackagedStack],
] as const;
const PACKAGED = FORMS.slice(1);

/** Every kind, with a change of its last field if `isChanged`. */
function program(isChanged: boolean): Program {
  return Object.fromEntries(
    Object.entries(lives).map(([key, { kind, type, create, changes }]) => {
      const [field = "", value = null] = Object.entries(changes).at(-1) ?? [];
      const more: JsonObject = kind === "organization" ? { confirmDelete: "Beta" } : {};
      return [key, { type, args: { ...create, adopt: true, ...more, ...(isChanged ? { [field]: value } : {}) } }];
    }),
  );
}

/** What the runs declared that failed: also each kind of secret, and an insight whose description the service did not take. */
function failedProgram(): Program {
  const insight = (title: string, description: JsonObject | string): Program[string] => ({
    type: "Insight",
    args: { projectId: 2, name: title, adopt: true, description },
  });
  const secretly = { ...snowflake, config: { ...config, password: { $secret: json } } };
  return {
    ...program(false),
    snowflake: {
      type: "BatchExport",
      args: { projectId: 2, name: "Snowflake", interval: "hour", adopt: true, destination: secretly },
    },
    half: insight("Half", "d"),
    quiet: insight("Quiet", { $secret: markup }),
  };
}

async function restored(create: (typeof FORMS)[number][1], file: string, declared: Program): Promise<Stack> {
  const stack = await create(bin, OPTIONS);
  const state = await readFile(new URL(file, FOLDER), "utf8");
  expect(leaksIn(state, KNOWN)).toEqual([]);
  await stack.restore(JSON.parse(state) as object);
  await stack.declare(declared);
  return stack;
}

/** The values that a state keeps encrypted, as `resource.property`, without the settings of providers. */
function encryptedIn({ deployment }: Deployment): readonly string[] {
  const own = (deployment.resources ?? []).filter(({ type }) => !String(type).startsWith("pulumi:"));
  const values = own.flatMap(({ urn, inputs, outputs }) =>
    [inputs, outputs].flatMap((props) =>
      Object.entries((props ?? {}) as JsonObject).map(([property, value]) => ({
        path: `${String(urn).split("::").at(-1) ?? ""}.${property}`,
        isEncrypted: JSON.stringify(value).includes('"ciphertext"'),
      })),
    ),
  );
  return values.flatMap(({ path, isEncrypted }) => (isEncrypted ? [path] : []));
}

/** Fails if the state shows a secret in any spelling, or if it keeps other values encrypted than before. */
async function expectEncrypted(stack: Stack, before: readonly string[]): Promise<void> {
  const deployment = await stack.deployment();
  expect(leaksIn(JSON.stringify(deployment), KNOWN)).toEqual([]);
  expect(encryptedIn(deployment).toSorted()).toEqual(before.toSorted());
}

describe.skipIf(missing !== undefined)("a state", () => {
  it.each(whole)("of %s can be refreshed, updated and destroyed", async (file) => {
    const stack = await restored(createStack, file, program(false));
    expect(await stack.steps("refresh", "--preview-only")).toEqual([]);
    await stack.run("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(stack.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await stack.declare(program(true));
    await stack.run("up", "--yes", "--skip-preview");
    expect(await stack.state()).toHaveLength(Object.keys(lives).length);
    await stack.run("destroy", "--yes", "--skip-preview");
    const left = Object.values(lives).flatMap(({ stored, find }) => stack.emulator.find(stored, find));
    expect(left).toEqual([]);
  });

  it.each(whole.flatMap((file) => PACKAGED.map(([form, create]) => ({ file, form, create }))))(
    "of $file comes over to $form with no request but the check of the key and without a change",
    async ({ file, create }) => {
      const stack = await restored(create, file, program(false));
      const encrypted = encryptedIn(await stack.deployment());
      const before = await stack.state();
      expect(await stack.steps("preview")).toEqual([]);
      await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
      expect(besideKeyChecks(stack.emulator)).toEqual([]);
      await expectEncrypted(stack, encrypted);
      const withoutText = before.map(({ name: own, type, id: its, inputs: { __provider: _text, ...inputs } }) => {
        return { name: own, type: `driftline:index:${type.split(":").at(-1) ?? ""}`, id: its, inputs };
      });
      const after = (await stack.state()).map(({ outputs: _outputs, ...rest }) => rest);
      const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);
      expect(after.toSorted(byName)).toEqual(withoutText.toSorted(byName));
      await stack.run("refresh", "--yes", "--skip-preview", "--expect-no-changes");
      await expectEncrypted(stack, encrypted);
      await stack.declare(program(true));
      await stack.run("up", "--yes", "--skip-preview");
      await stack.run("destroy", "--yes", "--skip-preview");
      const left = Object.values(lives).flatMap(({ stored, find }) => stack.emulator.find(stored, find));
      expect(left).toEqual([]);
    },
  );

  it.each(failed.flatMap((file) => FORMS.map(([form, create]) => ({ file, form, create }))))(
    "of $file goes on in $form, and only what had failed is sent",
    async ({ file, create }) => {
      const stack = await restored(create, file, failedProgram());
      const encrypted = encryptedIn(await stack.deployment());
      expect(encrypted).toEqual(expect.arrayContaining(["snowflake.destination", "quiet.description"]));
      expect(await stack.steps("preview")).toMatchObject([{ op: "update", name: "half" }]);
      expect(besideKeyChecks(stack.emulator)).toEqual([]);
      await stack.run("up", "--yes", "--skip-preview");
      const writes = stack.emulator.requests.filter(({ method }) => method !== "GET");
      expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual(["PATCH /api/projects/2/insights/42/"]);
      expect(stack.emulator.find("insight", (one) => one["id"] === 42)).toMatchObject([{ description: "d" }]);
      stack.emulator.clearRequests();
      await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
      expect(besideKeyChecks(stack.emulator)).toEqual([]);
      await expectEncrypted(stack, encrypted);
    },
  );
});

describe.skipIf(missing !== undefined)("a state of the packaged provider", () => {
  it.each(packaged.flatMap((file) => PACKAGED.map(([form, create]) => ({ file, form, create }))))(
    "of $file shows no change in $form, with no request but the check of the key",
    async ({ file, create }) => {
      const stack = await restored(create, file, program(false));
      const before = await stack.state();
      const encrypted = encryptedIn(await stack.deployment());
      expect(before).toHaveLength(Object.keys(lives).length);
      expect(await stack.steps("preview")).toEqual([]);
      await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
      expect(besideKeyChecks(stack.emulator)).toEqual([]);
      await stack.run("refresh", "--yes", "--skip-preview", "--expect-no-changes");
      expect(stack.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);
      expect((await stack.state()).toSorted(byName)).toEqual(before.toSorted(byName));
      await expectEncrypted(stack, encrypted);
    },
  );
});

describe.skipIf(missing !== undefined)("this release", () => {
  it.each(name === undefined ? [] : [name])(
    "writes a state for later ones: %s",
    { timeout: 300_000 },
    async (release) => {
      const stack = await (release.endsWith("-packaged") ? createYamlStack : createStack)(bin, OPTIONS);
      const isFailed = release.endsWith("-failed");
      await stack.declare(isFailed ? failedProgram() : program(false));
      const ignoring = { type: "ignore-field", field: "description" } as const;
      if (isFailed) stack.emulator.faults.add({ method: "PATCH", path: /insights\/42\//, fault: ignoring });
      const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
      expect(code === 0, output).toBe(!isFailed);
      const text = `${JSON.stringify(await stack.deployment(), null, 1)}\n`;
      await mkdir(FOLDER, { recursive: true });
      await writeFile(new URL(`${release}.json`, FOLDER), text, { flag: "wx" });
    },
  );

  it("is tested with states of earlier ones", () => {
    expect(whole).not.toEqual([]);
    expect(failed).not.toEqual([]);
    expect(packaged).not.toEqual([]);
  });
});
