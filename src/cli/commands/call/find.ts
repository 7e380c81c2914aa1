import { isOperationName, operations, type OperationName, type Operation } from "../../../api/operations/index.ts";
import { suggest } from "../../../model/suggest.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { failure, Failure } from "../../failure.ts";
import { ApiError } from "../../../api/errors/errors.ts";
import { isWriting } from "./confirm.ts";

/** The operation of a name. Ends the command with a suggestion where there is none. */
export function findOperation(name: string): OperationName {
  if (isOperationName(name)) return name;
  throw unknownOperation(name);
}

/** The operations at a name, a family's name, or all of them for "". */
export function findOperations(name: string): readonly OperationName[] {
  const found = names().filter((one) => name === "" || one === name || one.startsWith(`${name}.`));
  if (found.length === 0) throw unknownOperation(name);
  return found;
}

function unknownOperation(name: string): Failure {
  const family = names().filter((one) => one.startsWith(`${name}.`));
  const close = suggest(name, names()) ?? suggestMethod(name);
  const hint =
    family.length > 0
      ? `It is a family: ${family.join(", ")}.`
      : close === undefined
        ? "driftline call --list tells what there is."
        : `Did you mean ${close}?`;
  return failure(EXIT.invalid, "unknown_operation", `there is no operation ${JSON.stringify(name)}`, hint);
}

/** Where the whole is too far off, the family or the rest may still be near. */
function suggestMethod(name: string): string | undefined {
  const [family = "", method = ""] = name.split(".");
  const families = new Set(names().map((one) => one.split(".")[0] ?? ""));
  const near = families.has(family) ? family : suggest(family, families);
  const own = names().filter((one) => one.startsWith(`${near ?? ""}.`));
  const rest = suggest(
    method,
    own.map((one) => one.slice((near ?? "").length + 1)),
  );
  return near === undefined || rest === undefined ? undefined : `${near}.${rest}`;
}

function names(): readonly OperationName[] {
  return Object.keys(operations) as OperationName[];
}

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
