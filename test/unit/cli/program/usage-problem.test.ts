import { type Command, CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { DriftlineCommand } from "../../../../src/cli/program/command.ts";
import { addCommands } from "../../../../src/cli/program/commands.ts";
import { usageProblem } from "../../../../src/cli/program/usage-problem.ts";
import { hintFields } from "../../../../src/model/command.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import { INSTEAD } from "../../../../src/model/instead.ts";

function createProgram(): Command {
  const program = new DriftlineCommand("driftline").exitOverride().configureOutput({ outputError: () => undefined });
  addCommands(program, () => () => Promise.resolve());
  return program;
}

const commands = (): readonly Command[] => createProgram().commands;

/** What is said about a command line. */
function problemOf(verb: string, ...words: readonly string[]): Diagnostic {
  const program = createProgram();
  const command = program.commands.find((one) => one.name() === verb);
  try {
    program.parse([verb, ...words], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return usageProblem(error, command);
    throw error;
  }
  return expect.fail(`${verb} ${words.join(" ")} is understood`);
}

/** Swaps two letters. */
const misspelt = (word: string): string => `${word.slice(0, 1)}${word.slice(2, 3)}${word.slice(1, 2)}${word.slice(3)}`;

const CHOICES = commands().flatMap((command) =>
  [
    ...command.options.map(({ long, argChoices }) => [long ?? "", argChoices] as const),
    ...command.registeredArguments.map(({ argChoices }) => ["", argChoices] as const),
  ].flatMap(([flag, choices = []]) => choices.map((choice) => [command.name(), flag, choice] as const)),
);

describe("a misspelt value of a fixed list", () => {
  it("is known for options and arguments", () => {
    const places = new Set(CHOICES.map(([verb, flag]) => `${verb} ${flag}`));
    expect([...places]).toEqual(
      expect.arrayContaining(["init --kind", "plan --format", "completion ", "emulator --dialect"]),
    );
  });

  it.each(CHOICES)("%s %s: %s is suggested", (verb, flag, choice) => {
    const { code, hint } = problemOf(verb, ...(flag === "" ? [] : [flag]), misspelt(choice));
    expect([code, hint?.split(/\W/u)]).toEqual(["usage", expect.arrayContaining([choice.split("-")[0]])]);
  });

  it("gets no suggestion if none is near", () => {
    expect(problemOf("plan", "--format", "pdf").hint).toBe(problemOf("plan", "--nothing-like-it").hint);
  });
});

describe("a word too many", () => {
  it("is a folder, if the command writes into one", () => {
    expect(problemOf("export", "org").command).toEqual(["driftline", "export", "--out", "org"]);
    expect(problemOf("schema", "a", "b").command).toBeUndefined();
  });
});

describe("a misspelt command", () => {
  it("is followed by the command that is near", () => {
    expect(problemOf("aply").command).toEqual(["driftline", "apply"]);
  });

  it("gets all names that are equally near, and none as a command to paste", () => {
    const { hint, command } = problemOf("pln");
    expect([command, hint]).toEqual([undefined, expect.stringMatching(/\bpin\b.*\bplan\b/u)]);
  });
});

describe("an option of another command or tool", () => {
  it.each([
    [
      ["apply", "--effect"],
      ["driftline", "plan", "--effect"],
    ],
    [
      ["apply", "--dry-run"],
      ["driftline", "plan"],
    ],
    [
      ["plan", "--refresh-only"],
      ["driftline", "drift"],
    ],
    [
      ["plan", "-refresh-only"],
      ["driftline", "drift"],
    ],
  ] as const)("%s: %s", ([verb, flag], command) => {
    expect(problemOf(verb, flag)).toMatchObject({ code: "usage", command });
  });

  it("is not written with its value, which may be a key", () => {
    expect(JSON.stringify(problemOf("plan", "--api-key=phx_hunter2"))).not.toContain("hunter2");
  });

  it.each(Object.keys(INSTEAD).filter((word) => !word.endsWith(":")))("%s is none of driftline", (word) => {
    const [verb = "", option] = word.startsWith("-") ? ["plan", word] : word.split(" ");
    expect(problemOf(verb, ...(option === undefined ? [] : [option]))).toMatchObject(hintFields(INSTEAD[word]));
  });

  it("is one of a short list", () => {
    expect(Object.keys(INSTEAD).length).toBeLessThanOrEqual(40);
  });
});
