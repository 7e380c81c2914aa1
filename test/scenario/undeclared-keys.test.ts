/** Keys that somebody has added to the settings of a destination: a drift report counts them, and drift --accept declares them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { one, web } from "../support/acme.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const S3 = { bucket_name: "b", region: "eu", prefix: "e/" };

/** An export as it was applied, and then got more settings. */
async function withSettings(more: JsonObject): Promise<Workspace> {
  const space = await workspace();
  const destination = { type: "S3", config: S3 };
  await space.configure(web({ batch_exports: { nightly: { name: "Nightly", interval: "day", destination } } }));
  await space.apply();
  const { id } = one(space.emulator.find("batch_export"));
  space.emulator.edit("batch_export", String(id), { destination: { type: "S3", config: { ...S3, ...more } } });
  return space;
}

const lastLine = async (space: Workspace) => {
  const { code, stdout } = await space.run(["drift", "--quiet"]);
  return { code, counts: /\d+ (?=undeclared key)/.exec(stdout)?.[0].trim() };
};
const textOf = (space: Workspace) => readFile(join(space.folder, "driftline.yaml"), "utf8");
const accept = (space: Workspace, ...args: readonly string[]) => space.run(["drift", "--accept", "--yes", ...args]);

describeDialects("undeclared keys of a destination", () => {
  it("are counted in the last line, and are no drift", async () => {
    const space = await withSettings({ compression: "gzip", file_format: "Parquet" });
    expect(await lastLine(space)).toEqual({ code: 0, counts: "2" });
    for (const format of ["text", "markdown", "html"])
      expect((await space.run(["drift", "--format", format])).stdout).toContain("undeclared key");
    expect((await space.run(["plan"])).stdout).not.toContain("undeclared key");
  });

  it("are declared by drift --accept, in the types of the configuration, and then there are none", async () => {
    const space = await withSettings({ compression: "gzip", use_virtual_style_addressing: true });
    expect((await accept(space)).code).toBe(0);
    expect(await textOf(space)).toMatch(/compression: gzip\n\s+use_virtual_style_addressing: true\n/);
    expect(await lastLine(space)).toEqual({ code: 0, counts: undefined });
    expect((await space.plan()).changes.every(({ action }) => action === "no_op")).toBe(true);
  });

  it("are declared together with what differs, or by the address alone", async () => {
    const space = await withSettings({ compression: "gzip", prefix: "new/" });
    expect(await lastLine(space)).toEqual({ code: 2, counts: "1" });
    expect((await accept(space, "acme/projects/web/batch_exports/nightly")).code).toBe(0);
    expect(await textOf(space)).toMatch(/prefix: new\/\n\s+compression: gzip\n/);
    expect(await lastLine(space)).toEqual({ code: 0, counts: undefined });
  });

  it.each([
    ["secrets", { webhook_api_token: "t-0123456789" }],
    ["what the service sets by itself", { legacy_parquet_extension: false }],
    ["null", { compression: null }],
  ])("are not counted and not declared if they are %s", async (_case, more) => {
    const space = await withSettings(more);
    const before = await textOf(space);
    expect(await lastLine(space)).toEqual({ code: 0, counts: undefined });
    expect((await accept(space)).code).toBe(0);
    expect(await textOf(space)).toBe(before);
  });

  it("are left to others by lifecycle.ignore", async () => {
    const space = await withSettings({ compression: "gzip" });
    const destination = { type: "S3", config: S3 };
    const lifecycle = { ignore: ["/destination/config/compression"] };
    await space.configure(
      web({ batch_exports: { nightly: { name: "Nightly", interval: "day", destination, lifecycle } } }),
    );
    expect(await lastLine(space)).toEqual({ code: 0, counts: undefined });
  });
});

it("a secret of the run under any key is refused with the path, and stays out of the file", async () => {
  const space = await withSettings({ note: "emulator-key" });
  expect(space.emulator.key).toBe("emulator-key");
  const { code, stderr } = await accept(space);
  expect([code, stderr.includes("/destination/config/note")]).toEqual([0, true]);
  expect(await textOf(space)).not.toContain("emulator-key");
});
