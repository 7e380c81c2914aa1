import type { Command } from "commander";
import type { EngineError } from "../../model/engine-error.ts";
import { invalidError } from "../failure.ts";

/**
 * Finds a long option with one dash, as in Terraform. The letters of -out=F would be read as short options:
 * -o with the value ut=F.
 *
 * @returns what is wrong, or undefined
 */
export function singleDash(args: readonly string[], named: Command | undefined): EngineError | undefined {
  for (const arg of args) {
    if (arg === "--") return undefined;
    const [, name = ""] = /^-([a-z][a-z-]+)(?:=|$)/u.exec(arg) ?? [];
    const isLong =
      ["no-color", "version", "help"].includes(name) ||
      named?.options.some(({ long }) => long === `--${name}`) === true;
    if (isLong) return invalidError("usage", `unknown option '${arg}'`, `Write -${arg}, with two dashes.`);
  }
  return undefined;
}
