/** The look-ups of a program that are no resources: what each one looks for, and by what. */
import type { KindName } from "../../model/kind-name.ts";
import { packagedType } from "./provider-text.ts";

export interface LookupFunction {
  readonly kind: KindName | "project";
  /** The arguments that name the place. */
  readonly place: readonly string[];
  /** The arguments that select. Of one object exactly one is needed. */
  readonly by: readonly string[];
  /** The output with all objects that fit. Without it, exactly one has to fit. */
  readonly all?: string;
}

export const FUNCTIONS = {
  getOrganization: { kind: "organization", place: [], by: ["name"] },
  getProject: { kind: "project", place: ["organizationId"], by: ["name"] },
  getDomain: { kind: "domain", place: ["organizationId"], by: ["domain"] },
  getMembers: { kind: "member", place: ["organizationId"], by: [], all: "members" },
  getInsight: { kind: "insight", place: ["projectId"], by: ["name", "id"] },
  getInsights: { kind: "insight", place: ["projectId"], by: ["tags", "namePrefix"], all: "insights" },
} as const satisfies Readonly<Record<string, LookupFunction>>;

export type FunctionName = keyof typeof FUNCTIONS;

/** @throws Error if there is no such function */
export function functionNamed(token: string): FunctionName {
  const named = (Object.keys(FUNCTIONS) as FunctionName[]).find((name) => packagedType(name) === token);
  if (named === undefined) throw new Error(`driftline has no function ${token}`);
  return named;
}
