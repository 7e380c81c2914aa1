/**
 * What is said about arguments that cannot be understood.
 *
 * Premise: commander puts what it knows into a sentence, which it throws. Its parts are taken out again.
 */
import type { Command, CommanderError } from "commander";
import { hintFields } from "../../model/command.ts";
import { INSTEAD, insteadOfOption } from "../../model/instead.ts";
import { own } from "../../model/json/json.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { suggest } from "../../model/text/suggest.ts";

/**
 * What commander says of arguments that it does not understand, with the command or option that does the same, the word that is
 * near, or the help that lists the right ones.
 */
export function usageProblem({ code, message }: CommanderError, named: Command | undefined): Diagnostic {
  const [, what = "", near] = /^(?:error: )?(.*?)(?:\n\(Did you mean (?:one of )?(.*)\?\))?$/su.exec(message) ?? [];
  const problem = { severity: "error", code: "usage", message: what } as const;
  const [, unknown = ""] = /^unknown command '(.*)'$/u.exec(what) ?? [];
  const instead = own(INSTEAD, unknown);
  if (instead !== undefined) return { ...problem, ...hintFields(instead) };
  // What stands behind the sign may be a key.
  const [, option = ""] = /^unknown option '(.*?)(?:=.*)?'$/su.exec(what) ?? [];
  const other = insteadOfOption(named?.name() ?? "", option);
  if (other !== undefined) return { ...problem, message: `unknown option '${option}'`, ...hintFields(other) };
  const [word = ""] = named?.args ?? [];
  if (code === "commander.excessArguments" && named?.options.some(({ long }) => long === "--out") === true)
    return { ...problem, hint: "To write into a folder:", command: ["driftline", named.name(), "--out", word] };
  const names = near?.split(", ") ?? nearestChoice(what);
  const [nearest, ...others] = names;
  if (code === "commander.unknownCommand" && nearest !== undefined && others.length === 0)
    return { ...problem, hint: "Did you mean this?", command: ["driftline", nearest] };
  const meant = names.length === 0 ? "" : `Did you mean ${names.join(" or ")}? `;
  const help = ["driftline", ...(named === undefined ? [] : [named.name()]), "--help"].join(" ");
  return { ...problem, hint: `${meant}Run "${help}" for usage.` };
}

/** The value of a fixed list that is near to the one that was given. In `--format htm=report.html` it is the part before the sign. */
function nearestChoice(what: string): readonly string[] {
  const [, given = "", choices = ""] =
    / (?:argument|value) '(.*)' is invalid\b.*?\. Allowed choices are (.*?)\./su.exec(what) ?? [];
  const near = suggest(given.split("=", 1)[0] ?? "", choices.split(", "));
  return near === undefined || near === "" ? [] : [near];
}
