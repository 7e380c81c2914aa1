import { readAtMost } from "../config/source/files.ts";
import { relative, resolve, sep } from "node:path";

/** The file is larger than the limit, or has no end. */
export class TooLargeError extends Error {
  readonly code = "TOO_LARGE";
}

/** Reads a text file of at most `limit` bytes. @throws TooLargeError, and the errors of the system */
export async function readBounded(path: string, limit: number): Promise<string> {
  const bytes = readAtMost(path, limit);
  if (bytes === undefined) throw new TooLargeError(`more than ${String(limit)} bytes`);
  return new TextDecoder().decode(bytes);
}

/**
 * Returns the relative path from a folder below the working directory up to it, such as `../`: editors look for a schema
 * from where the file is. For other folders it is empty, because the path would name folders of this machine.
 */
export function relativeParentPath(cwd: string, folder = ""): string {
  const steps = relative(resolve(cwd, folder), cwd).split(sep);
  return steps.every((step) => step === "..") ? `${steps.join("/")}/` : "";
}
