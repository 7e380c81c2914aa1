import { quoteWord } from "../../../model/command.ts";
import type { Shell } from "../../program/options.ts";

/** The words that can follow a command. */
export interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** Whether its arguments are addresses of the configuration. */
  readonly takesAddress: boolean;
  /** The possible first arguments. Empty if it is a file, or free text. */
  readonly words: readonly string[];
}

export interface OptionWords {
  readonly flag: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  /** Whether the value is an address of the configuration. */
  readonly takesAddress: boolean;
  /** The possible values. Empty if the value is a file, an address, or free text. */
  readonly choices: readonly string[];
}

/**
 * Returns the completion script for a shell. The script contains all words. Only for addresses it starts driftline, which reads
 * the configuration and sends nothing. If no word is known, the shell completes file names.
 */
export function completionScript(shell: Shell, commands: readonly CommandWords[]): string {
  return { bash, zsh, fish }[shell](commands);
}

/**
 * Bash splits words at @ and : as well, which addresses contain, so the words are taken from the line, and the part of the
 * current word that bash does not replace is left out of the answers. Addresses do not pass through `compgen -W`, which would
 * expand them.
 */
function bash(commands: readonly CommandWords[]): string {
  return `# bash completion for driftline: eval "$(driftline completion bash)"
_driftline() {
  local line="\${COMP_LINE:0:COMP_POINT}" words="" addresses="" word
  local -a typed=()
  read -ra typed <<< "$line"
  if [[ $line == *[[:space:]] ]]; then typed+=(""); fi
  local last=$(( \${#typed[@]} - 1 ))
  local cur="\${typed[last]}" prev="\${typed[last-1]}" command="\${typed[1]}"
  local -a before=("\${typed[@]:1:last-1}")
  if [[ $cur == --*=* ]]; then prev="\${cur%%=*}" cur="\${cur#*=}"; before+=("$prev"); fi
  local kept="\${cur%"\${cur##*[$COMP_WORDBREAKS]}"}"
  COMPREPLY=()
  if [ "$last" -eq 1 ]; then
    words=${quoted(commands.map(({ name }) => name))}
  else
    case "$command $prev" in
${commands.flatMap(bashValues).join("\n")}
      *) case "$command" in
${commands.map(bashCase).join("\n")}
      esac ;;
    esac
  fi
  while IFS= read -r word; do
    if [[ $word == "$cur"* ]]; then printf -v word %q "\${word#"$kept"}"; COMPREPLY+=("$word"); fi
  done < <(
    if [ -n "$addresses" ]; then "\${typed[0]}" ${COMPLETE} "\${before[@]}" 2>/dev/null
    else compgen -W "$words" -- "$cur"; fi
  )
}
complete -o default -F _driftline driftline
`;
}

/** The hidden command that lists addresses, before the words of the command line. */
const COMPLETE = "complete-address --";

/** Offers options if the current word begins with a dash, else arguments. */
function bashCase({ name, options, words, takesAddress }: CommandWords): string {
  const flags = options.map(({ flag }) => flag);
  const rest = takesAddress ? "addresses=1" : `words=${quoted(words)}`;
  return `        ${name}) if [[ $cur == -* ]]; then words=${quoted(flags)}; else ${rest}; fi ;;`;
}

function bashValues({ name, options }: CommandWords): readonly string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ flag, choices, takesAddress }) => {
      const values = takesAddress ? "addresses=1" : `words=${quoted(choices)}`;
      return `      ${quoted([`${name} ${flag}`])}) ${values} ;;`;
    });
}

function zsh(commands: readonly CommandWords[]): string {
  return `#compdef driftline
# zsh completion for driftline: source <(driftline completion zsh)
_driftline_addresses() {
  local -a addresses=(\${(f)"$("$program" ${COMPLETE} "\${(@)words[1,CURRENT-1]}" 2>/dev/null)"})
  compadd -a addresses
}
_driftline() {
  local -a commands=(
${commands.map(({ name, description }) => `    ${quoted([`${name}:${description}`])}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local program="$words[1]" command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map(zshCase).join("\n")}
  esac
}
compdef _driftline driftline
`;
}

function zshCase({ name, options, words, takesAddress }: CommandWords): string {
  const specs = options.flatMap((option) => zshOption(option).map((spec) => quoted([spec])));
  const free = takesAddress ? "*:address:_driftline_addresses" : "*:file:_files";
  const rest = words.length === 0 ? free : `1:word:(${words.join(" ")})`;
  return `    ${name}) _arguments -S ${[...specs, quoted([rest])].join(" ")} ;;`;
}

/** The leading `*` lets an option repeat, because several options are lists. */
function zshOption({ flag, short, description, takesValue, takesAddress, choices }: OptionWords): readonly string[] {
  const about = description.replaceAll(/[[\]:\\]/g, (character) => `\\${character}`);
  const free = takesAddress ? ":address:_driftline_addresses" : ":value:_files";
  const value = choices.length === 0 ? free : `:value:(${choices.join(" ")})`;
  return [flag, short].flatMap((name) => (name === undefined ? [] : [`*${name}[${about}]${takesValue ? value : ""}`]));
}

function fish(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, description, options, words, takesAddress }) => {
    const inside = `complete -c driftline -n ${quoted([`__fish_seen_subcommand_from ${name}`])}`;
    const first = takesAddress ? [FISH_ADDRESSES] : words;
    return [
      `complete -c driftline -n __fish_use_subcommand -f -a ${name} -d ${quoted([description])}`,
      ...(first.length === 0 ? [] : [`${inside} -f -a ${quoted(first)}`]),
      ...options.map((option) => `${inside} ${fishOption(option)}`),
    ];
  });
  return `# fish completion for driftline: driftline completion fish | source
function __driftline_addresses
  set -l words (commandline -opc)
  command $words[1] ${COMPLETE} $words[2..-1] 2>/dev/null
end
${lines.join("\n")}
`;
}

const FISH_ADDRESSES = "(__driftline_addresses)";

function fishOption({ flag, short, description, takesValue, takesAddress, choices }: OptionWords): string {
  const values = takesAddress ? [FISH_ADDRESSES] : choices;
  const value = values.length > 0 ? ` -x -a ${quoted(values)}` : takesValue ? " -r" : "";
  const name = `-l ${flag.replace(/^--/, "")}${short === undefined ? "" : ` -s ${short.slice(1)}`}`;
  return `${name}${value} -d ${quoted([description])}`;
}

/** Joins words into one quoted word. */
function quoted(words: readonly string[]): string {
  return quoteWord(words.join(" "));
}
