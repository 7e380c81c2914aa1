import { spawnSync, type SpawnSyncOptions } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli, type CliResult } from "../support/cli.ts";
import { commandFile } from "../support/command.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** Completion needs no service. */
const run = (args: readonly string[]): Promise<CliResult> => cli(args, { cwd: ".", env: {} });

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await run(["completion", shell]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** What bash itself offers for the last of these words. */
function offered(script: string, words: readonly string[], world: SpawnSyncOptions = {}): readonly string[] {
  const ask = `COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}; _driftline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["--norc", "-c", `${script}\n${ask}`, "bash", "driftline", ...words],
    {
      ...world,
      encoding: "utf8",
    },
  );
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((word) => word !== "");
}

describe("driftline completion", () => {
  it.each([
    ["commands", ["pl"], ["plan"]],
    ["options of a command", ["plan", "--det"], ["--detailed-exitcode"]],
    ["an option's values", ["plan", "--format", "ma"], ["markdown"]],
    ["an option's values, not those of another command", ["call", "--format", "ma"], []],
    ["kinds", ["explain", "pipeline_f"], ["pipeline_frontend_app"]],
    ["operations", ["call", "domains.v"], ["domains.verify"]],
    ["shells", ["completion", "z"], ["zsh"]],
    ["nothing for an argument that is a file, so that bash offers files", ["show", "plan"], []],
    ["nothing for a value that may be anything", ["plan", "--only", ""], []],
  ])("bash: completes %s", async (_name, words, expected) => {
    expect(offered(await scriptFor("bash"), words)).toEqual(expected);
  });

  it.each(["bash", "zsh", "fish"])("%s: knows every command and option that help shows", async (shell) => {
    const script = await scriptFor(shell);
    const namesIn = async (args: readonly string[], pattern: RegExp): Promise<readonly string[]> =>
      [...(await run([...args, "--help"])).stdout.matchAll(pattern)].map(([, name = ""]) => name);
    const commands = (await namesIn([], /^ {2}([a-z]+) /gm)).filter((name) => name !== "help");
    expect(commands).toContain("completion");
    for (const command of commands) {
      const flags = await namesIn([command], /^ {2}(?:-\w, )?(--[a-z-]+)/gm);
      const lines = script.split("\n").filter((line) => line.includes(command));
      const missing = flags.filter((flag) =>
        lines.every((line) => !line.includes(shell === "fish" ? `-l ${flag.slice(2)} ` : flag)),
      );
      expect([command, missing]).toEqual([command, []]);
    }
  });

  it("--only and the like complete addresses in every shell, and call driftline for nothing else", async () => {
    const addressed = (text: string): number =>
      text.split(/addresses=1|:_driftline_addresses|\(__driftline_addresses\)/).length;
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = await scriptFor(shell);
      // plan, diff and apply: --only, --target, --rotate, --recreate; drift: --only, --target; apply: --allow-loss; import and pin: arguments
      expect([shell, addressed(script) - 1]).toEqual([shell, 3 * 4 + 2 + 1 + 2]);
      expect([shell, script.split("complete-address").length - 1]).toEqual([shell, 1]);
    }
  });

  it("refuses a shell that it does not know", async () => {
    const { code, stdout, stderr } = await run(["completion", "tcsh"]);
    expect([code, stdout]).toEqual([10, ""]);
    for (const shell of ["bash", "zsh", "fish"]) expect(stderr).toContain(shell);
  });
});

const CONFIG = {
  driftline: 1,
  organizations: {
    acme: {
      name: "Acme Inc",
      domains: { corp: { domain: "acme.com" } },
      memberships: { "bob@acme.com": { level: "member" }, "ben@acme.com": { level: "member" } },
      projects: { web: { name: "Web" } },
    },
  },
};

/** A folder whose `driftline` is the built command. */
async function installed(): Promise<{ readonly space: Workspace; readonly world: SpawnSyncOptions }> {
  const space = await workspace();
  const bin = join(space.folder, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "driftline"), `#!/bin/sh\nexec "${process.execPath}" "${commandFile()}" "$@"\n`);
  await chmod(join(bin, "driftline"), 0o755);
  return { space, world: { cwd: space.folder, env: { PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` } } };
}

describe("addresses", () => {
  it("bash: offers those of the configuration that the line names", async () => {
    const { space, world } = await installed();
    await space.configure(CONFIG);
    await space.configure({ driftline: 1, organizations: { other: { name: "Other" } } }, "other.yaml");
    const script = await scriptFor("bash");
    const table: readonly (readonly [words: readonly string[], expected: readonly string[]])[] = [
      [
        ["plan", "--only", "acme/d"],
        ["acme/domains", "acme/domains/corp"],
      ],
      [
        ["diff", "--target", "acme/p"],
        ["acme/projects", "acme/projects/web"],
      ],
      [
        ["plan", "--only=acme/p"],
        ["acme/projects", "acme/projects/web"],
      ],
      [["apply", "--rotate", "acme/d"], ["acme/domains/corp"]],
      [["apply", "--allow-loss", "acme/d"], ["acme/domains/corp"]],
      // Bash replaces what follows the last @ only.
      [["plan", "--only", "acme/memberships/bob@"], ["acme.com"]],
      [["plan", "--only", "acme/memberships/be"], ["acme/memberships/ben@acme.com"]],
      [["plan", "other.yaml", "--only", "o"], ["other"]],
      [["plan", "missing.yaml", "--only", "a"], []],
      [["plan", "--only", "nothing/"], []],
    ];
    for (const [words, expected] of table) expect(offered(script, words, world), words.join(" ")).toEqual(expected);
  });

  it("bash: an address is never expanded", async () => {
    const { space, world } = await installed();
    const address = "acme/`touch one`/$(touch two)/*";
    await writeFile(join(space.folder, "bin/driftline"), `#!/bin/sh\nprintf '%s\\n' '${address}'\n`);
    const before = await readdir(space.folder);
    const [quoted = ""] = offered(await scriptFor("bash"), ["plan", "--only", "acme/"], world);
    expect(await readdir(space.folder)).toEqual(before);
    // What is inserted into the line is the address as one word.
    const { stdout } = spawnSync("bash", ["--norc", "-c", `printf %s ${quoted}`], { ...world, encoding: "utf8" });
    expect(stdout).toBe(address);
  });

  it("are listed without a request and without a word about errors", async () => {
    const space = await workspace();
    const complete = (...words: readonly string[]): Promise<CliResult> =>
      space.run(["complete-address", "--", ...words]);
    await space.configure("driftline: 1\norganizations: { acme: [");
    for (const words of [["plan", "--only"], ["plan", "--no-such-option", "--only"], ["unknown"], []])
      expect(await complete(...words), words.join(" ")).toEqual({ code: 0, stdout: "", stderr: "" });
    await space.configure({ ...CONFIG, variables: { x: "${env:UNSET}" } });
    expect((await complete("plan", "--rotate")).stdout).toContain("acme/domains/corp\n");
    expect(space.emulator.requests).toEqual([]);
  });
});
