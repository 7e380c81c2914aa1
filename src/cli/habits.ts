/** What people type who know Terraform, Pulumi or kubectl. */
import type { Command } from "commander";
import { command, type CommandWords } from "../model/command.ts";
import { EXIT } from "./exit-codes.ts";
import { failure, type Failure } from "./failure.ts";

/** Commands of other tools, with the one that does the same here. */
const COMMANDS: Readonly<Record<string, readonly [hint: string, words: CommandWords]>> = {
  preview: ["To see what would change:", command("plan")],
  status: ["To see what changed on the service:", command("drift")],
  refresh: ["To see what changed on the service:", command("drift")],
  up: ["To make the changes:", command("apply")],
  deploy: ["To make the changes:", command("apply")],
  sync: ["To make the changes:", command("apply")],
  get: ["To write what is live as YAML:", command("export")],
  pull: ["To write what is live as YAML:", command("export")],
  whoami: ["To check the key and its rights:", command("doctor")],
  login: ["To check the key and its rights:", command("doctor")],
  fmt: ["No command formats files. To check them:", command("validate")],
  lint: ["To check the files:", command("validate")],
  destroy: [
    "No command removes everything. Write lifecycle: { state: absent } for what is to go. To see what would be removed:",
    command("plan"),
  ],
};

/** What to do instead of a command that only other tools have. */
export function otherCommand(name: string): readonly [hint: string, words: CommandWords] | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/**
 * Finds a long option with one dash, as in Terraform. Its letters would be read as short options: -out=F as -o with the value ut=F.
 *
 * @returns what is wrong, or undefined
 */
export function singleDash(args: readonly string[], named: Command | undefined): Failure | undefined {
  for (const arg of args) {
    if (arg === "--") return undefined;
    const [, name = ""] = /^-([a-z][a-z-]+)(?:=|$)/u.exec(arg) ?? [];
    const isLong = named?.options.some(({ long }) => long === `--${name}`) === true;
    if (isLong) return failure(EXIT.invalid, "usage", `unknown option '${arg}'`, `Write -${arg}, with two dashes.`);
  }
  return undefined;
}
