import type { CommandWords, OptionWords, Vocabulary } from "./vocabulary.ts";

export const shells = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof shells)[number];

/**
 * The text for a shell to evaluate. It stands alone: completing never starts driftline. Where no word is known, the shell
 * completes files.
 */
export function completionScript(shell: Shell, vocabulary: Vocabulary): string {
  return { bash, zsh, fish }[shell](vocabulary);
}

function bash({ commands }: Vocabulary): string {
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

/** Options are offered where one has begun, arguments elsewhere. */
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

function zsh({ commands }: Vocabulary): string {
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

/** Any option may be given again: several take lists. */
function zshOption({ flag, description, takesValue, choices }: OptionWords): string {
  const about = description.replaceAll(/[[\]:\\]/g, (character) => `\\${character}`);
  const value = choices.length === 0 ? ":value:_files" : `:value:(${choices.join(" ")})`;
  return `*${flag}[${about}]${takesValue ? value : ""}`;
}

function fish({ commands }: Vocabulary): string {
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

/** One word of a shell, whatever is in it. */
function quoted(words: readonly string[]): string {
  return `'${words.join(" ").replaceAll("'", String.raw`'\''`)}'`;
}
