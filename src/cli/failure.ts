import type { Diagnostic } from "../model/diagnostic.ts";
import { type ExitCode, EXIT } from "./exit-codes.ts";

/** Ends a command: what is wrong, what to do about it, and the exit code. Never a stack trace. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  constructor(exitCode: ExitCode, diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ message }) => message).join("\n"));
    this.name = "Failure";
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
  }
}

/** A failure of one sentence and one hint. */
export function failure(exitCode: ExitCode, code: string, message: string, hint: string): Failure {
  return new Failure(exitCode, [{ severity: "error", code, message, hint }]);
}

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
