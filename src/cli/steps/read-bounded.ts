import { readAtMost } from "../../config/source/files.ts";

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
