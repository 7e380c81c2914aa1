/** What deployed servers set of a domain only after they have verified it. */
import type { Change } from "../../model/change.ts";
import { command, type Suggestion } from "../../model/command.ts";
import type { JsonObject, ValueObject } from "../../model/json/json.ts";
import { scopePathAt, type LiveObject, type ScopePath } from "../../model/live.ts";
import { joinWords } from "../../model/text/plural.ts";
import { visible } from "../../model/text/quote.ts";
import type { Check } from "../check.ts";
import { JOINING, SHUTTING } from "../entrances.ts";
import { asText } from "../keys.ts";
import { isDeployedAt } from "../service-signs.ts";

/** Deployed servers refuse to change these fields before the domain is verified. */
const AFTER_VERIFICATION = [SHUTTING, JOINING] as const;

/** How to have a domain verified, with its DNS record. Undefined if its service takes a body before. */
export function firstStep(
  { id, values }: Pick<LiveObject, "id" | "values">,
  path: ScopePath,
  body?: ValueObject,
): Suggestion | undefined {
  const isTaken = values["is_verified"] !== false || !AFTER_VERIFICATION.some((field) => body && field in body);
  if (body !== undefined && isTaken) return undefined;
  const ids = Object.entries({ ...path, id }).map(([name, value]) => `${name}=${value}`);
  return { hint: stepOf(values), command: command("call", { yes: true }, "domains.verify", ...ids) };
}

function stepOf({ domain, verification_challenge: challenge }: JsonObject): string {
  const record = `_posthog-challenge.${asText(domain) ?? ""} "${asText(challenge) ?? ""}"`;
  return `add the DNS record TXT ${record}, have the domain verified, and apply again. A key with scopes cannot verify it: then use the web interface. To verify it:`;
}

/**
 * A deployed server would refuse the whole change, so nothing of it is sent. The interface document knows no such refusal: a
 * service that does not show that it is a deployed server is sent the change.
 */
export const verificationRequired: Check = {
  rule: "verification_required",
  needsOrganization: ({ action, work }) =>
    action === "update" && work?.live !== undefined && firstStep(work.live, {}, work.body) !== undefined,
  inspect:
    ({ world }) =>
    ({ action, work: { scope, live, body } }) => {
      if (action !== "update" || live === undefined || !isDeployedAt(world, scope)) return undefined;
      const step = firstStep(live, scopePathAt(world.scopes, scope), body);
      return step && { blocked: { lift: step.hint, command: step.command } };
    },
};

/** Another service takes the change, and does nothing of it yet. */
export const unverified: Check = {
  ofWholePlan: "plan",
  inspect:
    ({ world }) =>
    ({ action, work: { scope, live, body } }) => {
      const fields = live?.values["is_verified"] === false ? turnedOnFields(body) : [];
      const [field] = fields;
      if (action !== "update" || live === undefined || field === undefined || isDeployedAt(world, scope))
        return undefined;
      const name = visible(live.keys[0] ?? live.id);
      const message = `${joinWords(fields, "and")} of ${name} ${fields.length > 1 ? "have" : "has"} no effect until the service has verified the domain`;
      const hint = "Nothing is enforced before. Add its DNS record, and have it verified.";
      return { warnings: [{ code: "verification_to_come", field, message, hint }] };
    },
};

/** What a create on a deployed server leaves for a second run. */
export const verifiedLater: Check = {
  ofWholePlan: true,
  needsOrganization: (change) => waitsAfterCreate(change) !== undefined,
  inspect:
    ({ world }) =>
    (change) => {
      const message = waitsAfterCreate(change);
      if (message === undefined || change.blocked !== null || !isDeployedAt(world, change.work.scope)) return undefined;
      const hint = "Apply creates it, shows the DNS record to add, and ends with 14. Apply again once it is verified.";
      return { warnings: [{ code: "verification_to_come", message, hint }] };
    },
};

function turnedOnFields(body: ValueObject): readonly string[] {
  return AFTER_VERIFICATION.filter((field) => !["", false, null, undefined].some((off) => body[field] === off));
}

function waitsAfterCreate({ action, work }: Change): string | undefined {
  const { body = {} } = work ?? {};
  const waiting = turnedOnFields(body);
  if (waiting.length === 0 || (action !== "create" && action !== "replace")) return undefined;
  const { domain } = body;
  const name = visible(typeof domain === "string" ? domain : "");
  return `${joinWords(waiting, "and")} of ${name} can be set only after the service has verified the domain`;
}
