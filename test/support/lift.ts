import type { Blocked } from "../../src/model/change.ts";
import { withCommand } from "../../src/model/command.ts";

/** How to override the rule that blocks a change, with its command, as a report says it. */
export function liftOf(blocked: Blocked | null | undefined): string | undefined {
  return blocked ? withCommand(blocked.lift, blocked.command) : undefined;
}

/** The same text of a block as a JSON document has it. */
export function liftInJson(blocked: unknown): string | undefined {
  return (blocked as { readonly lift: string } | null | undefined)?.lift;
}
