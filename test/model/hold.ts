import type { LoggedRequest } from "../../src/emulator/index.ts";
import { outcomesOf, type CliResult } from "../support/cli.ts";

/** @throws Error with the output of the command */
export function hold(holds: boolean, what: string, result?: CliResult, requests: readonly LoggedRequest[] = []): void {
  if (holds) return;
  const sent = requests.map(({ method, path, status }) => `${method} ${path} ${String(status)}\n`).join("");
  throw new Error(`${what}\nexit code ${String(result?.code)}\n${result?.stderr ?? ""}${changesOf(result)}${sent}`);
}

/** Formats the changes of a command and their outcomes as lines. */
function changesOf(result: CliResult | undefined): string {
  if (result?.stdout.startsWith("{") !== true) return result?.stdout ?? "";
  const { changes } = outcomesOf(result);
  return changes
    .filter(({ action }) => action !== "no_op")
    .map(
      ({ address, action, reason, status, error, blocked }) =>
        `${address}: ${action} (${reason}) ${status ?? ""} ${error?.message ?? ""} ${blocked?.rule ?? ""}\n`,
    )
    .join("");
}
