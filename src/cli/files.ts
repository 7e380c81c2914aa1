import { readAtMost } from "../config/source/files.ts";
import { relative, resolve, sep } from "node:path";

/** A file that has no end, or is larger than anything that is meant to be read. */
export class TooLargeError extends Error {
  readonly code = "TOO_LARGE";
}

/** The text of a file of at most so many bytes. @throws TooLargeError, and what the system says */
export async function readBounded(path: string, limit: number): Promise<string> {
  const bytes = readAtMost(path, limit);
  if (bytes === undefined) throw new TooLargeError(`more than ${String(limit)} bytes`);
  return new TextDecoder().decode(bytes);
}

/**
 * The way from a folder below the working directory up to it, such as `../`: editors look for a schema from where the file
 * lies. Of other folders nothing is said: the way from there would name folders of this machine.
 */
export function relativeParentPath(cwd: string, folder = ""): string {
  const steps = relative(resolve(cwd, folder), cwd).split(sep);
  return steps.every((step) => step === "..") ? `${steps.join("/")}/` : "";
}
