/** A folder may have the name of an organization: what is declared wins, and `./NAME` is the folder. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ACME, seedOf } from "../support/acme.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const DECLARED = `driftline: 1\norganizations:\n  acme:\n    id: ${ACME}\n    name: Acme Inc\n`;
const ELSEWHERE = DECLARED.replace("acme:", "other:");

/** @param files texts by their paths */
async function folderNamedAcme(files: Readonly<Record<string, string>>): Promise<Workspace> {
  const space = await workspace({ seed: seedOf({ name: "Acme GmbH" }) });
  await mkdir(join(space.folder, "acme"));
  for (const [path, text] of Object.entries(files)) await writeFile(join(space.folder, path), text);
  return space;
}

describe("an argument that names a folder and a declared organization", () => {
  it.each([
    ["import", ["import", "--yes"]],
    ["pin", ["pin", "--yes"]],
    ["drift --accept", ["drift", "--accept", "--yes"]],
  ])("is the address for %s, which says so", async (_name, command) => {
    const { run } = await folderNamedAcme({ "driftline.yaml": DECLARED });
    const { stderr } = await run([...command, "acme"]);
    expect(stderr).toContain("warning address_and_path");
    expect(stderr).not.toContain("no_configuration");
  });

  it("is the folder if it is written as one", async () => {
    const { folder, run } = await folderNamedAcme({ "driftline.yaml": DECLARED, "acme/people.yaml": ELSEWHERE });
    const { code, stderr } = await run(["drift", "--accept", "--yes", "./acme"]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("address_and_path")]);
    expect(await readFile(join(folder, "acme/people.yaml"), "utf8")).toContain("name: Acme GmbH");
    expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toBe(DECLARED);
  });

  it("is accepted, and the paths beside it are read", async () => {
    const { folder, run } = await folderNamedAcme({ "one.yaml": DECLARED });
    const { code } = await run(["drift", "--accept", "--yes", "one.yaml", "acme"]);
    expect(code).toBe(0);
    expect(await readFile(join(folder, "one.yaml"), "utf8")).toContain("name: Acme GmbH");
  });
});

describe("a declared address that ends like a file", () => {
  it.each(["report.json", "a.b.ts", "signups.yaml", "x.mjs"])(
    "is the address unless such a file is there: %s",
    async (key) => {
      const insight = { id: 5, short_id: "abc", name: "Signups", description: "live" };
      const seed = {
        organizations: [{ id: ACME, name: "Acme Inc", projects: [{ id: 2, name: "Web", insights: [insight] }] }],
      };
      const { folder, run, configure } = await workspace({ seed });
      const insights = { [key]: { name: "Signups", description: "declared" } };
      await configure({
        driftline: 1,
        organizations: { acme: { id: ACME, projects: { web: { id: "2", insights } } } },
      });
      const address = `acme/projects/web/insights/${key}`;
      for (const command of [["pin"], ["drift", "--accept"], ["import"]]) {
        const { code, stderr } = await run([...command, "--yes", address]);
        expect([code, stderr]).toEqual([0, expect.not.stringContaining("error")]);
        expect((await run([...command, "--yes", `${address}x`])).code).toBe(10);
      }
      expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toMatch(/id: "?5"?\n[^]*description: live/);
      await mkdir(join(folder, "acme/projects/web/insights"), { recursive: true });
      await writeFile(join(folder, address), "");
      expect((await run(["pin", "--yes", address])).code).toBe(10);
    },
  );
});

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

it("an argument on disk that nothing declares is a path", async () => {
  const { folder, run } = await folderNamedAcme({ "driftline.yaml": ELSEWHERE, "acme/driftline.yaml": ELSEWHERE });
  const { code, stderr } = await run(["drift", "--accept", "--yes", "acme"]);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("address_and_path")]);
  expect(await readFile(join(folder, "acme/driftline.yaml"), "utf8")).toContain("name: Acme GmbH");
});

it("an argument on disk is a path if the rest cannot be read", async () => {
  const { folder, run } = await folderNamedAcme({ "driftline.yaml": "driftline: [", "acme/driftline.yaml": DECLARED });
  expect((await run(["drift", "--accept", "--yes", "acme"])).code).toBe(0);
  expect(await readFile(join(folder, "acme/driftline.yaml"), "utf8")).toContain("name: Acme GmbH");
});
