/** A project with more insights than a person wants in one file: each later command finds the files of the export. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workspace, type Workspace } from "../support/workspace.ts";

const QUERY = { kind: "DataTableNode", source: { kind: "EventsQuery", select: ["*"] } };

/** @param names names of insights of the project */
async function exported(names: readonly string[]): Promise<Workspace> {
  const space = await workspace({ dialect: "deployed" });
  for (const name of names) space.emulator.insert("insight", { project: 2 }, { name, query: QUERY });
  const { code, stderr } = await space.run(["export", "--out", "live"]);
  expect(code, stderr).toBe(0);
  return space;
}

const filesOf = async ({ folder }: Workspace): Promise<readonly string[]> =>
  (await readdir(join(folder, "live"), { recursive: true })).filter((file) => file.endsWith(".yaml")).toSorted();

const NAMES = Array.from({ length: 620 }, (_, index) => `${"abc"[index % 3] ?? ""} ${String(index)}`);
const SPLIT = ["a", "b", "c"].map((letter) => `acme-inc/projects/web/insights/${letter}.yaml`);

describe("an export of 620 insights", () => {
  it("is split by their names, and a plan of it, or of one of its files, is empty", async () => {
    const space = await exported(NAMES);
    expect(await filesOf(space)).toEqual(["acme-inc/organization.yaml", "acme-inc/projects/web.yaml", ...SPLIT]);
    for (const path of ["live", "live/acme-inc/projects/web/insights/b.yaml"])
      expect((await space.run(["plan", path, "--detailed-exitcode"])).code).toBe(0);
  });

  it("keeps its files when insights come and go", async () => {
    const space = await exported(NAMES.filter((name) => name !== "a 0").concat("c new", "d"));
    expect(await filesOf(space)).toEqual(expect.arrayContaining([...SPLIT, "acme-inc/projects/web/insights/d.yaml"]));
  });

  it("is added to by import: a known letter in its file, a new one in a new file beside it", async () => {
    const space = await exported(NAMES);
    for (const name of ["Bounce rate", "Visits", "visitors"])
      space.emulator.insert("insight", { project: 2 }, { name, query: QUERY });
    const { code, stderr } = await space.run(["import", "--all", "--yes", "live"]);
    expect(code, stderr).toBe(0);
    const read = (letter: string) =>
      readFile(join(space.folder, `live/acme-inc/projects/web/insights/${letter}.yaml`), "utf8");
    expect(await read("b")).toContain("bounce-rate:");
    expect(await read("v")).toMatch(/visitors:[^]*visits:|visits:[^]*visitors:/);
    expect((await space.run(["plan", "live", "--detailed-exitcode"])).code).toBe(0);
  });

  it("takes what was changed outside into the right file", async () => {
    const space = await exported(NAMES);
    const [insight] = space.emulator.find("insight", ({ name }) => name === "b 1");
    space.emulator.edit("insight", insight?.["id"] as number, { name: "b renamed" });
    expect((await space.run(["drift", "--accept", "--yes", "live"])).code).toBe(0);
    const text = await readFile(join(space.folder, "live/acme-inc/projects/web/insights/b.yaml"), "utf8");
    expect(text).toContain("name: b renamed");
  });
});

describe("an export with a file for each insight", () => {
  const folder = "live/acme-inc/projects/web/insights";

  it("plans to nothing, as a whole and one file at a time, and import adds a file", async () => {
    const space = await workspace({ dialect: "deployed" });
    const add = (name: string) => space.emulator.insert("insight", { project: 2 }, { name, query: QUERY });
    for (const name of ["Visits", "Visits, paid", "Revenue"]) add(name);
    const { code, stderr } = await space.run(["export", "--out", "live", "--split", "insights"]);
    expect(code, stderr).toBe(0);
    const files = (await filesOf(space)).filter((file) => file.includes("insights"));
    expect(files).toEqual(
      expect.arrayContaining(
        ["revenue", "visits", "visits-paid"].map((name) => `acme-inc/projects/web/insights/${name}.yaml`),
      ),
    );
    for (const path of ["live", `${folder}/visits.yaml`])
      expect((await space.run(["plan", path, "--detailed-exitcode"])).code).toBe(0);
    add("Visits, free");
    expect((await space.run(["import", "--all", "--yes", "live"])).code).toBe(0);
    expect(await readFile(join(space.folder, folder, "visits-free.yaml"), "utf8")).toContain("name: Visits, free");
    expect((await space.run(["plan", "live", "--detailed-exitcode"])).code).toBe(0);
  });

  it("names the files of a folder, and counts them if they are many", async () => {
    const space = await workspace({ dialect: "deployed" });
    const names = Array.from({ length: 11 }, (_, index) => `Visits ${String(index)}`);
    for (const name of names) space.emulator.insert("insight", { project: 2 }, { name, query: QUERY });
    const split = async (out: string) => (await space.run(["export", "--out", out, "--split", "insights"])).stdout;
    expect(await split("many")).toContain("many/acme-inc/projects/web/insights/ (11 files)\n");
    for (const { id } of space.emulator.find("insight").slice(1)) space.emulator.remove("insight", id);
    expect(await split("few")).toContain("few/acme-inc/projects/web/insights/visits-0.yaml\n");
  });

  it.each([["--single-file", "--out", "live"], ["--pulumi", "live"], []])("is for a folder: %s", async (...args) => {
    const { run } = await workspace();
    expect((await run(["export", ...args.filter(Boolean), "--split", "insights"])).code).toBe(10);
  });
});

describe("an export into one file", () => {
  it("of more than a configuration file may have is refused, and nothing is printed", async () => {
    const space = await workspace();
    for (let index = 0; index < 12; index += 1)
      space.emulator.insert(
        "insight",
        { project: 2 },
        { name: String(index), description: "d", filters: { note: "x".repeat(1_000_000) } },
      );
    const { code, stdout, stderr } = await space.run(["export"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("too_large");
    expect((await space.run(["export", "--out", "live"])).code).toBe(0);
    expect((await space.run(["plan", "live", "--detailed-exitcode"])).code).toBe(0);
  });
});
