/** What a person may answer to the list of `import`, and what the list leaves out. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const CONFIG = `driftline: 1
organizations:
  acme:
    name: Acme Inc
    projects:
      web: { name: Web }
      app: { name: App }
`;

async function seeded(): Promise<Workspace> {
  const space = await workspace({
    seed: {
      organizations: [
        {
          name: "Acme Inc",
          domains: [{ domain: "acme.com" }],
          projects: [
            { id: 2, name: "Web", insights: ["Shared", "Only web"].map((name) => ({ name, saved: true })) },
            { id: 3, name: "App", insights: [{ name: "Shared", saved: true }] },
          ],
        },
      ],
    },
  });
  await space.configure(CONFIG);
  return space;
}

/** Answers the questions of an import, the last one with yes. Returns the names that are in the file now. */
async function imported(space: Workspace, ...answers: readonly string[]) {
  const left = [...answers, "yes"];
  const runtime = { interactive: true, ask: () => Promise.resolve(left.shift()) };
  const { code, stdout, stderr } = await space.run(["import"], { runtime });
  const text = await readFile(join(space.folder, "driftline.yaml"), "utf8");
  return { code, stdout, stderr, left, names: text.match(/acme-com|shared|only-web/g) ?? [] };
}

describeDialects("the question of import", () => {
  it.each<readonly [string, string, readonly string[]]>([
    ["a name of the list", "only-web", ["only-web"]],
    ["several names", "only-web acme-com", ["acme-com", "only-web"]],
    ["an address", "acme/projects/app/insights/shared", ["shared"]],
    ["the heading of a collection", "acme/projects/web/insights/", ["only-web", "shared"]],
    ["a line of the list", '  only-web  "Only web"  id ID', ["only-web"]],
  ])("takes %s", async (_name, answer, names) => {
    const space = await seeded();
    const id = space.emulator.find("insight").find(({ name }) => name === "Only web")?.["id"];
    const result = await imported(space, answer.replace("ID", String(id)));
    expect([result.code, result.stderr.includes("error"), result.names.toSorted()]).toEqual([0, false, names]);
  });

  it.each([
    ["a name that several objects have", "shared", "ambiguous_name"],
    ["a name that is not in the list", "only-wbe", "unknown_address"],
    ["an address that is unknown", "acme/projects/web/insights/none", "unknown_address"],
  ])("asks again after %s", async (_name, answer, error) => {
    const result = await imported(await seeded(), answer, "only-web");
    expect(result).toMatchObject({ code: 0, names: ["only-web"], left: [] });
    expect(result.stderr).toContain(`error ${error}: `);
  });

  it("takes a line of the list whose name several objects have", async () => {
    const space = await seeded();
    const ids = space.emulator.find("insight").flatMap(({ name, id }) => (name === "Shared" ? [String(id)] : []));
    const { code, names } = await imported(
      space,
      `shared  "Shared"  id ${ids[0] ?? ""} shared  "Shared"  id ${ids[1] ?? ""}`,
    );
    expect([code, names]).toEqual([0, ["shared", "shared"]]);
  });

  it("imports nothing without an answer", async () => {
    expect(await imported(await seeded(), "")).toMatchObject({ code: 0, names: [] });
  });
});

describeDialects("import", () => {
  it("says that an expired invite is left out, and reads the organizations once", async () => {
    const space = await seeded();
    const [acme] = space.emulator.find("organization");
    space.emulator.insert(
      "invite",
      { organization: String(acme?.["id"]) },
      { target_email: "eve@acme.com", level: 1, is_expired: true },
    );
    space.emulator.clearRequests();
    const { stdout } = await space.run(["import"]);
    expect(stdout).toContain("Left out: 1 expired invite (eve@acme.com).");
    const organizations = space.emulator.requests.filter(({ path }) => /^\/api\/organizations\/?(?:\?|$)/.test(path));
    expect(organizations).toHaveLength(1);
    expect((await space.run(["import", "--only", "acme/domains", "--yes"])).stdout).not.toContain("Left out");
  });
});
