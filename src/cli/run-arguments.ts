/**
 * The arguments of a run, for the commands that it suggests.
 *
 * Terms: what was typed are the paths and options of the command line. Defaults, and what comes from the environment, are not
 * repeated. A saved plan holds paths and options as well, and for a run on such a plan they count as typed.
 * Algorithm: a suggested command gets the paths and options that its verb has. `apply` of a saved plan gets `--plan FILE`
 * instead. If a suggested option would change that plan, the suggestion is to make it anew.
 */
import type { Command } from "commander";
import type { PlanDocument, PlanSource } from "../model/plan.ts";
import type { CompleteCommand } from "../model/messages.ts";

/** The file that is read if no path is given. */
export const DEFAULT_FILE = "driftline.yaml";

/** Options that decide what is planned, as flags by their names in commander. A saved plan holds all of them. */
const PLANNING = {
  vars: "--vars",
  var: "--var",
  only: "--only",
  prune: "--prune",
  rotate: "--rotate",
  recreate: "--recreate",
  profile: "--profile",
  url: "--url",
} as const;

/** How an emulator serves, by the names in commander. */
const SERVING = {
  port: "--port",
  dialect: "--dialect",
  controlPort: "--control-port",
  latency: "--latency",
  maxPageSize: "--max-page-size",
  rateLimits: "--rate-limits",
} as const;

/** All options that suggested commands repeat. The others only decide what a run shows, asks or writes beside its result. */
const REPEATED: Readonly<Record<string, string>> = {
  ...PLANNING,
  ...SERVING,
  maxRequestsPerMinute: "--max-requests-per-minute",
  confirmOrganization: "--confirm-organization",
  allowLoss: "--allow-loss",
  // The hash of a plan covers what is unmanaged.
  unmanaged: "--unmanaged",
  settleAfter: "--settle-after",
};

/** The options that commands without a configuration repeat. */
const CONNECTION: ReadonlySet<string> = new Set(["url", "profile", "maxRequestsPerMinute", ...Object.keys(SERVING)]);

/** Paths, and options by their names in commander. */
export interface Arguments {
  readonly paths: readonly string[];
  readonly options: Readonly<Record<string, OptionValue>>;
}

/** The value of an option, as commander parses it. */
export type OptionValue = string | number | boolean | readonly string[] | undefined;

/** A saved plan that a run is about. */
interface SavedPlan {
  readonly file: string;
  readonly document: PlanDocument;
}

/** What was typed, and the commands that repeat it. */
export interface RunArguments {
  /** What was typed, without defaults. */
  readonly typed: () => Arguments;
  /** Adds the arguments of the run to the words of a command. Values of variables that are secrets are written as VALUE. */
  readonly complete: CompleteCommand;
  /** The paths among the arguments of a command that takes addresses, too. */
  readonly usePaths: (paths: readonly string[]) => void;
  /** The saved plan that suggestions are about from now on. */
  readonly usePlan: (saved: SavedPlan) => void;
  /** From now on, suggestions do not apply the saved plan any more, because it was applied. */
  readonly spendPlan: () => void;
  /** The variables that are secrets according to the configuration. Before it is known, each of them may be one. */
  readonly conceal: (names: ReadonlySet<string>) => void;
}

/** @param current the command that runs; undefined if the arguments name none */
export function createRunArguments(program: Command, current: () => Command | undefined): RunArguments {
  let known: readonly string[] | undefined;
  let saved: SavedPlan | undefined;
  let isSpent = false;
  let secret: ReadonlySet<string> | undefined;
  const typed = (): Arguments => typedArguments(current(), known);
  const shown = (): Arguments => {
    const { paths, options } = typed();
    const variables = parseVariables(options["var"] as readonly string[] | undefined);
    const names = secret ?? new Set(variables.map(({ name }) => name));
    const url = typeof options["url"] === "string" ? withoutCredentials(options["url"]) : undefined;
    return { paths, options: { ...options, var: variableWords(variables, names), url } };
  };
  return {
    typed,
    usePaths: (paths) => void (known = paths),
    usePlan: (next) => void (saved = next),
    spendPlan: () => void (isSpent = true),
    conceal: (names) => void (secret = names),
    complete: ([verb = "", ...words]) => {
      const find = (name: string): Command | undefined => program.commands.find((command) => command.name() === name);
      if (saved === undefined) return joined(verb, shown(), words, find(verb));
      const { file, document } = saved;
      if (verb !== "apply" || isSpent || document.type !== "driftline.plan")
        return joined(verb, plannedArguments(document, shown()), words, find(verb));
      if (words.some((word) => Object.values<string>(PLANNING).includes(word)))
        return joined("plan", plannedArguments(document, shown()), [...words, "--out", file], find("plan"));
      return ["apply", "--plan", file, ...joined("", besidePlan(document, shown()), words, find(verb)).slice(1)];
    },
  };
}

