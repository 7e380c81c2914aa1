import type { Command } from "commander";
import { type Failure, invalid } from "../failure.ts";

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
    if (file !== undefined) return invalid("usage", `unknown option '${arg}'`, `Give the path without it: ${file}`);
    const isLong = name === "no-color" || named?.options.some(({ long }) => long === `--${name}`) === true;
    if (isLong) return invalid("usage", `unknown option '${arg}'`, `Write -${arg}, with two dashes.`);
  }
  return undefined;
}
