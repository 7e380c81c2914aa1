import { own } from "../../model/json/json.ts";
import type { Argument, Command, Option } from "commander";
import { kindNames } from "../../model/kind-name.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { commandNamed } from "../program/command.ts";
import type { Runtime } from "../runtime.ts";
import type { AddressPlace } from "./complete-words/addresses.ts";

/**
 * Lists what can follow a command line, for the scripts of `driftline completion`: a word in each line, with a tab and its
 * description. The shells select by what is typed of the last word, each in its own way. Nothing is sent, and what is
 * wrong is left to the command itself: a report of it would disturb the prompt.
 *
 * @param words the command line without its program, up to the word that is completed
 */
export async function completeWordsCommand(
  runtime: Runtime,
  words: readonly string[],
  program: Command,
): Promise<ExitCode> {
  const answers = await answersTo(runtime, words, program);
  runtime.out(answers.map((answer) => `${answer}\n`).join(""));
  return EXIT.ok;
}

async function answersTo(runtime: Runtime, words: readonly string[], program: Command): Promise<readonly string[]> {
  const place = placeOf(words, program);
  if (place === undefined) return [];
  const { command, given, current, start, flag } = place;
  const option = optionNamed(place);
  if (option === undefined && current.startsWith("-")) return flagsOf(command, program);
  if (command === program) return commandsOf(program);
  // The flag before the word is no argument.
  const operands = operandsOf(command, option === undefined || start !== "" ? given : given.slice(0, -1));
  const argument = argumentAt(command, operands.length);
  const name = option === undefined ? argument?.name() : /<(\w+)>$/u.exec(option.flags)?.[1];
  const choices = (option ?? argument)?.argChoices;
  const values = choices ?? (await own(LISTS, name ?? "")?.(runtime, { command, operands, flag })) ?? [];
  return values.map((value) => `${start}${value}`);
}

/** Where the word stands that is completed. */
interface WordPlace {
  /** The command of the line; the program before there is one. */
  readonly command: Command;
  /** The words between the command and the word. */
  readonly given: readonly string[];
  readonly current: string;
  /** `--only=` of the word `--only=acme`, with which its answers begin; else empty. */
  readonly start: string;
  /** The option whose value the word may be. */
  readonly flag: string;
}

/** Undefined if the line names no command that exists. */
function placeOf(words: readonly string[], program: Command): WordPlace | undefined {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const at = before.findIndex((word) => !word.startsWith("-") && word !== "help");
  const command = at === -1 ? program : commandNamed(program, before[at]);
  if (command === undefined) return undefined;
  const given = before.slice(at + 1);
  const [, flag] = /^(--[^=]+)=/u.exec(current) ?? [];
  return { command, given, current, start: flag === undefined ? "" : `${flag}=`, flag: flag ?? given.at(-1) ?? "" };
}

/** The option whose value the word is. A value that may be left out is none that looks like a flag. */
function optionNamed({ command, current, start, flag }: WordPlace): Option | undefined {
  const looksLikeFlag = current.slice(start.length).startsWith("-");
  return command.options.find(
    ({ long, required, optional }) => flag === long && (required || (optional && !looksLikeFlag)),
  );
}

/** The words for an argument or a value, by the name that help shows. Any other one is a file, or free text. */
const LISTS: Readonly<Record<string, (runtime: Runtime, place: AddressPlace) => Promise<readonly string[]>>> = {
  kind: () => Promise.resolve([...kindNames]),
  operation: async () => Object.keys((await import("../../api/operations/index.ts")).operations),
  address: async (runtime, place) => (await import("./complete-words/addresses.ts")).addressesAt(runtime, place),
};

/** Every option, with those that help shows under another name. */
function flagsOf(command: Command, program: Command): readonly string[] {
  const visible = command.createHelp().visibleOptions(command);
  const common = program.options.filter(({ long }) => long !== "--version");
  const options = new Set([...command.options, ...common, ...visible]);
  return [...options].flatMap(({ short, long, description }) =>
    [short, long].flatMap((flag) => (flag === undefined ? [] : [`${flag}\t${description}`])),
  );
}

/** The commands under each of their names. */
function commandsOf(program: Command): readonly string[] {
  const commands = program.createHelp().visibleCommands(program);
  return commands.flatMap((command) =>
    [command.name(), ...command.aliases()].map((name) => `${name}\t${command.description()}`),
  );
}

/** The arguments that were typed; none if an option is wrong. The options get their values. */
function operandsOf(command: Command, given: readonly string[]): readonly string[] {
  try {
    return command.parseOptions([...given]).operands;
  } catch {
    return [];
  }
}

/** The argument behind so many others. The last one may repeat. */
function argumentAt({ registeredArguments: all }: Command, count: number): Argument | undefined {
  return all[count] ?? all.find(({ variadic }) => variadic);
}
