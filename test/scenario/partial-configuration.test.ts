/** `exclusive` and a part of the files: what the other files declare is not pruned. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PlanDocument } from "../../src/model/plan.ts";
import { ACME, domains, seedOf, stored, writes } from "../support/acme.ts";
import { outcomesOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { normalized } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const acme = (more: object): object => ({ driftline: 1, organizations: { acme: more } });
const seed = seedOf({ domains: [{ domain: "a.com" }, { domain: "b.com" }, { domain: "c.com" }] });

/** Three domains on the service: one is declared beside `exclusive`, one in another folder, one nowhere. */
async function layout(): Promise<Workspace> {
  const space = await workspace({ seed });
  await mkdir(join(space.folder, "teams"));
  await space.configure(acme({ id: ACME, exclusive: ["domains"], domains: domains(["a.com"]) }), "organization.yaml");
  await space.configure(acme({ domains: domains(["b.com"]) }), "teams/b.yaml");
  return space;
}

describeDialects("a part of an exclusive configuration", () => {
  it("is not pruned by apply: 13, and nothing is sent", async () => {
    const space = await layout();
    const { code, stderr } = await space.run(["apply", "--yes", "--prune", "organization.yaml"]);
    expect([code, stderr]).toEqual([13, expect.stringContaining("partial_configuration")]);
    expect(normalized(stderr)).toMatchSnapshot();
    expect(space.emulator.requests).toEqual([]);
  });

  it("is shown by plan, which ends with 13, and applied with the hash of that plan only", async () => {
    const space = await layout();
    const { code, stderr, stdout } = await space.run(["plan", "--prune", "organization.yaml", "--out", "plan.json"]);
    expect([code, stderr]).toEqual([13, expect.stringContaining("partial_configuration")]);
    expect(normalized(stderr)).toMatchSnapshot();
    expect(stdout).toContain("b.com");
    expect(stdout).not.toContain("To carry it out");
    const { hash } = JSON.parse(await readFile(join(space.folder, "plan.json"), "utf8")) as PlanDocument;
    expect(stderr).toContain(`driftline apply --plan plan.json --approve ${hash}`);
    const apply = async (...args: readonly string[]) => (await space.run(["apply", "--yes", ...args])).code;
    expect(await apply("--plan", "plan.json")).toBe(13);
    expect(await apply("--prune", "--approve", "0".repeat(64), "organization.yaml")).toBe(13);
    expect(writes(space)).toEqual([]);
    const approved = ["apply", "--yes", "--json", "--plan", "plan.json", "--approve", hash];
    const result = await space.run(approved, { leaves: "the next plan that prunes needs an approval as well" });
    expect([result.code, outcomesOf(result).record.lifted_by]).toEqual([0, ["--prune", `--approve ${hash}`]]);
    expect(stored(space, "domain", "domain")).toEqual(["a.com"]);
  });

  it("is planned without --prune, and pruned where the folder is given", async () => {
    const space = await layout();
    expect((await space.run(["plan", "organization.yaml"])).code).toBe(0);
    await space.apply(["--prune", "."]);
    expect(stored(space, "domain", "domain")).toEqual(["a.com", "b.com"]);
  });

  it("is whole if all files are named, or the others declare something else", async () => {
    const space = await layout();
    const plan = async (...paths: readonly string[]) => (await space.run(["plan", "--prune", ...paths])).code;
    expect(await plan("organization.yaml", "teams/b.yaml")).toBe(0);
    expect(await plan("organization.yaml", "teams")).toBe(0);
    await space.configure({ driftline: 1, organizations: { beta: { name: "Beta" } } }, "teams/b.yaml");
    expect(await plan("organization.yaml")).toBe(0);
    await space.configure("on: push\njobs: {}\n", "teams/b.yaml");
    expect(await plan("organization.yaml")).toBe(0);
  });

  it.each([
    ["broken", "driftline: 1\norganizations: [", "b.yaml"],
    ["a program", "export default {};", "b.driftline.ts"],
  ])("is a part if a file that was left out is %s", async (_name, text, file) => {
    const space = await workspace({ seed });
    await space.configure(acme({ id: ACME, exclusive: ["domains"], domains: domains(["a.com"]) }), "organization.yaml");
    await space.configure(text, file);
    expect((await space.run(["plan", "--prune", "organization.yaml"])).code).toBe(13);
  });

  it("is one beside the given folder in the git work tree; a program there is a warning", async () => {
    const space = await layout();
    const folder = join(space.folder, "conf");
    await mkdir(folder);
    await space.configure(acme({ id: ACME, exclusive: ["domains"], domains: domains(["a.com"]) }), "conf/a.yaml");
    expect((await space.run(["plan", "--prune", "conf"])).code).toBe(0);
    await mkdir(join(space.folder, ".git"));
    expect((await space.run(["plan", "--prune", "conf"])).code).toBe(13);
    await space.configure(acme({ name: "Beta" }), "organization.yaml");
    expect((await space.run(["plan", "--prune", "conf"])).code, "one by its id, one by its name").toBe(13);
    await space.configure(acme({ id: "0190aa11-0000-4000-8000-00000000000b", name: "Beta" }), "organization.yaml");
    await space.configure({ ...acme({}), service: { url: "https://eu.posthog.com" } }, "teams/b.yaml");
    await writeFile(join(space.folder, "teams/c.driftline.ts"), "throw 1;\n");
    const { code, stderr } = await space.run(["plan", "--prune", "conf"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("file_not_read")]);
    expect(normalized(stderr)).toMatchSnapshot();
  });

  it("does not matter to a plan of something else", async () => {
    const space = await layout();
    await space.configure(
      { driftline: 1, organizations: { beta: { name: "Beta", lifecycle: { create: true } } } },
      "b.yaml",
    );
    expect((await space.run(["plan", "--prune", "--only", "beta", "organization.yaml", "b.yaml"])).code).toBe(0);
  });
});
