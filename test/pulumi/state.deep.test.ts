/**
 * States of earlier releases: `states/` has one of each release that changed the stored format. They never change, as
 * the states of users do not. DRIFTLINE_WRITE_STATE=NAME adds one.
 */
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Seed } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { engine } from "./support/engine.ts";
import { ACME, lives } from "./support/lives.ts";
import { createStack, type Program, type Stack } from "./support/stack.ts";

const { bin, missing } = engine();
const FOLDER = new URL("states/", import.meta.url);
const releases = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
const name = process.env["DRIFTLINE_WRITE_STATE"];

const id = (number: number): string => `0190aa11-0000-4000-8000-0000000001${String(number).padStart(2, "0")}`;
const created_at = "2026-01-01T00:00:00.000000Z";
const BETA = id(1);
const destination = lives["events"]?.create["destination"] ?? {};
const plugin = { plugin_type: "source" };

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
          batch_exports: [{ id: id(2), name: "Persons", interval: "hour", destination, created_at }],
          insights: [{ id: 41, short_id: "abcdefgh", name: "Signups", created_at }],
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

function service(): Promise<Stack> {
  return createStack(bin, { seed: SEED, now: () => new Date("2026-11-21T12:30:00Z") });
}

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

describe.skipIf(missing !== undefined)("a state", { timeout: 300_000 }, () => {
  it.each(releases)("of %s can be refreshed, updated and destroyed", async (file) => {
    const stack = await service();
    await stack.restore(JSON.parse(await readFile(new URL(file, FOLDER), "utf8")) as object);
    await stack.declare(program(false));
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
});

describe.skipIf(missing !== undefined)("this release", () => {
  it.each(name === undefined ? [] : [name])(
    "writes a state for later ones: %s",
    { timeout: 300_000 },
    async (release) => {
      const stack = await service();
      await stack.declare(program(false));
      await stack.run("up", "--yes", "--skip-preview");
      const text = `${JSON.stringify(await stack.deployment(), null, 1)}\n`;
      await mkdir(FOLDER, { recursive: true });
      await writeFile(new URL(`${release}.json`, FOLDER), text, { flag: "wx" });
    },
  );

  it("is tested with states of earlier ones", () => {
    expect(releases.length).toBeGreaterThan(0);
  });
});
