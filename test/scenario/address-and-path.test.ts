/** Arguments are paths, and addresses follow --only. An argument that is an address and no existing path is still taken. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ACME, seedOf } from "../support/acme.ts";
import { workspace } from "../support/workspace.ts";

const DECLARED = `driftline: 1\norganizations:\n  acme:\n    id: ${ACME}\n    name: Acme Inc\n`;
const ELSEWHERE = DECLARED.replace("acme:", "other:");

const COMMANDS = [["pin"], ["drift", "--accept"], ["import"]];

it("an argument on disk is a path, whatever is declared", async () => {
  const { folder, run } = await workspace({ seed: seedOf({ name: "Acme GmbH" }) });
  await mkdir(join(folder, "acme"));
  await writeFile(join(folder, "driftline.yaml"), DECLARED);
  await writeFile(join(folder, "acme/people.yaml"), ELSEWHERE);
  const { code, stderr } = await run(["drift", "--accept", "--yes", "acme"]);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("address_without_only")]);
  expect(await readFile(join(folder, "acme/people.yaml"), "utf8")).toContain("name: Acme GmbH");
  expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toBe(DECLARED);
  expect((await run(["drift", "--accept", "--yes", "--only", "acme"])).code).toBe(0);
  expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toContain("name: Acme GmbH");
});

it.each(["signups", "report.json", "a.b.ts", "signups.yaml", "x.mjs", "-x.yaml", "a@b.json"])(
  "an address that ends like a file is taken behind --only, and without it if no such file is there: %s",
  async (key) => {
    const insight = { id: 5, short_id: "abc", name: "Signups", description: "live" };
    const projects = [{ id: 2, name: "Web", insights: [insight] }];
    const { folder, run, configure } = await workspace({
      seed: { organizations: [{ id: ACME, name: "Acme Inc", projects }] },
    });
    const insights = { [key]: { name: "Signups", description: "declared" } };
    await configure({ driftline: 1, organizations: { acme: { id: ACME, projects: { web: { id: "2", insights } } } } });
    const before = await readFile(join(folder, "driftline.yaml"), "utf8");
    const address = `acme/projects/web/insights/${key}`;
    for (const given of [["--only", address], [address]]) {
      await writeFile(join(folder, "driftline.yaml"), before);
      for (const command of COMMANDS) {
        const { code, stderr } = await run([...command, "--yes", ...given]);
        expect([code, stderr]).toEqual([0, expect.not.stringContaining("error")]);
        expect(stderr.includes("warning address_without_only")).toBe(given.length === 1);
        expect((await run([...command, "--yes", ...given.slice(0, -1), `${address}x`])).code).toBe(10);
      }
      expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toMatch(
        /id: "?5"?( # \S+)?\n[^]*description: live/,
      );
    }
    await mkdir(join(folder, "acme/projects/web/insights"), { recursive: true });
    await writeFile(join(folder, address), "");
    expect((await run(["pin", "--yes", address])).code).toBe(10);
    expect((await run(["pin", "--yes", "--only", address])).code).toBe(0);
  },
);

it("a program runs once, although an argument may be an address", async () => {
  const { folder, run } = await workspace({ seed: seedOf() });
  const declared = `{ driftline: 1, organizations: { acme: { id: "${ACME}", name: "Acme Inc" } } }`;
  const counts = `import { appendFileSync } from "node:fs";\nappendFileSync(new URL("runs", import.meta.url), "1");\n`;
  await writeFile(join(folder, "a.driftline.ts"), `${counts}export default ${declared};\n`);
  expect((await run(["pin", "--yes", "a.driftline.ts", "acme"])).code).toBe(0);
  expect(await readFile(join(folder, "runs"), "utf8")).toBe("1");
});

it.each(COMMANDS.map((command) => [command.join(" "), command] as const))(
  "%s of a path that does not exist says so",
  async (_name, command) => {
    const { run, configure } = await workspace({ seed: seedOf() });
    for (const text of [DECLARED, "driftline: ["]) {
      await configure(text);
      expect((await run([...command, "--yes", "driftlin.yaml"])).stderr).toContain(
        "driftlin.yaml: error file_not_found",
      );
    }
  },
);

it.each(["validate", "plan", "apply", "drift", "pin"])(
  "%s says of a path that no file can have that it cannot be read",
  async (verb) => {
    const { run } = await workspace();
    for (const path of ["é".repeat(500), `${"a/".repeat(3_000)}b.yaml`, "driftline.yaml/x.yaml"]) {
      const { code, stderr } = await run([verb, path]);
      expect([code, stderr]).toEqual([10, expect.not.stringContaining("bug in driftline")]);
    }
  },
);
