import { type Hint, hintFields } from "./command.ts";
import type { Diagnostic } from "./diagnostic.ts";

/**
 * Why a command or the engine stopped. The caller decides what follows: the command line maps each reason to an exit code.
 * - `invalid`: the configuration or a file does not fit the service or this version.
 * - `stale`: the live state or the configuration is no longer what was approved.
 * - `refused`: a safety rule forbids it.
 * - `interrupted`: the signal was aborted before anything was written.
 * - `failed`: everything else, such as a lock that another run holds.
 * - `denied`, `unknown`: the key cannot be one; a single request may have taken effect. Only the command line has these.
 */
export type EngineErrorReason = "invalid" | "stale" | "refused" | "interrupted" | "failed" | "denied" | "unknown";

/** Ends a command, or a function of the engine. The diagnostics say what is wrong and what to do about it. */
export class EngineError extends Error {
  readonly reason: EngineErrorReason;
  readonly diagnostics: readonly Diagnostic[];
  constructor(reason: EngineErrorReason, diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ message }) => message).join("\n"));
    this.name = "EngineError";
    this.reason = reason;
    this.diagnostics = diagnostics;
  }
}

export function engineError(reason: EngineErrorReason, code: string, message: string, hint: Hint): EngineError {
  return new EngineError(reason, [{ severity: "error", code, message, ...hintFields(hint) }]);
}
