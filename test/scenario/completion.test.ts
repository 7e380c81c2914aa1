import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { cli, type CliResult } from "../support/cli.ts";

/** Completion needs no service. */
const run = (args: readonly string[]): Promise<CliResult> => cli(args, { cwd: ".", env: {} });

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await run(["completion", shell]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** What bash itself offers for the last of these words. */
function offered(script: string, words: readonly string[]): readonly string[] {
  const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _driftline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `${script}\n${ask}`, "bash", "driftline", ...words], {
    encoding: "utf8",
  });
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
    ["nothing where a file is meant, so that bash offers files", ["show", "plan"], []],
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

  it("refuses a shell that it does not know", async () => {
    const { code, stdout, stderr } = await run(["completion", "tcsh"]);
    expect([code, stdout]).toEqual([10, ""]);
    for (const shell of ["bash", "zsh", "fish"]) expect(stderr).toContain(shell);
  });
});
