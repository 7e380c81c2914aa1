import { requireFilled } from "./config.ts";
import { isPath } from "./run-arguments.ts";

/** The arguments of a command that takes addresses as well as paths. */
export interface Arguments {
  readonly addresses: readonly string[];
  readonly paths: readonly string[];
}

/** Separates paths from addresses. */
export function splitArguments(cwd: string, given: readonly string[]): Arguments {
  requireFilled(...given);
  return {
    addresses: given.filter((text) => !isPath(cwd, text)),
    paths: given.filter((text) => isPath(cwd, text)),
  };
}
