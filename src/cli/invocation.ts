/**
 * What was typed, for the commands that a run suggests.
 *
 * Terms: what was typed are the paths and options of the command line. Defaults, and what comes from the environment, are not
 * repeated. A saved plan holds paths and options as well, and for a run on such a plan they count as typed.
 * Algorithm: a suggested command gets the paths and options that its verb has. `apply` of a saved plan gets `--plan FILE`
 * instead. If a suggested option would change that plan, the suggestion is to make it anew.
 */
import type { Command } from "commander";
import { existsSync } from "node:fs";
import { publicUrlOf } from "../api/http/service-url.ts";
import { resolve } from "node:path";
import type { PlanDocument, PlanSource } from "../model/plan.ts";
import { type CommandWords, flagOf, optionWords } from "../model/command.ts";

/** The file that is read if no path is given. */
export const DEFAULT_FILE = "driftline.yaml";

/** Options that decide what is planned, by their names in commander. A saved plan holds all of them. */
const PLANNING: readonly string[] = ["vars", "var", "only", "prune", "rotate", "recreate", "profile", "url"];

/** How an emulator serves. */
const SERVING: readonly string[] = [
  "port",
  "dialect",
  "controlPort",
  "allowHost",
  "latency",
  "maxPageSize",
  "rateLimits",
];

/** All options that suggested commands repeat. The others only decide what a run shows, asks or writes beside its result. */
const REPEATED: ReadonlySet<string> = new Set([
  ...PLANNING,
  ...SERVING,
  "maxRequestsPerMinute",
  "since",
  "by",
  "confirmOrganization",
  "allowLoss",
  "pin",
  // The hash of a plan covers what is unmanaged.
  "unmanaged",
  "settleAfter",
]);

/** The options that commands without a configuration repeat. */
const CONNECTION: ReadonlySet<string> = new Set(["url", "profile", "maxRequestsPerMinute", ...SERVING]);

/** Paths, and options by their names in commander. */
export interface Arguments {
  readonly paths: readonly string[];
  readonly options: Readonly<Record<string, OptionValue>>;
}

/** The value of an option, as commander parses it. */
export type OptionValue = string | number | boolean | readonly string[] | undefined;

/** A saved plan that a run is about. */
export interface SavedPlan {
  readonly file: string;
  readonly document: PlanDocument;
}

/** What the words of the command line do not say. */
interface Facts {
  /** The paths and the URL that are answers, and count as typed. */
  readonly paths?: readonly string[];
  readonly url?: string;
  /** The saved plan that suggestions are about. */
  readonly saved?: SavedPlan | undefined;
  /** Whether suggestions do not apply the saved plan any more. */
  readonly isApplied?: boolean;
}

/** The command line: its program, and the command that runs; undefined if the arguments name none. */
interface Line {
  readonly cwd: string;
  readonly program: Command;
  readonly current: () => Command | undefined;
  /** The variables that are secrets. Until a configuration says so, each of them may be one. */
  secret?: ReadonlySet<string>;
}

/** What was typed, without defaults, and the commands that repeat it. */
export class Invocation {
  readonly #line: Line;
  readonly #facts: Facts;

  constructor(line: Line, facts: Facts = {}) {
    this.#line = line;
    this.#facts = facts;
  }

