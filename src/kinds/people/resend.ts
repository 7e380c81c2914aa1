/**
 * An open invite is replaced only for a reason that will not come again every night, because its link dies with it.
 *
 * Premise: a service may ignore a field of an invite, and show no difference to one that somebody has changed. A run on another
 * machine remembers nothing, so only the age of the invite and a word of the user keep it from sending it again.
 */
import type { Change, ChangeWithWork } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { sha256 } from "../../model/hash.ts";
import { type JsonObject, own } from "../../model/json/json.ts";
import { type LiveObject, scopePathAt, type LiveWorld } from "../../model/live.ts";
import { topField } from "../../model/pointer.ts";
import type { Check, CheckedPlan, Finding } from "../check.ts";
import { kindSchema } from "../fields.ts";

/** Fields that are worth another invite. No service is known that ignores them. */
const LASTING: ReadonlySet<string> = new Set(["level", "target_email"]);

/** What the e-mail of an invite shows. */
const IN_EMAIL: ReadonlySet<string> = new Set(["target_email", "first_name", "message"]);

/** Milliseconds. */
const DAY = 24 * 60 * 60_000;

/** To a run that does not know the time, every invite is young. */
const NO_MEMORY: NonNullable<CheckedPlan["memory"]> = { now: 0, ignoredByService: new Set() };

/** Blocks such replaces. */
export const resentInvite: Check = {
  rule: "resend",
  ofWholePlan: true,
  inspect: (plan) => (change) => {
    const blocked = resendOf(change, plan);
    return blocked && { blocked };
  },
};

/**
 * What the replacement of an invite is sent along so that the service sends no second e-mail; undefined if the e-mail shows one of the
 * differences, or if the old one is of no use any more.
 */
export function silentFieldsFor(
  { silentFields, state }: Pick<LiveObject, "silentFields" | "state">,
  differences: readonly { readonly keys: readonly [string, ...string[]] }[],
): JsonObject | undefined {
  const isInEmail = differences.some(({ keys: [field] }) => IN_EMAIL.has(field));
  return isInEmail || state === "expired" ? undefined : silentFields;
}

/** A field of an object as it is declared, for comparison with what an earlier run recorded. */
export function ignoredField({ scopes }: LiveWorld, { kind, work }: ChangeWithWork, field: string): string {
  const { scope, key, body } = work;
  return sha256({ kind, scope: scopePathAt(scopes, scope), key, field, value: body[field] ?? null });
}

function resendOf(
  change: ChangeWithWork,
  { world, only, memory: { now, ignoredByService } = NO_MEMORY }: CheckedPlan,
): Finding["blocked"] {
  const { work, address, action } = change;
  const { createdAt = "", state, onDifference } = work.live ?? {};
  if (action !== "replace" || onDifference !== "replace" || state !== undefined) return undefined;
  const fields = [...new Set(change.fields.map(({ path }) => topField(path)))].filter((field) =>
    isShown(change, field),
  );
  if (fields.length === 0) return undefined;
  const isNamed = only.includes(address);
  const again = command("apply", { only: [address] });
  if (!isNamed && fields.every((field) => ignoredByService.has(ignoredField(world, change, field))))
    return {
      lift: `declare what is live, because the service ignored ${fields.join(", ")} before, or try again:`,
      command: again,
    };
  // One of unknown age counts as young: else it could be sent each night.
  const isYoung = !(now - Date.parse(createdAt) >= DAY);
  const isLasting = fields.some((field) => LASTING.has(field));
  if (isLasting)
    return isYoung && !isNamed
      ? { lift: "wait until it is a day old, or replace it at once:", command: again }
      : undefined;
  if (work.resource?.lifecycle.renew !== true) return { lift: "declare lifecycle.renew: true, which replaces it" };
  return isYoung ? { lift: "wait until it is a day old" } : undefined;
}

/** Whether a service shows a field, so that it can differ. */
function isShown({ kind }: Change, field: string): boolean {
  return own(kindSchema(kind).properties, field)?.writeOnly !== true;
}
