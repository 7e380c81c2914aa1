/** The jq commands of docs/machine-output.md, on documents of the example that the page names. */
import { execFile, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { loadSeed } from "../../src/emulator/index.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace } from "../support/workspace.ts";
import { blocksOf } from "./docs/blocks.ts";
import { ROOT, textOf } from "./docs/pages.ts";
import { differenceOf } from "./docs/session.ts";

const EXAMPLE = "examples/security-baseline";
const hasJq = spawnSync("sh", ["-c", "jq --version"]).status === 0;

/** Each jq command, with the lines of output that the comments below it show. */
const COMMANDS = blocksOf(textOf("docs/machine-output.md"))
  .filter(({ language, section }) => language === "sh" && section === "With jq")
  .flatMap(({ text }) => text.split(/\n(?=jq )/))
  .map((part) => {
    const [command = "", ...comments] = part.split("\n");
    return { command, shown: comments.map((line) => line.replace(/^# /, "")) };
  });

describeDialects("docs/machine-output.md", () =>
  it.runIf(hasJq)("shows what jq prints", async () => {
    const space = await workspace({ seed: loadSeed(textOf(`${EXAMPLE}/seed.json`)) });
    await space.configure(await readFile(join(ROOT, EXAMPLE, "driftline.yaml"), "utf8"));
    const documents = [
      ["plan.json", ["plan"]],
      ["drift.json", ["drift"]],
      ["outcomes.json", ["apply", "--yes"]],
    ] as const;
    for (const [file, args] of documents) {
      const { stdout } = await space.run([...args, "--format", "json"]);
      await writeFile(join(space.folder, file), stdout);
    }
    expect(COMMANDS.length).toBeGreaterThan(5);
    for (const { command, shown } of COMMANDS) {
      const { stdout } = await promisify(execFile)("sh", ["-c", command], { cwd: space.folder });
      expect(differenceOf(shown, stdout.trimEnd().split("\n")), command).toBe("");
    }
  }),
);
