/** `pin ADDRESS=ID` for organizations and projects, which hold other resources. */
import { optionWords } from "../../src/model/command.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";
const OTHER = "0190aa11-0000-4000-8000-00000000000b";

const CONFIG = `driftline: 1
organizations:
  acme:
    name: Former name
    projects:
      web:
        name: Former project
        insights:
          one: { name: One }
      app: { name: App }
`;

const SEED = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      projects: [
        { id: 2, name: "Web", insights: [{ name: "One", saved: true }] },
        { id: 3, name: "App" },
      ],
    },
    { id: OTHER, name: "Other", projects: [{ id: 9, name: "Elsewhere" }] },
  ],
};

async function pinned(
  ...given: readonly string[]
): Promise<Workspace & { readonly code: number; readonly text: string; readonly stderr: string }> {
  const space = await workspace({ seed: SEED });
  await space.configure(CONFIG);
  const { code, stderr } = await space.run(["pin", "--yes", ...optionWords("only", given)]);
  return { ...space, code, stderr, text: await readFile(join(space.folder, "driftline.yaml"), "utf8") };
}

describeDialects("pin of a scope by its id", () => {
  it("writes the ids of an organization and of a project that have other names by now, and nothing below them", async () => {
    const { code, text, stderr, plan } = await pinned(`acme=${ACME}`, "acme/projects/web=2");
    expect([code, stderr]).toEqual([0, ""]);
    expect(text).toBe(
      CONFIG.replace("name: Former name", `id: ${ACME}\n    name: Former name`).replace(
        "name: Former project",
        'id: "2"\n        name: Former project',
      ),
    );
    expect((await plan()).changes.filter(({ action }) => action !== "no_op")).toMatchObject([
      { address: "acme", action: "update", id: ACME },
    ]);
  });

  it("writes the one of an organization alone, although its projects have other names by now", async () => {
    const { code, text, stderr } = await pinned(`acme=${ACME}`);
    expect([code, stderr]).toEqual([0, ""]);
    expect(text).toBe(CONFIG.replace("name: Former name", `id: ${ACME}\n    name: Former name`));
  });

  it("writes the one of an organization with what is asked for in a project that is found", async () => {
    const { code, text, stderr } = await pinned(`acme=${ACME}`, "acme/projects/app");
    expect([code, stderr]).toEqual([0, ""]);
    expect(text).toContain('app: { id: "3", name: App }');
    expect(text).toContain("name: Former project\n        insights");
  });

  it("names the command for both if the organization of a project is not found", async () => {
    const { code, text, stderr, run } = await pinned("acme/projects/web=2");
    expect([code, text]).toEqual([10, CONFIG]);
    const [, words = ""] = /driftline (pin [^`]*)/u.exec(stderr) ?? [];
    expect(words.split(" ")).toEqual(["pin", ...optionWords("only", [`acme=${ACME}`, "acme/projects/web=2"])]);
    expect(await run([...words.split(" "), "--yes"])).toMatchObject({ code: 0 });
  });

  it.each([
    [`acme=${ACME}`, "acme/projects/web"],
    [`acme=${ACME}`, "acme/projects/web/insights/one"],
    [`acme=${ACME}`, "acme/projects/web/insights/one=1"],
  ])("refuses %s with %s, whose project is not found", async (...given) => {
    const { code, text, stderr } = await pinned(...given);
    expect([code, stderr]).toEqual([10, expect.stringContaining("error unknown_project: ")]);
    expect(text).toBe(CONFIG);
  });

  it("also writes what is asked for without an id", async () => {
    const { text } = await pinned(`acme=${ACME}`, "acme/projects/web=2", "acme/projects/web/insights/one");
    expect(text).toMatch(/one: \{ id: \d+, name: One \}/);
    expect(text).toContain("app: { name: App }");
  });

  it.each([
    [[`acme=${OTHER}x`], "invalid_id"],
    [[`acme=${ACME}`, "acme/projects/web=99"], "unknown_project"],
    [[`acme=${ACME}`, "acme/projects/web=9"], "unknown_project"],
    [[`acme=${ACME}`, "acme/projects/web=3"], "duplicate_scope"],
    [[`acme=${ACME}`, "acme/projects/none=3"], "unknown_address"],
    [["nobody=3"], "unknown_address"],
  ])("refuses %s: %s", async (given, reason) => {
    const { code, text, stderr } = await pinned(...given);
    expect([code, stderr]).toEqual([10, expect.stringContaining(`error ${reason}: `)]);
    expect(text).toBe(CONFIG);
  });

  it("refuses the id of an organization that the key does not see", async () => {
    const { code, text, stderr } = await pinned("acme=0190aa11-0000-4000-8000-00000000dead");
    expect([code, stderr, text]).toEqual([1, expect.stringContaining("error pin_missing: "), CONFIG]);
  });

  it("refuses a project that is pinned already", async () => {
    const space = await workspace({ seed: SEED });
    const text = CONFIG.replace("name: Former name", `id: ${ACME}`).replace("name: Former project", "id: 2");
    await space.configure(text);
    const { code, stderr } = await space.run(["pin", "--yes", "--only", "acme/projects/web=3"]);
    expect([code, stderr]).toEqual([10, expect.stringContaining("error duplicate_pin: ")]);
  });
});
