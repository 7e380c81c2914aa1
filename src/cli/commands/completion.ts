import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Shell } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";

/**
 * `driftline completion SHELL`: writes a script for the shell. The script asks `driftline complete-words` for the words that can
 * follow, and completes files if there are none. The shell only compares and inserts them: none of them becomes code.
 */
export function completionCommand(runtime: Runtime, shell: Shell): Promise<ExitCode> {
  runtime.out(SCRIPTS[shell]);
  return Promise.resolve(EXIT.ok);
}

/**
 * Bash splits words at @, : and = as well, which addresses and options contain. So the words are taken from the line, and the part
 * of the current word that bash does not replace is left out of the answers. Zsh reads a word up to a colon as its name.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for driftline: eval "$(driftline completion bash)"
_driftline() {
  local line="\${COMP_LINE:0:COMP_POINT}" word
  local -a typed=()
  read -ra typed <<< "$line"
  if [[ $line == *[[:space:]] ]]; then typed+=(""); fi
  local cur="\${typed[@]: -1}"
  local kept="\${cur%"\${cur##*[$COMP_WORDBREAKS]}"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [[ $word == "$cur"* ]]; then printf -v word %q "\${word#"$kept"}"; COMPREPLY+=("$word"); fi
  done < <("\${typed[0]}" complete-words -- "\${typed[@]:1}" 2>/dev/null)
}
complete -o default -F _driftline driftline
`,
  zsh: `#compdef driftline
# zsh completion for driftline: source <(driftline completion zsh)
_driftline() {
  local -a answers=(\${(f)"$("\${(Q)words[1]}" complete-words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
  answers=("\${(@)answers//(#m)[:\\\\]/\\\\$MATCH}")
  answers=("\${(@)answers/$'\\t'/:}")
  if (( $#answers )); then _describe word answers; else compset -P '--*='; _files; fi
}
compdef _driftline driftline
`,
  fish: `# fish completion for driftline: driftline completion fish | source
function __driftline_answer
  set -l words (commandline -opc) (commandline -ct)
  set -g __driftline_answers (command $words[1] complete-words -- $words[2..-1] 2>/dev/null)
  test -n "$__driftline_answers"
end
complete -c driftline -n __driftline_answer -f -a '$__driftline_answers'
`,
};
