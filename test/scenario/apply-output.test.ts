/** What `apply` prints, and where: each change once, as it finishes, and at the end what is left. */
import { describe, expect, it } from "vitest";
import { normalized } from "../support/normalized.ts";
import { outcomesOf } from "../support/cli.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const CONFIG = {
  driftline: 1,
  organizations: {
    acme: {
      name: "Acme Inc",
      enforce_2fa: true,
      domains: { corp: { domain: "acme.com" } },
      memberships: { "bob@acme.com": { lifecycle: { state: "absent" } } },
      projects: { web: { name: "Web", insights: { a: { name: "A" }, b: { name: "B" } } } },
    },
  },
};

async function configured(): Promise<Workspace> {
  const space = await workspace();
  await space.configure(CONFIG);
  return space;
}

async function failing(): Promise<Workspace> {
  const space = await configured();
  space.emulator.faults.add({ method: "POST", path: "/domains", fault: { type: "status", status: 400 } });
  return space;
}

/** The lines after the plan. */
function afterPlan(stdout: string): string {
  return stdout.split(/^Plan: .*\n/m)[1] ?? "";
}

describe("as text", () => {
  it("each change has one line on stdout, with a counter", async () => {
    const { run } = await configured();
    const { stdout, stderr } = await run(["apply", "--yes"]);
    const lines = afterPlan(stdout).trimEnd().split("\n");
    expect(lines.map((line) => /^\[(\d\/\d)\]/.exec(line)?.[1]).filter((counter) => counter !== undefined)).toEqual([
      "1/5",
      "2/5",
      "3/5",
      "4/5",
      "5/5",
    ]);
    for (const address of [
      "domains/corp",
      "projects/web/insights/a",
      "projects/web/insights/b",
      "memberships/bob@acme.com",
    ])
      expect(afterPlan(stdout).split(`acme/${address} `).length, address).toBe(2);
    expect(stderr).not.toContain("applied");
  });

  it("a failure has its reason at once, and the end has the failed and skipped changes, their reasons and the counts", async () => {
    const { run } = await failing();
    const { code, stdout } = await run(["apply", "--yes"]);
    expect(code).toBe(14);
    const [lines = "", end = ""] = afterPlan(stdout).split("\n\n");
    expect(lines).toMatch(/^\[\d\/5\] ✗ acme\/domains\/corp create failed: .*400/m);
    expect(lines).not.toContain("bob@acme.com");
    expect(normalized(end)).toMatchSnapshot();
    expect(stdout.match(/answered 400/g)).toHaveLength(1);
  });

  it("an apply without changes says so once", async () => {
    const { run } = await configured();
    await run(["apply", "--yes"]);
    const { stdout } = await run(["apply", "--yes"]);
    expect(stdout.match(/as declared/gu)).toHaveLength(1);
  });

  it("--verbose has the number of requests, and nothing else has", async () => {
    const { run } = await configured();
    for (const line of [["plan"], ["drift"], ["apply", "--yes"]]) {
      expect((await run(line)).stdout, line.join(" ")).not.toMatch(/\d requests?\b/);
      expect((await run([...line, "--verbose"])).stdout, line.join(" ")).toMatch(/\d requests?\b/);
    }
  });
});

describe("as a document", () => {
  it.each(["json", "markdown"])("%s: only the document is on stdout, and the lines are on stderr", async (format) => {
    const { run } = await configured();
    const { stdout, stderr } = await run(["apply", "--yes", "--format", format]);
    expect(stderr).toMatch(/^\[1\/5\] /m);
    expect(stdout).not.toMatch(/^\[\d\/5\] /m);
  });

  it("--progress json has events instead of the lines", async () => {
    const { run } = await configured();
    const result = await run(["apply", "--yes", "--json", "--progress", "json"]);
    expect(result.stderr).not.toContain("[1/5]");
    expect(result.stderr.match(/"event":"outcome"/g)).toHaveLength(outcomesOf(result).changes.length);
  });
});

describe("a saved plan", () => {
  const saved = async (): Promise<Workspace> => {
    const space = await configured();
    await space.run(["plan", "--out", "plan.json"]);
    return space;
  };

  it("on a terminal its summary is shown, and the command that shows the rest", async () => {
    const { run } = await saved();
    const runtime = { terminal: true, interactive: true, ask: () => Promise.resolve("no") };
    const { stdout } = await run(["apply", "--plan", "plan.json"], { runtime });
    expect(normalized(stdout)).toMatchSnapshot();
    const [, show = ""] = /`driftline ([^`]+)`/.exec(stdout) ?? [];
    expect((await run(show.split(" "))).stdout).toContain("enforce_2fa");
  });

  it.each([
    ["with --verbose", ["--verbose"], true],
    ["in a log", [], false],
  ])("%s it is shown completely", async (_name, options, terminal) => {
    const { run } = await saved();
    const { stdout } = await run(["apply", "--plan", "plan.json", "--yes", ...options], { runtime: { terminal } });
    expect(stdout).toContain("enforce_2fa");
  });
});