  /** The same command line, of which more is known. */
  about(facts: Facts): Invocation {
    return new Invocation(this.#line, { ...this.#facts, ...facts });
  }

  typed(): Arguments {
    const { cwd, current } = this.#line;
    const { paths, options } = typedArguments(current());
    return { paths: this.#facts.paths ?? paths.filter((path) => existsSync(resolve(cwd, path))), options };
  }

  /** Sets the variables that are secrets according to the configuration. */
  hideVariables(names: ReadonlySet<string>): void {
    this.#line.secret = names;
  }

  /** Adds the arguments of the run to a command. Values of variables that are secrets are written as VALUE. */
  readonly toRunnable = ([start = "", verb = "", ...words]: CommandWords): CommandWords => [
    start,
    ...this.#withRunOptions(verb, words),
  ];

  #withRunOptions(verb: string, words: readonly string[]): readonly string[] {
    const shown = this.#shown();
    const { saved, isApplied = false } = this.#facts;
    if (saved === undefined) return commandWordsOf(verb, shown, words, this.#find(verb));
    const { file, document } = saved;
    if (verb !== "apply" || isApplied || document.type !== "driftline.plan")
      return commandWordsOf(verb, plannedArguments(document, shown), words, this.#find(verb));
    if (words.some((word) => PLANNING.map(flagOf).includes(word)))
      return commandWordsOf("plan", plannedArguments(document, shown), [...words, "--out", file], this.#find("plan"));
    return [
      "apply",
      "--plan",
      file,
      ...commandWordsOf("", argumentsBesidePlan(document, shown), words, this.#find(verb)).slice(1),
    ];
  }

  /** The command that was typed, to run it again. */
  again(): CommandWords {
    return this.toRunnable(["driftline", this.#line.current()?.name() ?? ""]);
  }

  #find(name: string): Command | undefined {
    return this.#line.program.commands.find((command) => command.name() === name);
  }

  /** What was typed, without secrets. */
  #shown(): Arguments {
    const { paths, options } = this.typed();
    const variables = parseVariables(options["var"] as readonly string[] | undefined);
    const names = this.#line.secret ?? new Set(variables.map(({ name }) => name));
    const given = options["url"] ?? this.#facts.url;
    const url = typeof given === "string" ? withoutCredentials(given) : undefined;
    return { paths, options: { ...options, var: variableWords(variables, names), url } };
  }
}

function typedArguments(command: Command | undefined): Arguments {
  if (command === undefined) return { paths: [], options: {} };
  const values = command.opts<Record<string, OptionValue>>();
  const typed = Object.keys(values).filter(
    (name) => command.getOptionValueSource(name) === "cli" && !(name === "only" && namesObjects(command)),
  );
  return {
    paths: hasPaths(command) ? command.args : [],
    options: Object.fromEntries(typed.map((name) => [name, values[name]])),
  };
}

/**
 * The client leaves user and query out as well. What is no URL may hold them, too: `user:password@host` parses with the scheme `user`.
 * If such a text has an @, it is not clear where its host begins. The word URL stands for it then.
 */
export function withoutCredentials(given: string): string {
  if (URL.canParse(given) && /^https?:$/u.test(new URL(given).protocol)) return publicUrlOf(given);
  return given.includes("@") ? "URL" : given.replace(/[?#].*$/su, "");
}

function hasPaths(command: Command): boolean {
  return command.registeredArguments.some((argument) => argument.name() === "path");
}

/** Whether `--only` names what the command writes. It limits nothing else. */
function namesObjects(command: Command): boolean {
  return ["import", "pin"].includes(command.name());
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

/** What `apply --plan` needs besides the plan. A plan that no command made holds neither paths nor variables. */
function argumentsBesidePlan({ source }: PlanDocument, { paths, options }: Arguments): Arguments {
  const { only: _only, prune: _prune, rotate: _rotate, recreate: _recreate, ...others } = options;
  if (source === undefined) return { paths, options: others };
  const rest = Object.entries(others).filter(([name]) => !PLANNING.includes(name));
  const withheld = source.variables.filter(({ value }) => value === null);
  return { paths: [], options: { ...Object.fromEntries(rest), var: variableWords(withheld, new Set()) } };
}

/** A command with its own words behind the arguments of the run; those of a command without paths are in front. */
function commandWordsOf(
  verb: string,
  { paths, options }: Arguments,
  words: readonly string[],
  target: Command | undefined,
): readonly string[] {
  if (target === undefined) return [verb, ...words];
  const repeated = target.options
    .map((option) => option.attributeName())
    .filter((name) => (hasPaths(target) || CONNECTION.has(name)) && !(name === "only" && namesObjects(target)))
    .flatMap((name) => {
      const [flag, value] = [flagOf(name), options[name]];
      if (!REPEATED.has(name)) return [];
      const isNew = (one: string): boolean => !words.some((word, index) => word === one && words[index - 1] === flag);
      if (name !== "only" && isList(value)) return optionWords(name, value.filter(isNew));
      return words.includes(flag) ? [] : optionWords(name, value);
    });
  // A saved plan knows its paths.
  if (!hasPaths(target) || words.includes("--plan")) return [verb, ...words, ...repeated];
  return [verb, ...paths.map((path) => (path.startsWith("-") ? `./${path}` : path)), ...repeated, ...words];
}

function isList(value: OptionValue): value is readonly string[] {
  return Array.isArray(value);
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
