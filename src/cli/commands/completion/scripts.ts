import type { Shell } from "../../options.ts";
import { quoteWord } from "../../../model/suggested-command.ts";

/** The words that can follow a command. */
export interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** The possible first arguments. Empty if it is a file, or free text. */
  readonly words: readonly string[];
}

export interface OptionWords {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** The possible values. Empty if the value is a file, or free text. */
  readonly choices: readonly string[];
}

/**
 * Returns the completion script for a shell. The script contains all words, so completing never starts driftline. If no
 * word is known, the shell completes file names.
 */
export function completionScript(shell: Shell, commands: readonly CommandWords[]): string {
  return { bash, zsh, fish }[shell](commands);
}

function bash(commands: readonly CommandWords[]): string {
  return `# bash completion for driftline: eval "$(driftline completion bash)"
_driftline() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words="" word
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted(commands.map(({ name }) => name))}
  else
    case "$command $prev" in
${valueCases(commands)}
      *) case "$command" in
${commands.map(bashCase).join("\n")}
      esac ;;
    esac
  fi
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _driftline driftline
`;
}

/** Offers options if the current word begins with a dash, else arguments. */
function bashCase({ name, options, words }: CommandWords): string {
  const flags = options.map(({ flag }) => flag);
  return `        ${name}) if [[ $cur == -* ]]; then words=${quoted(flags)}; else words=${quoted(words)}; fi ;;`;
}

function valueCases(commands: readonly CommandWords[]): string {
  return commands
    .flatMap(({ name, options }) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ flag, choices }) => `      ${quoted([`${name} ${flag}`])}) words=${quoted(choices)} ;;`),
    )
    .join("\n");
}

function zsh(commands: readonly CommandWords[]): string {
  return `#compdef driftline
# zsh completion for driftline: source <(driftline completion zsh)
_driftline() {
  local -a commands=(
${commands.map(({ name, description }) => `    ${quoted([`${name}:${description}`])}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map(zshCase).join("\n")}
  esac
}
compdef _driftline driftline
`;
}

function zshCase({ name, options, words }: CommandWords): string {
  const specs = options.map((option) => quoted([zshOption(option)]));
  const rest = words.length === 0 ? "*:file:_files" : `1:word:(${words.join(" ")})`;
  return `    ${name}) _arguments -S ${[...specs, quoted([rest])].join(" ")} ;;`;
}

/** The leading `*` lets an option repeat, because several options are lists. */
function zshOption({ flag, description, takesValue, choices }: OptionWords): string {
  const about = description.replaceAll(/[[\]:\\]/g, (character) => `\\${character}`);
  const value = choices.length === 0 ? ":value:_files" : `:value:(${choices.join(" ")})`;
  return `*${flag}[${about}]${takesValue ? value : ""}`;
}

function fish(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, description, options, words }) => {
    const inside = `complete -c driftline -n ${quoted([`__fish_seen_subcommand_from ${name}`])}`;
    return [
      `complete -c driftline -n __fish_use_subcommand -f -a ${name} -d ${quoted([description])}`,
      ...(words.length === 0 ? [] : [`${inside} -f -a ${quoted(words)}`]),
      ...options.map(({ flag, description: about, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quoted(choices)}` : takesValue ? " -r" : "";
        return `${inside} -l ${flag.replace(/^--/, "")}${value} -d ${quoted([about])}`;
      }),
    ];
  });
  return `# fish completion for driftline: driftline completion fish | source\n${lines.join("\n")}\n`;
}

/** Joins words into one quoted word. */
function quoted(words: readonly string[]): string {
  return quoteWord(words.join(" "));
}
