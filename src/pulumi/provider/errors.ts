import type { Outcome } from "../../model/outcome.ts";
import type { Plan } from "../../model/plan.ts";
import type { Properties } from "../properties/properties.ts";
import { missingSecretsIn } from "./missing-secrets.ts";

/**
 * What the engine is told where a write failed although the object is there: it records id and properties, and tries again
 * next time. Source: `grpcResponseFromError` of the process of dynamic providers.
 */
export class PartialFailure extends Error {
  readonly id: string;
  readonly properties: Properties;
  readonly reasons: readonly string[];
  constructor(message: string, id: string, properties: Properties) {
    super(message);
    this.name = "PartialFailure";
    this.id = id;
    this.properties = properties;
    this.reasons = [message];
  }
}

/**
 * Why a plan is not carried out, undefined where it may be.
 *
 * @param pinHint what to do where there is no object of the id that is meant
 */
export function refusal(plan: Plan, pinHint: string): string | undefined {
  const [change] = plan.changes;
  const problem = plan.diagnostics.find(({ severity }) => severity === "error");
  if (problem !== undefined) return sentence(problem.message, problem.code === "pin_missing" ? pinHint : problem.hint);
  if (change === undefined) return "driftline: an empty plan; this is a defect";
  if (change.blocked !== null)
    return `refused by the rule ${change.blocked.rule}: ${PULUMI_REMEDIES[change.blocked.rule] ?? change.blocked.lift}`;
  return change.action === "unknown" ? change.reason : missingSecretsIn(change.work?.body ?? {});
}

/** What lifts a rule, in the terms of a Pulumi program. */
const PULUMI_REMEDIES: Readonly<Record<string, string>> = {
  confirm_organization: "set its input confirmDelete to the organization's name, run up, then remove it",
  organization_create: "there is none of this name to take over: check the name, or take out adopt to found one",
  own_user: "tell who the key belongs to: pulumi config set driftline:self E-MAIL",
};

/** Why a write did not end as it should, undefined where it did. */
export function problemOf({ status, error, kind }: Outcome): string | undefined {
  if (status === "applied") return undefined;
  const hint = error?.code === "stale" ? "Run pulumi up again" : error?.hint;
  return sentence(error?.message ?? `the ${kind} ended as ${status}`, hint);
}

/** A message and what to do about it. What a service says may end with a full stop of its own. */
export function sentence(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`;
}

/** One of a kind: "a domain", "an insight". */
export function oneOf({ name }: { readonly name: string }): string {
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}
