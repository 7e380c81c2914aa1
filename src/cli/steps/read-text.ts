import { resolve } from "node:path";
import { readAtMost } from "../../config/source/files.ts";
import type { Hint } from "../../model/command.ts";
import { invalidError } from "../failure.ts";
import type { Runtime } from "../runtime.ts";

/** Reads a text file that the command line names, of at most `limit` bytes. @throws EngineError with the code and the hint */
export function readText(
  { cwd }: Pick<Runtime, "cwd">,
  file: string,
  { limit, code, hint }: { readonly limit: number; readonly code: string; readonly hint: Hint },
): string {
  try {
    const bytes = readAtMost(resolve(cwd, file), limit);
    if (bytes !== undefined) return new TextDecoder().decode(bytes);
  } catch (error) {
    const { code: reason = "error" } = error as NodeJS.ErrnoException;
    throw invalidError(code, `${file} cannot be read (${reason})`, hint);
  }
  throw invalidError(code, `${file} cannot be read (TOO_LARGE)`, hint);
}
