import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importFileIn } from "../support/program.ts";
import { linesWith, normalized } from "../support/normalized.ts";
import { SEED, workspace } from "../support/workspace.ts";

const ACME = SEED.organizations[0]?.id;
const BETA = "0190aa11-0000-4000-8000-00000000000b";

describe("driftline export --pulumi", () => {
  it.each([
    ["packaged", ["import.json"]],
    ["dynamic", ["constructors.ts", "import.json"]],
  ])("writes a file for %s resources, and says which command of Pulumi writes the program", async (provider, names) => {
    const { run, folder, emulator } = await workspace();
    const { code, stdout, stderr } = await run(["export", "--pulumi", "infra/acme", "--provider", provider]);
    expect(code).toBe(0);
    expect(readdirSync(join(folder, "infra/acme"))).toEqual(names);
    expect(stdout.trim().split("\n").toSorted()).toEqual(names.map((name) => `infra/acme/${name}`));
    expect(normalized(stderr)).toMatchSnapshot();
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    for (const name of names)
      expect(await readFile(join(folder, "infra/acme", name), "utf8")).not.toContain(emulator.key);
  });

  it("is for the packaged provider, with what the service computes", async () => {
    const { run, folder } = await workspace();
    await run(["export", "--pulumi", "out"]);
    const [organization] = await importFileIn(join(folder, "out"));
    expect(organization).toMatchObject({
      type: "driftline:index:Organization",
      name: "acme-inc",
      id: ACME,
      inputs: { name: "Acme Inc" },
      outputs: { name: "Acme Inc", slug: "acme-inc", __mark: "imported" },
    });
  });

  it("overwrites nothing, and writes nothing beside existing files", async () => {
    const { run, folder } = await workspace();
    await mkdir(join(folder, "out"));
    await writeFile(join(folder, "out/import.json"), "{}");
    const { code, stderr } = await run(["export", "--pulumi", "out"]);
    expect(code).toBe(10);
    expect(stderr).toContain("out/import.json");
    expect(linesWith(stderr, "error file_exists: ")).toMatchSnapshot();
    expect(readdirSync(join(folder, "out"))).toEqual(["import.json"]);
  });

  it.each([
    ["--out", ["--out", "other"]],
    ["--no-ids", ["--no-ids"]],
  ])("refuses %s beside it, before any request", async (name, more) => {
    const { run, folder, emulator } = await workspace();
    const { code, stderr } = await run(["export", "--pulumi", "out", ...more]);
    expect(code).toBe(10);
    expect(stderr).toContain(name);
    expect(emulator.requests).toEqual([]);
    expect(readdirSync(folder)).not.toContain("out");
  });

  it("refuses --provider without --pulumi", async () => {
    const { run, emulator } = await workspace();
    const { code, stderr } = await run(["export", "--provider", "packaged"]);
    expect(code).toBe(10);
    expect(linesWith(stderr, "error usage: ")).toMatchSnapshot("the refusal");
    expect(emulator.requests).toEqual([]);
  });

  it("goes where --out says, and nowhere without a folder", async () => {
    const { run, folder, emulator } = await workspace();
    const { code, stderr } = await run(["export", "--pulumi"]);
    expect(code).toBe(10);
    expect(linesWith(stderr, "error usage: ")).toMatchSnapshot();
    expect(emulator.requests).toEqual([]);
    expect((await run(["export", "--pulumi", "--out", "infra"])).code).toBe(0);
    expect((await importFileIn(join(folder, "infra"))).length).toBeGreaterThan(1);
  });

  it("takes the organizations and projects that are asked for", async () => {
    const seed = {
      organizations: [
        { id: BETA, name: "Beta", projects: [{ id: 5, name: "Shop", insights: [{ name: "a" }] }] },
        { name: "Acme", projects: [{ id: 6, name: "Web", insights: [{ name: "b" }] }] },
      ],
    };
    const { run, folder } = await workspace({ seed });
    expect((await run(["export", "--pulumi", "beta", "--organization", BETA])).code).toBe(0);
    const names = (await importFileIn(join(folder, "beta"))).map(({ name }) => name);
    expect(names.every((name) => name.startsWith("beta"))).toBe(true);
    expect(names).toContain("beta/projects/shop/insights/a");
    expect((await run(["export", "--pulumi", "web", "--project", "6"])).code).toBe(0);
    const insights = (await importFileIn(join(folder, "web"))).filter(({ type }) => type.endsWith(":Insight"));
    expect(insights.map(({ name }) => name)).toEqual(["acme/projects/web/insights/b"]);
  });

  it("reads one organization by its id if the list is refused, with the values that the service computes", async () => {
    const { run, folder, emulator } = await workspace();
    // The first request is the list.
    emulator.faults.add({ nth: 1, fault: { type: "status", status: 403 } });
    const { code, stderr } = await run([
      "export",
      "--pulumi",
      "out",
      "--organization",
      SEED.organizations[0]?.id ?? "",
    ]);
    expect(code, stderr).toBe(0);
    expect((await importFileIn(join(folder, "out")))[0]).toMatchObject({ outputs: { slug: "acme-inc" } });
  });

  it("leaves out a kind that cannot be read, and says so by its exit code", async () => {
    const { run, folder, emulator } = await workspace();
    emulator.faults.add({ method: "GET", path: "/domains", fault: { type: "status", status: 403 } });
    const { code, stderr } = await run(["export", "--pulumi", "out"]);
    expect(code).toBe(11);
    expect(stderr).toContain("domains");
    expect((await importFileIn(join(folder, "out"))).length).toBeGreaterThan(1);
  });
});
