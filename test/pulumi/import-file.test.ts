/** The file that an export writes for the packaged provider, beside what the provider checks, and reads in a refresh. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Dialect } from "../../src/emulator/index.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json/json.ts";
import { unwrapSecrets } from "../../src/pulumi/plugin/wire.ts";
import { SECRET_SIGNATURE, SIGNATURE } from "../../src/pulumi/properties/mark-secrets.ts";
import { cli, envOf } from "../support/cli.ts";
import { seeds } from "../support/organizations.ts";
import { importFileIn, type ImportedResource } from "../support/program.ts";
import { pluginWorld, type PluginWorld } from "./support/plugin-world.ts";

const COUNT = 2;

/** What the engine hands on of a value in the file: the secrets in it as they are. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => plain(item));
  if (!isJsonObject(value)) return value;
  const text = value["plaintext"] ?? null;
  if (value[SIGNATURE] === SECRET_SIGNATURE && typeof text === "string") return JSON.parse(text) as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

async function importFileOf({ emulator }: PluginWorld): Promise<readonly ImportedResource[]> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-import-file-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { code, stderr } = await cli(["export", "--pulumi", "out"], { cwd: folder, env: envOf(emulator, folder) });
  expect(code, stderr).toBe(0);
  return importFileIn(join(folder, "out"));
}

describe("the import file for the packaged provider", () => {
  it.each(["document", "deployed", "current"] satisfies Dialect[])(
    "has the state that a refresh leaves, in the dialect %s",
    async (dialect) => {
      const found = new Set<string>();
      for (const seed of fc.sample(seeds, { seed: 20261126, numRuns: COUNT })) {
        const world = await pluginWorld({ seed, dialect });
        for (const { type, id, inputs, outputs } of await importFileOf(world)) {
          const title = type.replace("driftline:index:", "");
          found.add(title);
          const { inputs: checked, failures } = await world.plugin.check(title, plain(inputs) as JsonObject);
          expect([unwrapSecrets(checked), failures], `${title} ${id}`).toEqual([plain(inputs), []]);
          const read = await world.plugin.read(title, id, plain(outputs) as JsonObject);
          const shown = { id: read.id, inputs: unwrapSecrets(read.inputs), outputs: unwrapSecrets(read.props) };
          expect(shown, `${title} ${id}`).toEqual({ id, inputs: plain(inputs), outputs: plain(outputs) });
        }
      }
      expect([...found]).toEqual(expect.arrayContaining(["Organization", "Membership", "Insight", "BatchExport"]));
    },
  );
});
