import { expect, it } from "vitest";
import { workspace } from "../support/workspace.ts";
import { tableUnder } from "./docs/blocks.ts";
import { textOf } from "./docs/pages.ts";

const PAGE = textOf("docs/commands.md");

/** The names of a command's options, or of all commands. */
async function helpOf(args: readonly string[], pattern: RegExp): Promise<readonly string[]> {
  const { run } = await workspace();
  const { stdout } = await run([...args, "--help"]);
  return [...stdout.matchAll(pattern)]
    .map(([, name = ""]) => name)
    .filter((name) => !["--help", "help"].includes(name));
}

/** The words in backticks that the cell of a table holds. */
function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`\s]+)[^`]*`/g)].map(([, name = ""]) => name);
}

const COMMANDS = tableUnder(PAGE, "## All commands").flatMap(([command = ""]) => namesIn(command));
const OPTIONS = tableUnder(PAGE, "## All options").flatMap(([options = "", commands = ""]) =>
  namesIn(options).map((option) => ({ option, commands: namesIn(commands) })),
);

it("docs/commands.md lists every command", async () => {
  expect(new Set(COMMANDS)).toEqual(new Set(await helpOf([], /^ {2}([a-z]+) /gm)));
});

it.each(COMMANDS)("docs/commands.md lists every option of %s", async (command) => {
  const listed = OPTIONS.filter(({ commands }) => commands.includes(command)).map(({ option }) => option);
  const known = await helpOf([command], /^ {2}(?:-\w, )?(--[a-z-]+)/gm);
  expect([...listed].toSorted()).toEqual([...known].toSorted());
});

it("docs/commands.md names no other command in its options", () => {
  expect(OPTIONS.flatMap(({ commands }) => commands).filter((command) => !COMMANDS.includes(command))).toEqual([]);
});
