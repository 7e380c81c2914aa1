import type { Hint } from "../model/command.ts";
import { type EngineError, engineError } from "../model/engine-error.ts";
import { firstOf, MAX_FILES } from "../model/text/plural.ts";
import type { Invocation } from "./invocation.ts";

/** The error because of what was typed, or of what a file holds. */
export function invalidError(code: string, message: string, hint: Hint): EngineError {
  return engineError("invalid", code, message, hint);
}

/** Files that are in the way: how many, and the first of them. */
export function filesExist(files: readonly string[], hint: Hint): EngineError {
  return invalidError(
    "file_exists",
    `${firstOf(files, MAX_FILES)} already ${files.length === 1 ? "exists" : "exist"}`,
    hint,
  );
}

/** Returns a handler that reports a file that cannot be written, with the code of the system. */
export function cannotWrite(file: string): (error: NodeJS.ErrnoException) => never {
  return ({ code, message }) => {
    throw engineError(
      "failed",
      "cannot_write",
      `${file} cannot be written (${code ?? message})`,
      "Choose a file that can be written, in a folder that exists.",
    );
  };
}

/** An error whose suggestions are about more than the command line says, such as a saved plan. */
export class Reported extends Error {
  readonly reason: unknown;
  readonly invocation: Invocation;
  constructor(reason: unknown, invocation: Invocation) {
    super("reported with more than the command line says");
    this.reason = reason;
    this.invocation = invocation;
  }
}

/** Does a part of a command whose errors are reported with what its invocation knows. @throws Reported */
export async function reportedWith<T>(
  { invocation }: { readonly invocation: Invocation },
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Reported ? error : new Reported(error, invocation);
  }
}
