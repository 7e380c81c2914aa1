/** What people type who know Terraform, Pulumi or kubectl. */
import type { Command } from "commander";
import { command, type CommandWords } from "../model/command.ts";
import { EXIT } from "./exit-codes.ts";
import { failure, type Failure } from "./failure.ts";

type Instead = readonly [hint: string, words: CommandWords];

const PLAN = command("plan");
const APPLY: Instead = ["To make the changes:", command("apply")];
const DOCTOR: Instead = ["To check the key and its rights:", command("doctor")];
const DRIFT: Instead = ["To see what changed on the service:", command("drift")];
const EXPORT: Instead = ["To write what is live as YAML:", command("export")];

/** Commands of other tools, with the one that does the same here. */
const COMMANDS: Readonly<Record<string, Instead>> = {
  preview: ["To see what would change:", PLAN],
  status: DRIFT,
  refresh: DRIFT,
  up: APPLY,
  deploy: APPLY,
  sync: APPLY,
  get: EXPORT,
  pull: EXPORT,
  whoami: DOCTOR,
  login: DOCTOR,
  fmt: ["No command formats files. To check them:", command("validate")],
  lint: ["To check the files:", command("validate")],
  state: ["There is no state: what is declared is compared with the service. To compare:", PLAN],
  workspace: [
    "There are no workspaces: give each environment a file of variables, with --vars. To see what would change:",
    PLAN,
  ],
  taint: ["Nothing forces a replacement; apply --rotate sends secrets again. To see what would change:", PLAN],
  "force-unlock": ["A lock ends with its process. To make the changes:", APPLY[1]],
  destroy: [
    "No command removes everything. Write lifecycle: { state: absent } for what is to go. To see what would be removed:",
    PLAN,
  ],
};

/** What to do instead of a command that only other tools have. */
export function otherCommand(name: string): Instead | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/**
 * Finds a long option with one dash, as in Terraform, and the -f of kubectl. The letters of -out=F would be read as short options:
 * -o with the value ut=F.
 *
 * @returns what is wrong, or undefined
 */
export function singleDash(args: readonly string[], named: Command | undefined): Failure | undefined {
  for (const [index, arg] of args.entries()) {
    if (arg === "--") return undefined;
    const [, name = ""] = /^-([a-z][a-z-]+)(?:=|$)/u.exec(arg) ?? [];
    const file = arg === "-f" && named?.registeredArguments[0]?.name() === "path" ? args[index + 1] : undefined;
    if (file !== undefined)
      return failure(EXIT.invalid, "usage", `unknown option '${arg}'`, `Give the path without it: ${file}`);
    const isLong = named?.options.some(({ long }) => long === `--${name}`) === true;
    if (isLong) return failure(EXIT.invalid, "usage", `unknown option '${arg}'`, `Write -${arg}, with two dashes.`);
  }
  return undefined;
}
