import type { Diagnostic } from "../model/diagnostic.ts";
import type { ExitCode } from "./exit-codes.ts";

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
