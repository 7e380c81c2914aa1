import { createReadStream } from "node:fs";

/** A file that has no end, or is larger than anything that is meant to be read. */
export class TooLargeError extends Error {
  readonly code = "TOO_LARGE";
}

/** The text of a file of at most so many bytes: some, such as devices, have no end. @throws TooLargeError, and what the system says */
export async function readBounded(path: string, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new TooLargeError(`more than ${String(limit)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString("utf8");
}
