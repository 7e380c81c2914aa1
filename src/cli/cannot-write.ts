import { EXIT } from "./exit-codes.ts";
import { failure } from "./failure.ts";

/** Ends a command that was to write a file of this name: what the system says of it, and not as a mistake of ours. */
export function cannotWrite(file: string): (error: NodeJS.ErrnoException) => never {
  return ({ code, message }) => {
    throw failure(
      EXIT.error,
      "cannot_write",
      `${file} cannot be written (${code ?? message})`,
      "Name a place that can be written to, in a folder that is there.",
    );
  };
}
