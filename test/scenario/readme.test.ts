import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { withReference } from "../../scripts/generate/reference.ts";
import { EXIT, worst, type ExitCode } from "../../src/cli/exit-codes.ts";
import { workspace } from "../support/workspace.ts";
import { tableUnder } from "./docs/blocks.ts";
import { ROOT, textOf } from "./docs/pages.ts";

const README = textOf("README.md");

/** The names of a command's options, or of all commands. */
async function helpOf(args: readonly string[], pattern: RegExp): Promise<readonly string[]> {
  const { run } = await workspace();
  const { stdout } = await run([...args, "--help"]);
  return [...stdout.matchAll(pattern)]
    .map(([, name = ""]) => name)
    .filter((name) => !["--help", "help"].includes(name));
}

describe("README.md", () => {
  it("leads to the reference that the schemas make (else: npm run generate)", () => {
    const reference = textOf("schemas/README.md");
    expect(withReference(reference)).toBe(reference);
    expect(reference).toContain("`jit_provisioning_enabled`");
  });

  it("tells every exit code, and which comes first", () => {
    const codes = tableUnder(README, "## Exit codes").map(([code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
    const order = (/Where several apply: ([\d, ]+),/.exec(README)?.[1] ?? "").split(", ").map(Number) as ExitCode[];
    expect(new Set([...order, EXIT.ok])).toEqual(new Set(codes));
    const sorted = order.map((_code, index) => worst(order.slice(index)));
    expect(sorted).toEqual(order);
  });

  it("lists every command with every option it has", async () => {
    const rows = tableUnder(README, "## Commands");
    const optionsIn = (line: string): readonly string[] =>
      [...line.matchAll(/`(--[a-z-]+)`/g)].map(([, option = ""]) => option);
    const common = optionsIn(/^Common: .*$/m.exec(README)?.[0] ?? "");
    const commands = rows.map(([command = ""]) => /`([a-z]+)/.exec(command)?.[1] ?? "");
    expect(new Set(commands)).toEqual(new Set(await helpOf([], /^ {2}([a-z]+) /gm)));
    for (const [index, [, , options = ""]] of rows.entries()) {
      const told = [...optionsIn(options), ...(options.includes("common ones") ? common : [])];
      const known = await helpOf([commands[index] ?? ""], /^ {2}(?:-\w, )?(--[a-z-]+)/gm);
      expect(new Set(told), commands[index]).toEqual(new Set(known));
    }
  });
});

describe("npm run demo", () => {
  it("runs to its end and exits with 0 in less than two minutes", { timeout: 120_000 }, async () => {
    const jiti = join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [jiti, "scripts/demo.ts"], { cwd: ROOT });
    for (const part of [
      "driftline plan",
      "driftline apply",
      "Nothing differs",
      "driftline drift",
      "declared true",
      "This is the end of the demo",
    ]) {
      expect(stdout).toContain(part);
    }
  });
});
