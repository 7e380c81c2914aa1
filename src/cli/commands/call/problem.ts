import { ApiError } from "../../../api/errors/errors.ts";
import type { Operation } from "../../../api/operations/index.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { Failure, failure } from "../../failure.ts";
import { isWriting } from "./confirm.ts";

/** How the command ends for an error of the service. What is no such error is given back as it is. */
export function callFailure(error: unknown, operation: Operation): unknown {
  if (error instanceof Failure || !(error instanceof ApiError)) return error;
  const unclear = isWriting(operation) && error.effect === "maybe" && error.method === operation.method;
  const code = exitCodeOf(error, unclear);
  const how = unclear ? ` ${howToFindOut(operation)}` : "";
  return failure(code, error.code ?? error.kind, error.message, `${error.hint}${how}`);
}

function exitCodeOf({ kind, status }: ApiError, unclear: boolean): ExitCode {
  if (kind === "interrupted") return EXIT.interrupted;
  if (unclear) return EXIT.unknown;
  if (kind === "auth" || kind === "scope") return EXIT.denied;
  // Refused by driftline itself: what was typed is wrong.
  return kind === "invalid" && status === null ? EXIT.invalid : EXIT.error;
}

/** Nobody knows whether the service did it: what to look at, and whether it may be sent again. */
function howToFindOut({ name, effect }: Operation): string {
  if (effect === "idempotent") return "It may have taken effect all the same; sending it again does no harm.";
  const [family = ""] = name.split(".");
  return `It may have taken effect all the same: look with driftline call ${family}.list before you send it again.`;
}
