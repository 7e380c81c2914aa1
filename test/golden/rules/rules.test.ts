/** What people read about each rule of the guard: the reason, the way out, the exit code, and the same in Pulumi. */
import { expect, it } from "vitest";
import { exitCodesOfPlan, worst } from "../../../src/cli/exit-codes.ts";
import type { Blocked } from "../../../src/model/change.ts";
import { summarize } from "../../../src/plan/summarize.ts";
import { refusalReason } from "../../../src/pulumi/provider/errors.ts";
import { ruleText } from "../../../src/model/rules.ts";
import { liftOf } from "../../support/lift.ts";
import { blockOf, BLOCKED_CHANGES } from "../../unit/plan/guard/blocked-changes.ts";
import { OPTIONS } from "../../unit/plan/world.ts";

const RULES = Object.keys(BLOCKED_CHANGES) as Blocked["rule"][];

/** The rules that a Pulumi program can meet. It prunes nothing, renames nothing by itself, and replaces by steps of its engine. */
const OF_PULUMI: ReadonlySet<Blocked["rule"]> = new Set([
  "confirm_organization",
  "organization_create",
  "last_owner",
  "own_user",
  "pin_missing",
  "not_there",
  "verification_required",
  "edited_as_query",
  "query_required",
  "service_refuses",
]);

it.each(RULES)("%s blocks the change that is made for it", (rule) => {
  expect(blockOf(rule).rule).toBe(rule);
});

it("each rule says why, and what to do", async () => {
  await expect(`${RULES.map(textOf).join("\n\n")}\n`).toMatchFileSnapshot("rules.txt");
});

function textOf(rule: Blocked["rule"]): string {
  const change = BLOCKED_CHANGES[rule]();
  const { address, action, reason } = change;
  const made = { summary: summarize([change], 0), options: OPTIONS, changes: [change], unmanaged: [], diagnostics: [] };
  return [
    `${rule}, exit code ${String(worst(exitCodesOfPlan(made)))}`,
    `  change: ${action} ${address}: ${reason}`,
    `  reason: ${ruleText(blockOf(rule))}`,
    `  lift: ${liftOf(blockOf(rule)) ?? ""}`,
    ...(OF_PULUMI.has(rule) ? [`  Pulumi: ${refusalReason(made, "PIN HINT") ?? ""}`] : []),
  ].join("\n");
}
