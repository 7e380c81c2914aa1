/** What accept and import write into a file that a person has ordered: what is there stays in its place. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";

const CONFIG = `driftline: 1
undeclared: report
organizations:
  acme:
    name: Acme Inc
    # who decides comes first
    memberships:
      zoe@acme.com: { level: admin } # since 2024
      # the others
      mia@acme.com: { level: member }
      ada@acme.com: { level: admin }
    projects:
      web:
        id: "2"
        insights:
          signups:
            # what people ask for
            query: { kind: TrendsQuery, interval: week, series: [{ event: signed up }] }
            # as the board calls it
            name: Signups
            lifecycle: { protect: true }
          churn:
            name: Churn # by week

            # by hand
            query: { kind: TrendsQuery, interval: week, series: [{ event: left }] }
          active: { tags: [core], name: Active }
`;

async function applied(): Promise<Workspace> {
  const [acme] = SEED.organizations;
  const members = ["zoe", "mia", "ada", "bob"].map((name) => ({
    email: `${name}@acme.com`,
    level: ["zoe", "ada"].includes(name) ? 8 : 1,
  }));
  const space = await workspace({ seed: { organizations: [{ ...acme, name: "Acme Inc", members }] } });
  await space.configure(CONFIG);
  await space.apply();
  return space;
}

const textOf = ({ folder }: Workspace): Promise<string> => readFile(join(folder, "driftline.yaml"), "utf8");

describeDialects("a file that a person has ordered", () => {
  it("keeps its order when live values are accepted, and has new keys where an export writes them", async () => {
    const { emulator, ...space } = await applied();
    for (const { id } of emulator.find("insight"))
      emulator.edit("insight", Number(id), { description: "D", tags: ["x"] });
    const [ada] = emulator.find("member", ({ user }) => (user as { readonly email: string }).email === "ada@acme.com");
    emulator.edit("member", String(ada?.id), { level: 1 });
    const only = ["--only", "acme/memberships", "--only", "acme/projects/web"];
    expect((await space.run(["drift", "--accept", "--yes", ...only])).stderr).not.toContain("not_accepted");
    expect(await textOf({ emulator, ...space })).toBe(
      CONFIG.replace("ada@acme.com: { level: admin }", "ada@acme.com: { level: member }")
        .replace("name: Signups\n", "name: Signups\n            description: D\n            tags: [x]\n")
        .replace("Churn # by week\n", "Churn # by week\n            description: D\n            tags: [x]\n")
        .replace("{ tags: [core], name: Active }", "{ tags: [x], name: Active, description: D }"),
    );
  });

  it("keeps its order when people and objects are imported, which come last", async () => {
    const space = await applied();
    space.emulator.insert("insight", { project: 2 }, { name: "Between" });
    expect((await space.run(["import", "--all", "--yes"])).code).toBe(0);
    const lines = (await textOf(space)).split("\n");
    const added = lines.filter((line) => !CONFIG.split("\n").includes(line));
    expect(lines.filter((line) => !added.includes(line))).toEqual(CONFIG.split("\n"));
    const people = lines.flatMap((line) => /^ +(\w+)@acme/u.exec(line)?.[1] ?? []);
    expect([people, added.some((line) => line.includes("between:"))]).toEqual([["zoe", "mia", "ada", "bob"], true]);
  });
});
