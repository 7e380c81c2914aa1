/** Links to insights in reports, from a plan to its outcomes. */
import { readFile, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PlanDocument } from "../../src/model/plan.ts";
import { spawnCli } from "../support/cli.ts";
import { hasTerminal, onTerminal } from "../support/terminal.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const QUERY = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "signed_up" }] };
const configOf = (insights: object): object => ({
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", projects: { web: { id: "2", insights } } } },
});
const SIGNUPS = { id: 1, name: "Signups", query: QUERY };
const CONFIG = configOf({ signups: { ...SIGNUPS, description: "Wanted" }, fresh: { name: "Fresh", query: QUERY } });

async function ready(more: object = {}): Promise<Workspace> {
  const insights = [{ ...SIGNUPS, short_id: "aB3_x-9Z", ...more }];
  const seed = {
    organizations: [
      {
        id: "0190aa11-0000-4000-8000-00000000000a",
        name: "Acme Inc",
        projects: [{ id: 2, name: "Web", insights }],
        members: [{ email: "ada@acme.com", level: 15 }],
      },
    ],
  };
  const space = await workspace({ seed });
  await space.configure(CONFIG);
  return space;
}

/** The links of a document, by the names of the resources. */
const linksOf = ({ changes }: Pick<PlanDocument, "changes">): object =>
  Object.fromEntries(
    changes.flatMap(({ address, link }) => (link === undefined ? [] : [[address.split("/").at(-1), link]])),
  );

const pageIn = ({ emulator }: Workspace, shortId = "aB3_x-9Z"): string =>
  `${emulator.url}/project/2/insights/${shortId}`;

describe("links", () => {
  it("lead from a plan and a drift to each insight that exists, and only there", async () => {
    const space = await ready();
    for (const document of [await space.plan(), (await space.drift()).document])
      expect(linksOf(document)).toEqual({ signups: pageIn(space) });
  });

  it("are escapes on a terminal that has them, and nothing elsewhere", async () => {
    const space = await ready();
    const link = `\u001B]8;;${pageIn(space)}\u0007`;
    const terminal = { terminal: true, columns: 80, color: { stdout: true, stderr: true }, hyperlinks: true };
    const shown = (await space.run(["plan"], { runtime: terminal })).stdout;
    expect(shown.split(link)).toHaveLength(2);
    expect((await space.run(["plan", "--no-color"], { runtime: terminal })).stdout).not.toContain("\u001B");
    expect((await space.run(["plan"], { runtime: { ...terminal, hyperlinks: false } })).stdout).not.toContain(
      "\u001B]8",
    );
    const { FORCE_COLOR, FORCE_HYPERLINK } = { FORCE_COLOR: "1", FORCE_HYPERLINK: "1" };
    const env = { ...space.env, FORCE_COLOR, FORCE_HYPERLINK };
    const piped = await spawnCli(["plan"], { cwd: space.folder, env }).result;
    expect(piped.stdout).toContain("\u001B[");
    expect(piped.stdout).not.toContain("\u001B]8");
  });

  it.skipIf(!hasTerminal).each<readonly [string, Readonly<Record<string, string>>, boolean]>([
    ["a terminal that has links", { TERM_PROGRAM: "ghostty" }, true],
    ["one that is not known to have them", { TERM_PROGRAM: "" }, false],
    ["NO_COLOR", { TERM_PROGRAM: "ghostty", NO_COLOR: "1" }, false],
    ["a terminal without escapes", { TERM_PROGRAM: "ghostty", TERM: "dumb" }, false],
    ["the log of a pipeline", { TERM_PROGRAM: "ghostty", CI: "true" }, false],
    ["FORCE_HYPERLINK=0", { TERM_PROGRAM: "ghostty", FORCE_HYPERLINK: "0" }, false],
  ])("on %s", async (_name, own, expected) => {
    const space = await ready();
    const env = { ...space.env, NO_COLOR: "", TERM: "xterm-256color", ...own };
    const { shown } = await onTerminal(["plan"], { cwd: space.folder, env, typed: [""] });
    expect(shown).toContain("acme/projects/web/insights/signups");
    expect(shown.includes(`\u001B]8;;${pageIn(space)}\u0007`)).toBe(expected);
  });

  it("of outcomes lead to what is there then", async () => {
    const space = await ready();
    const document = await space.apply();
    const [made] = space.emulator.find("insight", ({ name }) => name === "Fresh");
    expect(linksOf(document)).toEqual({ signups: pageIn(space), fresh: pageIn(space, String(made?.["short_id"])) });
    await space.configure(configOf({ signups: { id: 1, lifecycle: { state: "absent" } } }));
    const removed = await space.apply();
    expect(removed.changes).toContainEqual(expect.objectContaining({ action: "delete", status: "applied" }));
    expect(linksOf(removed)).toEqual({});
  });

  it("of a saved plan never leave the service", async () => {
    const space = await ready();
    await space.run(["plan", "--out", "plan.json"]);
    const file = join(space.folder, "plan.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(pageIn(space), "javascript:alert(1)"));
    for (const format of ["html", "markdown", "json"])
      expect((await space.run(["show", "plan.json", "--format", format])).stdout).not.toContain("javascript:");
    expect((await space.run(["apply", "--plan", "plan.json", "--yes"])).code).toBe(0);
  });
});

describe("an HTML report", () => {
  it("names the commit of the configuration, if there is one", async () => {
    const space = await ready();
    const report = async (command: readonly string[] = ["plan"]): Promise<string> =>
      (await space.run([...command, "--format", "html"])).stdout;
    expect(await report()).not.toContain("<dt>Commit</dt>");
    const identity = ["-c", "user.name=Eve", "-c", "user.email=eve@acme.com"];
    const git = (...args: readonly string[]): string =>
      execFileSync("git", [...identity, ...args], { cwd: space.folder, encoding: "utf8" }).trim();
    git("init", "--quiet");
    git("add", "driftline.yaml");
    git("commit", "--quiet", "--message", "What <we> measure");
    const commit = `<dt>Commit</dt><dd>${git("rev-parse", "--short", "HEAD")} What &lt;we&gt; measure (by Eve)`;
    expect(await report()).toContain(`${commit}</dd>`);
    expect(await report()).toContain("<dt>Made</dt>");
    await writeFile(
      join(space.folder, "driftline.yaml"),
      `${await readFile(join(space.folder, "driftline.yaml"), "utf8")}# mine\n`,
    );
    expect(await report(["drift"])).toContain(`${commit} (and changes that are not committed)</dd>`);
    const applied = await report(["apply", "--yes"]);
    expect(applied).toContain("<dt>Commit</dt>");
    expect(applied).toContain("<dt>Ended</dt>");
  });
});

it("the documents of one run have the same hash as that of an earlier version, which had no links", async () => {
  const space = await ready();
  await space.run(["plan", "--out", "plan.json"]);
  const file = join(space.folder, "plan.json");
  const document = JSON.parse(await readFile(file, "utf8")) as PlanDocument;
  const changes = document.changes.map(({ link: _link, ...change }) => change);
  await writeFile(file, JSON.stringify({ ...document, changes }));
  expect((await space.run(["apply", "--plan", "plan.json", "--yes"])).code).toBe(0);
});
