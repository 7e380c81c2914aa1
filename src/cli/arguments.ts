import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { requireFilled } from "./config.ts";

/** The arguments of a command that takes addresses as well as paths. */
export interface Arguments {
  readonly addresses: readonly string[];
  readonly paths: readonly string[];
}

/**
 * Separates paths from addresses. What exists on disk is a path, and so is what looks like one: an address begins with the name
 * of an organization, and has no extension of a file.
 */
export function splitArguments(cwd: string, given: readonly string[]): Arguments {
  requireFilled(...given);
  const isPath = (text: string): boolean =>
    /^[./~]|\.(?:ya?ml|json|[cm]?[jt]s)$|\/$/u.test(text) || existsSync(resolve(cwd, text));
  return { addresses: given.filter((text) => !isPath(text)), paths: given.filter(isPath) };
}
