import type { Client } from "../../../api/client.ts";
import { isOperationName, type Operation } from "../../../api/operations/index.ts";
import { isJsonObject } from "../../../model/json.ts";
import { sanitize } from "../../../report/index.ts";
import { EXIT } from "../../exit-codes.ts";
import { failure } from "../../failure.ts";
import type { Runtime } from "../../runtime.ts";
import { publicUrlOf } from "../../../api/http/url.ts";

/** What was agreed to on the command line. */
export interface Consent {
  readonly yes?: boolean;
  /** Names of what may be removed for good. */
  readonly confirmOrganization?: readonly string[];
}

/** Whether an operation changes anything. */
export function isWriting({ effect }: Operation): boolean {
  return effect !== "read";
}

/** Ends the command before anything is sent where an operation writes and nobody can be asked. */
export function requireConsent(runtime: Runtime, operation: Operation, { yes }: Consent): void {
  if (!isWriting(operation) || yes === true || runtime.interactive) return;
  const warning = operation.irreversible === null ? "" : `, and cannot be undone: it ${operation.irreversible}`;
  throw failure(
    EXIT.invalid,
    "not_confirmed",
    `${operation.name} writes${warning}; there is nobody to ask`,
    "Use --yes to send it without a question, or --dry-run to see it.",
  );
}

/** Gets the agreement to a writing operation. Ends the command where it is refused. */
export async function confirm(
  runtime: Runtime,
  client: Client,
  operation: Operation,
  path: Readonly<Record<string, string>>,
  consent: Consent,
): Promise<void> {
  if (!isWriting(operation)) return;
  if (operation.irreversible !== null)
    runtime.err(`${operation.name} cannot be undone: it ${operation.irreversible}\n`);
  if (operation.confirmBy !== undefined) return confirmName(runtime, client, operation.confirmBy, path, consent);
  if (consent.yes === true) return;
  const answer = await runtime.ask(
    `Send ${operation.method} ${operation.name} to ${publicUrlOf(client.url)}? Only "yes" is taken for a yes: `,
  );
  if (answer?.trim() !== "yes") throw declined(runtime);
}

/** Some things are never removed without their name: `--yes` alone is typed too easily. */
async function confirmName(
  runtime: Runtime,
  client: Client,
  operation: string,
  path: Readonly<Record<string, string>>,
  { confirmOrganization = [] }: Consent,
): Promise<void> {
  if (!isOperationName(operation)) throw new Error(`there is no operation ${operation}`);
  const { body } = await client.request(operation, { path });
  const found = isJsonObject(body) ? body["name"] : undefined;
  const name = typeof found === "string" ? found : "";
  if (name !== "" && confirmOrganization.includes(name)) return;
  if (runtime.interactive && confirmOrganization.length === 0) {
    const answer = await runtime.ask(`Type the name of the organization, ${sanitize(name)}, to delete it: `);
    if (name !== "" && answer?.trim() === name.trim()) return;
    throw declined(runtime);
  }
  throw failure(
    EXIT.refused,
    "confirm_organization",
    "an organization is deleted only with its name typed; nothing was written",
    `If that is meant: --confirm-organization ${JSON.stringify(sanitize(name))}`,
  );
}

function declined({ signal }: Runtime): Error {
  if (signal.aborted) return failure(EXIT.interrupted, "interrupted", "interrupted", "Nothing was written.");
  return failure(EXIT.error, "declined", "not sent", "Nothing was written.");
}