/** @param known the paths among the arguments, if the command has decided which of them are addresses */
function typedArguments(command: Command | undefined, known: readonly string[] | undefined): Arguments {
  if (command === undefined) return { paths: [], options: {} };
  const values = command.opts<Record<string, OptionValue>>();
  const typed = Object.keys(values).filter((name) => command.getOptionValueSource(name) === "cli");
  return {
    paths: hasPaths(command)
      ? (known ?? command.args.filter((text) => !mayBeAddress(command) || looksLikePath(text)))
      : [],
    options: Object.fromEntries(typed.map((name) => [name, values[name]])),
  };
}

/** The client leaves them out as well. What is no URL may hold them, too: `user:password@host` parses with the scheme `user`. */
function withoutCredentials(url: string): string {
  return url.replace(/^(https?:\/\/)?.*@/su, "$1");
}

function hasPaths(command: Command): boolean {
  return command.registeredArguments.some((argument) => ["path", "address"].includes(argument.name()));
}

/** Whether a command takes addresses among its paths. */
function mayBeAddress(command: Command): boolean {
  return (
    command.registeredArguments.some((argument) => argument.name() === "address") || command.opts()["accept"] === true
  );
}

/** Whether an argument can only be a path: an address begins with the name of an organization, and has no extension of a file. */
export function looksLikePath(text: string): boolean {
  return /^[./~]|\.(?:ya?ml|json|[cm]?[jt]s)$|\/$/u.test(text);
}

/** The arguments that made a saved plan, and what was typed beside it. */
function plannedArguments({ source, options }: PlanDocument, typed: Arguments): Arguments {
  const { only, prune, rotate, recreate } = options;
  const limits = { only, prune, rotate, recreate };
  if (source === undefined) return { paths: typed.paths, options: { ...typed.options, ...limits } };
  const { paths, variable_files, variables, profile, url } = source;
  return {
    paths: paths.length === 1 && paths[0] === DEFAULT_FILE ? [] : paths,
    options: {
      ...typed.options,
      ...limits,
      vars: variable_files,
      var: variableWords(variables, new Set()),
      profile: profile === "posthog" ? undefined : profile,
      url: url ?? typed.options["url"],
    },
  };
}

/** What `apply --plan` needs besides the plan. A plan of an earlier version holds neither paths nor variables. */
function besidePlan({ source }: PlanDocument, { paths, options }: Arguments): Arguments {
  const { only: _only, prune: _prune, rotate: _rotate, recreate: _recreate, ...others } = options;
  if (source === undefined) return { paths, options: others };
  const rest = Object.entries(others).filter(([name]) => !(name in PLANNING));
  const withheld = source.variables.filter(({ value }) => value === null);
  return { paths: [], options: { ...Object.fromEntries(rest), var: variableWords(withheld, new Set()) } };
}

/** A command with its own words behind the arguments of the run; those of a command without paths are in front. */
function joined(
  verb: string,
  { paths, options }: Arguments,
  words: readonly string[],
  target: Command | undefined,
): readonly string[] {
  if (target === undefined) return [verb, ...words];
  const repeated = target.options
    .map((option) => option.attributeName())
    .filter((name) => hasPaths(target) || CONNECTION.has(name))
    .flatMap((name) => {
      const flag = REPEATED[name];
      const isReplaced = flag !== undefined && !Array.isArray(options[name]) && words.includes(flag);
      return flag === undefined || isReplaced ? [] : optionWords(flag, options[name]);
    });
  if (!hasPaths(target)) return [verb, ...words, ...repeated];
  const takesAddresses = mayBeAddress(target) || words.includes("--accept");
  const isUnclear = (path: string): boolean => path.startsWith("-") || (takesAddresses && !looksLikePath(path));
  return [verb, ...paths.map((path) => (isUnclear(path) ? `./${path}` : path)), ...repeated, ...words];
}

function optionWords(flag: string, value: OptionValue): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [flag];
  return typeof value === "object" ? value.flatMap((one) => [flag, one]) : [flag, String(value)];
}

/** The variables of `--var NAME=VALUE`, in order. */
export function parseVariables(given: readonly string[] = []): PlanSource["variables"] {
  return given.map((variable) => {
    const [, name = "", value = ""] = /^([^=]*)=?(.*)$/su.exec(variable) ?? [];
    return { name, value };
  });
}

function variableWords(variables: PlanSource["variables"], secret: ReadonlySet<string>): readonly string[] {
  return variables.map(({ name, value }) => `${name}=${value === null || secret.has(name) ? "VALUE" : value}`);
}
