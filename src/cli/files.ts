import { readAtMost } from "../config/source/files.ts";

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
