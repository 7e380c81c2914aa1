/** `undeclared: report`: live values that an export would write, and that the file does not have, are drift. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { one, web } from "../support/acme.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { messyOrganization } from "../support/messy.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const REPORT = { undeclared: "report" };
const S3 = { bucket_name: "b", region: "eu", prefix: "e/" };
const SIGNUPS = { name: "Signups", query: { kind: "DataTableNode", source: { kind: "EventsQuery" } } };

/** An organization as it was applied, and then got more values in the web interface. */
async function edited(
  { insight = {}, settings = {} }: { readonly insight?: JsonObject; readonly settings?: JsonObject },
  file: JsonObject = REPORT,
  lifecycles: readonly [insight: JsonObject, exported: JsonObject] = [{}, {}],
): Promise<Workspace> {
  const space = await workspace();
  const nightly = { name: "Nightly", interval: "day", destination: { type: "S3", config: S3 } };
  const declared = ([ofInsight, ofExport]: typeof lifecycles): object => ({
    ...web({
      insights: { signups: { ...SIGNUPS, lifecycle: ofInsight } },
      batch_exports: { nightly: { ...nightly, lifecycle: ofExport } },
    }),
    ...file,
  });
  await space.configure(declared([{}, {}]));
  await space.apply();
  await space.configure(declared(lifecycles));
  space.emulator.edit("insight", Number(one(space.emulator.find("insight")).id), insight);
  const { id } = one(space.emulator.find("batch_export"));
  space.emulator.edit("batch_export", String(id), { destination: { type: "S3", config: { ...S3, ...settings } } });
  return space;
}

const textOf = (space: Workspace): Promise<string> => readFile(join(space.folder, "driftline.yaml"), "utf8");
const accept = (space: Workspace) => space.run(["drift", "--accept", "--yes"]);

/** The exit code of a drift, the paths that differ, and those that are only counted. */
async function drifted(space: Workspace) {
  const { code, document } = await space.drift();
  const paths = document.changes.flatMap(({ fields }) => fields.map(({ path }) => path));
  const more = document.changes.flatMap((change) => change.more ?? []);
  return { code, paths, counted: more.filter((path) => !paths.includes(path)) };
}

const EDITS = { insight: { description: "new", tags: ["a"] }, settings: { compression: "gzip" } };
const PATHS = ["/destination/config/compression", "/description", "/tags"];

describeDialects(
  "undeclared values of an export that was just written",
  () => {
    it("are none", async () => {
      const space = await workspace({ seed: messyOrganization() });
      await space.configure((await space.run(["export"])).stdout);
      expect(await textOf(space)).toContain("driftline: 1\nundeclared: report\n");
      expect(await drifted(space)).toEqual({ code: 0, paths: [], counted: [] });
      expect((await space.plan()).diagnostics).toEqual([]);
    });
  },
  ALL_DIALECTS,
);

describeDialects("undeclared values", () => {
  it("are drift with their values, and left alone by plan and apply, which say so", async () => {
    const space = await edited(EDITS);
    expect(await drifted(space)).toEqual({ code: 2, paths: PATHS, counted: [] });
    for (const format of ["text", "markdown", "html"])
      expect((await space.run(["drift", "--format", format])).stdout).toContain("gzip");
    const { changes, diagnostics } = await space.plan();
    expect(changes.filter(({ action }) => action !== "no_op")).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["undeclared"]);
    const { stderr } = await space.run(["apply", "--yes"], { leaves: "undeclared values" });
    expect(stderr).toContain("3 undeclared live values are left alone");
  });

  it("are written by drift --accept, in the types of the configuration, and then nothing differs", async () => {
    const settings = { compression: "gzip", use_virtual_style_addressing: true };
    const space = await edited({ ...EDITS, settings });
    expect((await accept(space)).code).toBe(0);
    expect(await textOf(space)).toMatch(/compression: gzip\n\s+use_virtual_style_addressing: true\n/);
    expect(await drifted(space)).toEqual({ code: 0, paths: [], counted: [] });
    expect((await space.plan()).diagnostics).toEqual([]);
  });

  it("are only counted, and never written, if the file does not ask for them", async () => {
    const space = await edited(EDITS, {});
    expect(await drifted(space)).toEqual({ code: 0, paths: [], counted: PATHS });
    expect((await space.run(["drift"])).stdout).toMatch(/3 undeclared values are left alone/);
    const before = await textOf(space);
    expect((await accept(space)).code).toBe(0);
    expect(await textOf(space)).toBe(before);
    expect((await space.plan()).diagnostics).toEqual([]);
  });
});

describe("no undeclared values are", () => {
  it.each<[string, ...Parameters<typeof edited>]>([
    ["secrets", { settings: { webhook_api_token: "t-0123456789" } }],
    ["what the service sets by itself", { settings: { legacy_parquet_extension: false } }],
    ["dashboards", { insight: { dashboards: [4] } }],
    ["null", { settings: { compression: null } }],
    ["texts with a secret of this run", { insight: { description: "emulator-key" } }],
    [
      "what others manage",
      EDITS,
      REPORT,
      [{ ignore: ["description", "tags"] }, { ignore: ["/destination/config/compression"] }],
    ],
    [
      "what is compared in part",
      { insight: { query: { ...SIGNUPS.query, full: true } } },
      REPORT,
      [{ partial: ["query"] }, {}],
    ],
    ["those of forgotten objects", EDITS, REPORT, [{ forget: true }, { forget: true }]],
  ])("%s", async (_what, ...edits) => {
    expect(await drifted(await edited(...edits))).toEqual({ code: 0, paths: [], counted: [] });
  });

  it("those of an organization that is only a scope, but those of one with a declared field are", async () => {
    const space = await workspace();
    const { id } = one(space.emulator.find("organization"));
    space.emulator.edit("organization", String(id), { enforce_2fa: true });
    const report = { driftline: 1, undeclared: "report" };
    await space.configure({ ...report, organizations: { acme: { id: String(id) } } });
    expect(await drifted(space)).toEqual({ code: 0, paths: [], counted: [] });
    await space.configure({ ...report, organizations: { acme: { id: String(id), name: "Acme Inc" } } });
    expect(await drifted(space)).toMatchObject({
      code: 2,
      paths: expect.arrayContaining(["/enforce_2fa"]) as string[],
    });
    space.emulator.edit("organization", String(id), { enforce_2fa: false });
    const { document } = await space.drift();
    expect(document.diagnostics.map(({ code }) => code)).toContain("protection_off");
    for (const args of [["drift"], ["drift", "--accept", "--yes"]])
      expect((await space.run(args)).stdout).toContain("live false, not declared");
  });
});

it("the file that declares a resource decides, and the value of the setting is checked", async () => {
  const space = await edited(EDITS, {});
  await space.configure({ driftline: 1, undeclared: "report" }, "other.yaml");
  expect((await space.run(["drift", "."])).code).toBe(0);
  await space.configure({ driftline: 1, undeclared: "ignore" }, "other.yaml");
  expect((await space.run(["drift", "."])).code).toBe(10);
});
