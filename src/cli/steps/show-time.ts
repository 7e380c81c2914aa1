/** How long an apply of many changes takes, on stderr: before its first write, and at the end of a plan. */
import type { Client, Pace } from "../../api/client.ts";
import { expectedTimeText, type KnownLimits } from "../../engine/apply/expected-time.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { wrapLine } from "../../report/wrap.ts";
import type { ServiceOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";

/** What a run knows of the speed of its service. */
export function knownPace(
  client: Pick<Client, "url" | "pace">,
  { maxRequestsPerMinute: cap }: Pick<ServiceOptions, "maxRequestsPerMinute">,
): KnownLimits & Pace {
  return { ...client.pace(), url: client.url, cap };
}

export function showTime(
  { err, columns }: Runtime,
  { changes }: Pick<PlanDocument, "changes">,
  known: KnownLimits & Pace,
): void {
  const text = expectedTimeText(changes, known);
  if (text !== undefined) err(`${columns === undefined ? text : wrapLine(text, columns, 2)}\n`);
}
