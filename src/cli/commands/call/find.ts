import { command, type Hint, hintText } from "../../../model/command.ts";
import {
  familyOf,
  isOperationName,
  listBeside,
  operations,
  type OperationName,
} from "../../../api/operations/index.ts";
import { didYouMean, suggest } from "../../../model/text/suggest.ts";
import { type EngineError, engineError, type EngineErrorReason } from "../../../model/engine-error.ts";
import { invalidError } from "../../failure.ts";
import { ApiError, isDenied, type ErrorKind } from "../../../api/errors/errors.ts";
import { hintForGivenIds } from "../../../api/errors/hints.ts";
import { withDoctor } from "../../terminal/output.ts";
import { isWriting } from "./confirm.ts";
import type { CallRequest } from "./preview.ts";

/** The hint for a missing or unknown operation. */
export const LIST_OPERATIONS: Hint = { hint: "To see all operations:", command: command("call", { list: true }) };

/** Returns the operation with this name. @throws EngineError with a suggestion if there is none */
export function findOperation(name: string): OperationName {
  if (isOperationName(name)) return name;
  throw unknownOperation(name);
}

/** Returns the operation with this name, the operations of the family with this name, or all for "". */
export function findOperations(name: string): readonly OperationName[] {
  const fitting = names().filter((one) => name === "" || one === name || one.startsWith(`${name}.`));
  if (fitting.length === 0) throw unknownOperation(name);
  return fitting;
}

function unknownOperation(name: string): EngineError {
  const family = names().filter((one) => one.startsWith(`${name}.`));
  const close = suggest(name, names()) ?? suggestMethod(name);
  const hint = family.length > 0 ? `It is a family: ${family.join(", ")}.` : (didYouMean(close) ?? LIST_OPERATIONS);
  return invalidError("unknown_operation", `there is no operation ${JSON.stringify(name)}`, hint);
}

/** Compares the family and the method one by one, because the whole name may be too different. */
function suggestMethod(name: string): string | undefined {
  const [family = "", method = ""] = name.split(".");
  const families = new Set(names().map(familyOf));
  const near = families.has(family) ? family : suggest(family, families);
  const ofFamily = names().filter((one) => one.startsWith(`${near ?? ""}.`));
  const rest = suggest(
    method,
    ofFamily.map((one) => one.slice((near ?? "").length + 1)),
  );
  return near === undefined || rest === undefined ? undefined : `${near}.${rest}`;
}

function names(): readonly OperationName[] {
  return Object.keys(operations) as OperationName[];
}

/** Errors of the connection and of the key. */
const SETUP_ERRORS: ReadonlySet<ErrorKind> = new Set(["network", "timeout", "auth", "scope"]);

/** Returns the failure for an error of the service. Other errors are returned unchanged. */
export function callFailure(error: unknown, request: CallRequest): unknown {
  const { operation } = request;
  if (!(error instanceof ApiError)) return error;
  const unclear = isWriting(operation) && error.tookEffect === "maybe" && error.method === operation.method;
  const reason = unclear && error.kind !== "interrupted" ? "unknown" : reasonOf(error);
  const hint = unclear ? unclearHint(request, error) : hintForGivenIds(error);
  return engineError(
    reason,
    error.code ?? error.kind,
    error.message,
    SETUP_ERRORS.has(error.kind) && typeof hint === "string" ? withDoctor(hint) : hint,
  );
}

function reasonOf(error: ApiError): EngineErrorReason {
  const { kind, status } = error;
  if (kind === "interrupted") return "interrupted";
  if (isDenied(error)) return "denied";
  // Without a status, driftline itself refused the request.
  return kind === "invalid" && status === null ? "invalid" : "failed";
}

/** The hint for a write whose outcome is unknown: how to check it, and whether it may be sent again. */
function unclearHint({ operation: { name, effect }, path }: CallRequest, { hint }: ApiError): Hint {
  if (effect === "idempotent") return `${hintText(hint)} It may have taken effect, but sending it again is safe.`;
  // The error's own hint is left out: it may say that the request can be repeated.
  const list = listBeside(name);
  const ids = isOperationName(list) ? Object.keys(operations[list].params) : [];
  const check = command("call", {}, list, ...ids.map((id) => `${id}=${path[id] ?? "ID"}`));
  return { hint: "The request may have taken effect. Before you send it again, check that:", command: check };
}
