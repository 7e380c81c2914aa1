import { type Command, Option } from "commander";

/** Other tools' names for options: each alias with the option, and the value that it stands for. */
const ALIASES: readonly (readonly [alias: string, option: string, value?: string])[] = [
  ["--json", "--format", "json"],
  ["--target", "--only"],
  ["--var-file", "--vars"],
  ["--auto-approve", "--yes"],
];

/** Lets the options of a command be given by their aliases. They are parsed as the option is, whose help names them. */
export function withAliases(command: Command): void {
  for (const [alias, flag, value] of ALIASES) {
    const option = command.options.find(({ long }) => long === flag);
    if (option === undefined) continue;
    const name = option.attributeName();
    const placeholder = value === undefined ? (/ <.+>$/.exec(option.flags)?.[0] ?? "") : "";
    const meaning = value === undefined ? flag : `${flag} ${value}`;
    const hidden = new Option(`${alias}${placeholder}`, `the same as ${meaning}`).hideHelp();
    option.description += ` (also: ${alias}${value === undefined ? "" : ` for ${value}`})`;
    command.addOption(hidden).on(`option:${hidden.name()}`, (given?: string | null) => {
      const text = value ?? given ?? undefined;
      const parsed: unknown =
        text === undefined ? true : (option.parseArg?.(text, command.getOptionValue(name)) ?? text);
      command.setOptionValueWithSource(name, parsed, "cli");
    });
  }
}
