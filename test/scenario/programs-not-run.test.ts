/** A configuration that is a program runs only where a person, or a pipeline, wants its values. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workspace, type Workspace } from "../support/workspace.ts";

const FILES = ["a.driftline.ts", "a.driftline.mts", "deep/er/b.driftline.ts"];

interface Folder extends Workspace {
  readonly hasRun: () => boolean;
}

/** A folder with a program that leaves a trace, and YAML beside it. */
async function withProgram(file: string, service: object = {}, yaml: object = {}): Promise<Folder> {
  const space = await workspace();
  const trace = join(space.folder, "trace");
  const value = { driftline: 1, service, organizations: { acme: { name: "Acme Inc" } } };
  await mkdir(join(space.folder, "deep/er"), { recursive: true });
  await writeFile(
    join(space.folder, file),
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(trace)}, "");\nexport default ${JSON.stringify(value)};\n`,
  );
  await space.configure(
    { driftline: 1, organizations: { acme: { domains: { corp: { domain: "acme.com" } } } }, ...yaml },
    "a.yaml",
  );
  return { ...space, hasRun: () => existsSync(trace) };
}

describe.each(FILES)("the program %s", (file) => {
  it.each([
    ["complete-words", "--", "plan", "--only", "ac"],
    ["complete-words", "--", "apply", "."],
    ["export"],
    ["call", "organizations.list"],
    ["call", "organizations.list", "--dry-run"],
  ])("is not run by %s %s %s %s", async (...args) => {
    const { run, hasRun } = await withProgram(file);
    expect(await run(args)).toMatchObject({ code: 0 });
    // No other URL is known then, so the files are read.
    await run(args, { env: { DRIFTLINE_URL: "" } });
    expect(hasRun()).toBe(false);
  });

  const env = { DRIFTLINE_NO_PROGRAMS: "true" };
  it.each([
    [["validate", "--no-programs"], {}],
    [["plan", "--no-programs"], {}],
    [["plan", "--no-programs", file], {}],
    [["validate"], env],
    [["plan", file], env],
    [["drift", "--accept", "--yes"], env],
    [["apply", "--yes"], env],
    [["import"], env],
    [["pin", "--yes"], env],
    [["plan"], { DRIFTLINE_NO_PROGRAMS: "1" }],
  ])("is refused by name: %j %o", async (args, own) => {
    const { run, hasRun, emulator } = await withProgram(file);
    const { code, stderr } = await run(args, { env: own });
    expect([code, stderr]).toEqual([10, expect.stringContaining(`${file}: error program_refused`)]);
    expect([hasRun(), emulator.requests]).toEqual([false, []]);
  });

  it.each([{}, { DRIFTLINE_NO_PROGRAMS: "" }, { DRIFTLINE_NO_PROGRAMS: "false" }, { DRIFTLINE_NO_PROGRAMS: "0" }])(
    "is run otherwise: %o",
    async (own) => {
      const { run, hasRun } = await withProgram(file);
      expect([(await run(["validate"], { env: own })).code, hasRun()]).toEqual([0, true]);
    },
  );
});

describe("a URL that only a program may name", () => {
  it.each([["export"], ["call", "organizations.list"]])("is not known to %s, which says so", async (...args) => {
    const { run } = await withProgram("a.driftline.ts", { url: "http://127.0.0.1:1" });
    const { code, stderr } = await run(args, { env: { DRIFTLINE_URL: "" } });
    expect([code, stderr]).toEqual([10, expect.stringMatching(/error no_url.*a\.driftline\.ts/u)]);
  });

  it("is not needed if YAML names one", async () => {
    const space = await workspace();
    const { run } = await withProgram("a.driftline.ts", {}, { service: { url: space.emulator.url } });
    expect(await run(["call", "organizations.list"], { env: { DRIFTLINE_URL: "" } })).toMatchObject({ code: 0 });
  });
});
