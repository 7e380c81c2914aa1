import { existsSync } from "node:fs";
import { link, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PlanDocument } from "../../src/model/plan.ts";
import { describeDialects } from "../support/dialects.ts";
import { config, ENV, EXPORT, saved, SECRET, ssoOf, writes } from "../support/saved-plan.ts";

const REPORTS = ["--format", "html=report.html", "--format", "markdown=comment.md", "--format", "json=run.json"];

const PROGRAM = `import { version } from "./values.ts";
export default { driftline: version, organizations: {} };
`;

describeDialects("reports of one run", () => {
  async function ready(configuration?: object) {
    const space = await saved(configuration);
    const read = (file: string): Promise<string> => readFile(join(space.folder, file), "utf8");
    const json = async <T>(file = "run.json"): Promise<T> => JSON.parse(await read(file)) as T;
    return { ...space, read, json };
  }

  it.each(["plan", "drift"])("%s sends as many requests as with one, and the documents agree", async (command) => {
    const space = await ready();
    const alone = await space.run([command]);
    const requests = space.emulator.requests.length;
    space.emulator.clearRequests();
    const beside = await space.run([command, ...REPORTS]);
    expect(space.emulator.requests).toHaveLength(requests);
    expect(beside.code).toBe(alone.code);
    const document = await space.json<PlanDocument>();
    expect(document.changes).toEqual(
      space.document.changes.map((change) => expect.objectContaining({ id: change.id })),
    );
    for (const text of [await space.read("report.html"), await space.read("comment.md"), beside.stdout])
      expect(text).toContain(document.hash);
    expect(alone.stdout).not.toContain(document.hash);
    for (const { address } of document.changes)
      for (const file of ["report.html", "comment.md"]) expect(await space.read(file)).toContain(address);
  });

  it("a plan in JSON can be applied, and the text says how", async () => {
    const space = await ready();
    const { stdout } = await space.run(["plan", ...REPORTS]);
    expect(stdout).toContain("driftline apply --plan run.json");
    expect((await space.run(["apply", "--plan", "run.json", "--yes"])).code).toBe(0);
    expect(ssoOf(space)).toMatchObject({ "a.acme.com": "google-oauth2" });
  });

  it("show writes what the plan has written", async () => {
    const space = await ready();
    await space.run(["plan", ...REPORTS]);
    const shown = await space.run(["show", "run.json", "--format", "json", "--format", "json=again.json"]);
    expect(JSON.parse(shown.stdout)).toEqual(await space.json());
    expect(await space.json("again.json")).toEqual(await space.json());
  });

  it("apply sends as many requests as with one", async () => {
    const sent = async (args: readonly string[]): Promise<number> => {
      const space = await ready();
      expect((await space.run(["apply", "--yes", ...args])).code).toBe(0);
      return space.emulator.requests.length;
    };
    expect(await sent(REPORTS)).toBe(await sent([]));
  });

  it("apply writes its outcomes, also if the plan is refused or nothing differs", async () => {
    const space = await ready();
    const { stdout } = await space.run(["apply", "--yes", ...REPORTS, "--format", "text=run.txt"]);
    const { hash } = await space.json<PlanDocument>();
    const texts = await Promise.all(["report.html", "comment.md", "run.txt"].map(space.read));
    for (const text of [...texts, stdout]) expect(text).toContain(hash);
    expect(await space.json()).toMatchObject({ type: "driftline.outcomes", statuses: { applied: 2, unchanged: 1 } });
    const refused = await space.run(["apply", "--plan", "plan.json", "--yes", ...REPORTS]);
    expect(refused.code).toBe(12);
    expect(await space.json()).toMatchObject({ type: "driftline.outcomes", statuses: { skipped: 2 } });
    expect((await space.run(["apply", "--yes", ...REPORTS])).code).toBe(0);
    expect(await space.json()).toMatchObject({ statuses: { failed: 0, skipped: 0 } });
    expect((await space.run(["apply", "--yes", ...REPORTS])).stdout).toContain((await space.json<PlanDocument>()).hash);
  });

  it("hold no secret", async () => {
    const space = await ready(config(EXPORT));
    await space.run(["apply", "--yes", ...REPORTS, "--format", "text=run.txt"], { env: ENV, leaves: "nothing" });
    for (const file of ["report.html", "comment.md", "run.json", "run.txt"])
      expect(await space.read(file)).not.toContain(SECRET);
  });

  it.each(["plan", "drift", "apply"])("%s sends nothing if a report could not be written", async (command) => {
    const space = await ready();
    const { code, stderr } = await space.run([command, "--format", "html=missing/report.html"]);
    expect(code).toBe(1);
    expect(stderr).toContain("cannot_write");
    expect(space.emulator.requests).toEqual([]);
    expect(writes(space)).toEqual([]);
  });

  it.each([
    ["the configuration", ["plan", "--out", "driftline.yaml"]],
    ["the configuration, as a report of a drift", ["drift", "--format", "json=./driftline.yaml"]],
    ["the configuration, as a report of an apply", ["apply", "--yes", "--format", "markdown=driftline.yaml"]],
    ["the configuration, through a symbolic link", ["plan", "--out", "soft.yaml"]],
    ["the configuration, through a hard link", ["plan", "--format", "html=hard.yaml"]],
    ["variables", ["plan", "--vars", "variables.yaml", "--out", "variables.yaml"]],
    ["an included text", ["plan", "--out", "about.txt"]],
    ["a module that a program imports", ["plan", "program.ts", "--out", "values.ts"]],
    ["a saved plan that is applied", ["apply", "--plan", "plan.json", "--yes", "--format", "json=plan.json"]],
    ["a saved plan that is shown", ["show", "plan.json", "--format", "html=plan.json"]],
  ])("a run does not write into what it reads: %s", async (_what, args) => {
    const about = { description: "${file:about.txt}", name: "Signups", query: {} };
    const space = await ready();
    await space.configure(config({ projects: { web: { id: "2", insights: { about } } } }));
    const inFolder = (name: string): string => join(space.folder, name);
    await writeFile(inFolder("about.txt"), "ours");
    await writeFile(inFolder("variables.yaml"), "unused: 1\n");
    await writeFile(inFolder("values.ts"), "export const version = 1;\n");
    await writeFile(inFolder("program.ts"), PROGRAM);
    await symlink("driftline.yaml", inFolder("soft.yaml"));
    await link(inFolder("driftline.yaml"), inFolder("hard.yaml"));
    const contents = async (): Promise<readonly string[]> =>
      Promise.all((await readdir(space.folder)).filter((name) => /\.\w+$/u.test(name)).map(space.read));
    const before = await contents();
    const { code, stderr } = await space.run(args);
    expect([code, stderr]).toEqual([10, expect.stringContaining("usage")]);
    expect(space.emulator.requests).toEqual([]);
    expect(await contents()).toEqual(before);
  });

  it.each([["html="], ["pdf=report.pdf"]])("refuses --format %s", async (format) => {
    const space = await ready();
    expect((await space.run(["plan", "--format", format])).code).toBe(10);
    expect(existsSync(join(space.folder, "report.pdf"))).toBe(false);
  });

  it("refuses two reports in one file", async () => {
    const space = await ready();
    expect((await space.run(["plan", "--format", "html=a", "--format", "json=a"])).code).toBe(10);
  });
});
