/** Conventions of other tools: short options, aliases of options and commands, help, and the streams of the output. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesWith, normalized } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const CONFIG = {
  driftline: 1,
  variables: { tag: "growth" },
  organizations: {
    acme: {
      name: "Acme Inc",
      enforce_2fa: true,
      projects: { web: { name: "Web", insights: { signups: { name: "Signups", tags: ["${var:tag}"] } } } },
    },
  },
};

async function configured(): Promise<Workspace> {
  const space = await workspace();
  await space.configure(CONFIG);
  await space.configure({ tag: "from a file" }, "vars.yaml");
  return space;
}

describe("an alias has the effect of its option:", () => {
  it.each([
    ["plan --json", "plan --format json"],
    ["plan --json --target acme/projects", "plan --format json --only acme/projects"],
    ["plan --json --var-file vars.yaml", "plan --format json --vars vars.yaml"],
    ["plan --json --only acme/projects --target acme", "plan --format json --only acme/projects --only acme"],
    ["plan -v --no-color", "plan --verbose"],
    ["diff --json", "plan --format json"],
    ["diff -q", "plan --quiet"],
    ["validate --json", "validate --format json"],
    ["explain insight --json", "explain insight --format json"],
    ["call --list --json", "call --list --format json"],
    ["version", "--version"],
  ])("%s", async (alias, line) => {
    const { run } = await configured();
    const result = await run(line.split(" "));
    expect(result.code).toBe(0);
    expect(await run(alias.split(" "))).toEqual(result);
  });

  it.each(["-y", "--auto-approve"])("apply %s", async (yes) => {
    const { run, emulator } = await configured();
    expect(await run(["apply", yes], { leaves: "no dialect is spoken" })).toMatchObject({ code: 0 });
    expect(emulator.find("insight")).toHaveLength(1);
  });

  it.each([["-o", "plan.json"], ["-o=plan.json"]])("plan %s %s", async (...words) => {
    const { run, folder } = await configured();
    expect(await run(["plan", ...words])).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, "plan.json"))).toBe(true);
  });
});

it("--only takes one address: what follows it is a path", async () => {
  const { run } = await configured();
  const { code, stderr } = await run(["plan", "--only", "acme/projects", "acme"]);
  expect(code).toBe(10);
  expect(stderr).toContain("acme");
});

it("--quiet and --verbose exclude each other", async () => {
  const { run } = await configured();
  expect(await run(["plan", "-q", "-v"])).toMatchObject({ code: 10, stdout: "" });
});

describe("--quiet", () => {
  it.each(["validate", "plan", "drift", "apply --yes"])("%s prints one line", async (line) => {
    const space = await configured();
    const { stdout, stderr } = await space.run([...line.split(" "), "--quiet"]);
    expect([stdout.trimEnd().split("\n").length, stderr]).toEqual([1, ""]);
  });

  it("of show prints one line, and of export only what is missing", async () => {
    const { run, emulator, folder } = await configured();
    await run(["plan", "--out", "plan.json"]);
    const shown = await run(["show", "plan.json", "--quiet"]);
    expect([shown.code, shown.stdout.trimEnd().split("\n").length, shown.stderr]).toEqual([0, 1, ""]);
    expect(await run(["export", "--out", "live", "--quiet"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(existsSync(join(folder, "live"))).toBe(true);
    emulator.faults.add({ method: "GET", path: "/domains", fault: { type: "status", status: 403 } });
    expect((await run(["export", "--out", "part", "--quiet"])).stderr).toContain("domains of Acme Inc");
  });

  it("still shows errors", async () => {
    const space = await configured();
    space.emulator.faults.add({ method: "POST", path: "/insights", fault: { type: "status", status: 400 } });
    const { code, stdout } = await space.run(["apply", "--yes", "--quiet"]);
    expect(code).toBe(14);
    expect(stdout).toContain("✗ acme/projects/web/insights/signups");
    expect(stdout).not.toContain("2fa");
  });

  it("does not hide the plan before a question", async () => {
    const { run } = await configured();
    const runtime = { interactive: true, ask: () => Promise.resolve("no") };
    const { stdout } = await run(["apply", "--quiet"], { runtime });
    expect(stdout).toContain("enforce_2fa");
  });
});

describe("colours", () => {
  const runtime = { color: { stdout: true, stderr: true } };
  it.each([
    [[], true],
    [["--no-color"], false],
  ])("plan %j", async (options, expected) => {
    const { run } = await configured();
    expect((await run(["plan", ...options], { runtime })).stdout.includes("\u001B[")).toBe(expected);
    expect((await run([...options, "plan"], { runtime })).stdout.includes("\u001B[")).toBe(expected);
  });
});

it("the output is as wide as the terminal", async () => {
  const { run } = await workspace();
  const longest = async (columns: number | undefined): Promise<number> => {
    const { stdout } = await run(["explain", "insight"], { runtime: { columns } });
    return Math.max(...stdout.split("\n").map(({ length }) => length));
  };
  expect(await longest(70)).toBeLessThanOrEqual(70);
  expect(await longest(undefined)).toBeLessThanOrEqual(100);
  expect(await longest(140)).toBeGreaterThan(100);
});

describe("help", () => {
  it.each(["", "plan", "apply", "drift", "import", "explain"])("driftline %s --help", async (command) => {
    const { run } = await workspace();
    const { code, stdout } = await run([...command.split(" ").filter((word) => word !== ""), "--help"]);
    expect(code).toBe(0);
    expect(normalized(stdout)).toMatchSnapshot("what is printed");
  });

  it("of each command has two examples, which it understands", async () => {
    const { run } = await workspace();
    const { stdout } = await run(["--help"]);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = ""]) => name);
    expect(commands).toContain("version");
    for (const command of commands.filter((name) => name !== "help")) {
      const help = (await run([command, "--help"])).stdout;
      const [, examples = ""] = help.split("Examples:\n");
      expect([...examples.matchAll(/^ {2}.*driftline/gm)].length, command).toBeGreaterThanOrEqual(2);
      expect(examples, command).toContain("Exit codes:");
      for (const [, words = ""] of examples.matchAll(/^ {2}driftline ([^'|\n]+)$/gm)) {
        const runtime = { signal: AbortSignal.abort() };
        if (command === "emulator") continue;
        expect((await run(words.split(" "), { runtime })).stderr, words).not.toContain('--help" for usage');
      }
    }
  });
});

describe("explain", () => {
  it("without a kind lists the kinds", async () => {
    const { run } = await workspace();
    const { code, stdout } = await run(["explain"]);
    expect(code).toBe(0);
    expect(stdout).toMatchSnapshot("what is printed");
  });

  it.each(["insight.query", "insights.tags", "batch_export.destination", "batch_export.destination.type"])(
    "%s",
    async (name) => {
      const { run } = await workspace();
      const { code, stdout } = await run(["explain", name]);
      expect(code).toBe(0);
      expect(stdout).toMatchSnapshot("what is printed");
    },
  );

  it.each([
    ["insigt", "unknown_kind"],
    ["insigt.tags", "unknown_kind"],
    ["insight.tgas", "unknown_field"],
    ["insight.wholly_different", "unknown_field"],
    ["insight.query.source", "unknown_field"],
  ])("%s is an error with what to run instead", async (name, code) => {
    const { run } = await workspace();
    const { code: exit, stderr } = await run(["explain", name]);
    expect(exit).toBe(10);
    expect(linesWith(stderr, `error ${code}`)).toMatchSnapshot("what is printed");
    const [, instead = ""] = /`driftline ([^`]+)`/.exec(stderr) ?? [];
    if (instead !== "") expect(await run(instead.split(" "))).toMatchObject({ code: 0 });
  });
});

describe("an error of the connection or of the key ends with a command that shows more:", () => {
  it.each([
    ["no service", "plan", { DRIFTLINE_URL: "" }],
    ["no key", "plan driftline.yaml --var tag=x", { DRIFTLINE_API_KEY: "" }],
    ["a wrong key", "drift driftline.yaml --only acme", { DRIFTLINE_API_KEY: "wrong" }],
    ["nothing listens", "plan --vars vars.yaml --format markdown", { DRIFTLINE_URL: "http://127.0.0.1:1" }],
    ["a call without a key", "call organizations.list", { DRIFTLINE_API_KEY: "" }],
    ["a call with a wrong key", "call organizations.list", { DRIFTLINE_API_KEY: "wrong" }],
  ])("%s", async (_name, line, env) => {
    const { run } = await configured();
    const { stderr } = await run(line.split(" "), { env });
    expect(linesWith(stderr, "error ")).toMatchSnapshot("what is printed");
    const [, doctor = ""] = /`driftline (doctor[^`]*)`/.exec(stderr) ?? [];
    const { stdout, stderr: left } = await run(doctor.split(" "), { env });
    expect(stdout).toContain("configuration");
    expect(left).not.toContain("error");
  });

  it("other errors do not", async () => {
    const { run } = await configured();
    expect((await run(["plan", "missing.yaml"])).stderr).not.toContain("doctor");
  });
});
