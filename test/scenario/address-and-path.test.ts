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
