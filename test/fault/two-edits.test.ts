/**
 * Two commands edit the same configuration files, or a command and an editor: the second one runs in a pause of the first. An
 * edit that was reported as written is there in the end; whoever came too late ends with 12.
 *
 * Algorithm: the first command is stopped at a random moment of its work on the files. The other one runs from its beginning to
 * its end there.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { budget } from "../support/budget.ts";
import { spawnCli } from "../support/cli.ts";
import { commandFile } from "../support/command.ts";
import { editedWorkspace, FILES, ORGANIZATION } from "./edited-files.ts";

const insight = (name: string) => ({ name, tags: ["a", "b"], saved: true });
const SEED = {
  organizations: [
    {
      ...ORGANIZATION,
      enforce_2fa: true,
      projects: [{ id: 2, name: "Web", insights: [insight("One"), insight("Two")] }],
    },
  ],
};

interface Editing {
  readonly args: readonly string[];
  /** What is in the files once it has written all of them. */
  readonly marks: readonly RegExp[];
}

const COMMANDS: readonly Editing[] = [
  { args: ["import", "--all", "--yes"], marks: [/domain: acme\.de/, /name: Two/] },
  { args: ["pin", "--yes"], marks: [/corp: \{ id: /, /web:\n\s+id: "?2/] },
  { args: ["drift", "--accept", "--yes"], marks: [/enforce_2fa: true/, /tags: \[ ?a, b ?\]/] },
];

/** A person who saves both files. */
const EDITOR = { command: "for file in config/*.yaml; do echo '# saved' >> $file; done", mark: /# saved/ };

async function run(first: Editing, second: Editing | "editor", moment: number): Promise<void> {
  const { space, config, env } = await editedWorkspace({ seed: SEED }, FILES, moment);
  const command =
    second === "editor" ? EDITOR.command : [process.execPath, commandFile(), ...second.args, "config"].join(" ");
  const { code, stderr } = await spawnCli([...first.args, "config"], {
    cwd: space.folder,
    env: { ...env, DRIFTLINE_TEST_MEANWHILE: command },
  }).result;
  const texts = await Promise.all((await readdir(config)).map((name) => readFile(join(config, name), "utf8")));
  const all = texts.join("");
  const requireMarks = (exit: number, marks: readonly RegExp[]): void => {
    expect([0, 12], stderr).toContain(exit);
    if (exit === 0) for (const mark of marks) expect(all, stderr).toMatch(mark);
  };
  requireMarks(code, first.marks);
  const [, exit, where] = /meanwhile: (\d+), (.*)/.exec(stderr) ?? [];
  if (exit === undefined) return;
  if (second !== "editor") requireMarks(Number(exit), second.marks);
  // Nothing keeps an editor out between the last look and the rename that follows at once.
  else if (where !== "before rename") expect(texts.every((text) => EDITOR.mark.test(text))).toBe(true);
}

it("nothing is lost that was reported as written", async () => {
  const commands = fc.constantFrom(...COMMANDS);
  const seconds = fc.oneof(commands, fc.constant<"editor">("editor"));
  const property = fc.asyncProperty(commands, seconds, fc.integer({ min: 1, max: 24 }), run);
  await fc.assert(property, { numRuns: budget(100) });
});
