import { command } from "../../../model/command.ts";
import type { Client } from "../../../api/client.ts";
import { isOperationName, type Operation } from "../../../api/operations/index.ts";
import { isJsonObject } from "../../../model/json/json.ts";
import { sanitize } from "../../../model/text/quote.ts";
import { engineError } from "../../../model/engine-error.ts";
import { requireRunning } from "../../terminal/ask.ts";
import { askToConfirm, confirm, requireConfirmable } from "../../terminal/confirm.ts";
import type { Runtime } from "../../runtime.ts";
import type { CallRequest } from "./preview.ts";

/** The confirmations that the command line contains. */
export interface Consent {
  readonly yes?: boolean;
  /** The names of organizations that may be deleted. */
  readonly confirmOrganization?: readonly string[];
}

/** Whether an operation changes data. */
export function isWriting({ effect }: Operation): boolean {
  return effect !== "read";
}

/** Nothing is sent if a writing operation cannot be confirmed. @throws EngineError */
export function requireConsent(runtime: Runtime, operation: Operation, consent: Consent): void {
  if (!isWriting(operation)) return;
  const note = operation.irreversible === null ? "" : `; it cannot be undone: it ${operation.irreversible}`;
  const hint = "Use --yes to send it without a question, or --dry-run to see the request.";
  requireConfirmable(runtime, consent, { what: operation.name, note, hint });
}

/** Asks for confirmation of a writing operation. @throws EngineError if it is refused */
export async function requireConfirmation(
  runtime: Runtime,
  client: Client,
  request: CallRequest,
  consent: Consent,
): Promise<void> {
  const { operation } = request;
  if (!isWriting(operation)) return;
  if (operation.irreversible !== null)
    runtime.err(`${operation.name} cannot be undone: it ${operation.irreversible}\n`);
  if (operation.confirmBy !== undefined) return confirmName(runtime, client, request, consent);
  if (consent.yes === true) return;
  const question = `Send ${operation.method} ${operation.name} to ${client.url}`;
  if (!(await confirm(runtime, question))) declined(runtime);
}

/** An organization is never deleted without its name, because `--yes` alone is typed too easily. */
async function confirmName(
  runtime: Runtime,
  client: Client,
  { operation, path }: CallRequest,
  { confirmOrganization = [], yes }: Consent,
): Promise<void> {
  const { confirmBy = "" } = operation;
  if (!isOperationName(confirmBy)) throw new Error(`there is no operation ${confirmBy}`);
  const { body } = await client.request(confirmBy, { path });
  const named = isJsonObject(body) ? body["name"] : undefined;
  const name = typeof named === "string" ? named : "";
  if (name !== "" && confirmOrganization.includes(name)) return;
  if (runtime.interactive && confirmOrganization.length === 0) {
    const answer = await askToConfirm(runtime, "Delete the organization", `its name, ${sanitize(name)},`);
    if (name !== "" && answer === name.trim()) return;
    return declined(runtime);
  }
  const ids = Object.entries(path).map(([parameter, value]) => `${parameter}=${value}`);
  throw engineError(
    "refused",
    "confirm_organization",
    "deleting an organization needs its name as confirmation; nothing was written",
    {
      hint: "To delete it:",
      command: command(
        "call",
        { confirmOrganization: sanitize(name), ...(yes === true ? { yes } : {}) },
        operation.name,
        ...ids,
      ),
    },
  );
}

/** @throws EngineError always: without a "yes" nothing is sent */
function declined(runtime: Runtime): never {
  requireRunning(runtime);
  throw engineError("failed", "declined", "Not sent.", "Nothing was written.");
}
