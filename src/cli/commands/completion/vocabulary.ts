import type { Command } from "commander";

/** What can follow on a command line, read off the commands themselves. */
export interface Vocabulary {
  readonly commands: readonly CommandWords[];
}

export interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** What its first argument can be; empty where that is a file, or anything. */
  readonly words: readonly string[];
}

export interface OptionWords {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** Empty where the value is a file, or anything. */
  readonly choices: readonly string[];
}

/** `words` are the first arguments by command, where there is a list of them. */
export function vocabularyOf(program: Command, words: Readonly<Record<string, readonly string[]>>): Vocabulary {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: [...command.options.map(optionWords), HELP],
    words: words[command.name()] ?? [],
  }));
  return { commands };
}

const HELP: OptionWords = { flag: "--help", description: "tell what there is", takesValue: false, choices: [] };

function optionWords(option: Command["options"][number]): OptionWords {
  return {
    flag: option.long ?? option.flags,
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}
