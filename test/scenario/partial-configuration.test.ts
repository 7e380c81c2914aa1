/** `exclusive` and a part of the files: what the other files declare is not pruned. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ACME, domains, seedOf, stored } from "../support/acme.ts";
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
  it.each(["plan", "apply"])("is not pruned by %s: 13, and nothing is sent", async (command) => {
    const space = await layout();
    const yes = command === "apply" ? ["--yes"] : [];
    const { code, stderr } = await space.run([command, ...yes, "--prune", "organization.yaml"]);
    expect([code, stderr]).toEqual([13, expect.stringContaining("partial_configuration")]);
    expect(normalized(stderr)).toMatchSnapshot();
    expect(space.emulator.requests).toEqual([]);
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

  it("does not matter to a plan of something else", async () => {
    const space = await layout();
    await space.configure(
      { driftline: 1, organizations: { beta: { name: "Beta", lifecycle: { create: true } } } },
      "b.yaml",
    );
    expect((await space.run(["plan", "--prune", "--only", "beta", "organization.yaml", "b.yaml"])).code).toBe(0);
  });
});
