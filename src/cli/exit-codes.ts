import type { EngineErrorReason } from "../engine/errors.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { FAMILY_STOPPED, type Outcome } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";

/** The exit codes of the process. They are a contract: scripts branch on them. */
export const EXIT = {
  ok: 0,
  error: 1,
  differences: 2,
  invalid: 10,
  denied: 11,
  stale: 12,
  refused: 13,
  partial: 14,
  unknown: 15,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** If several codes apply, the first of these is reported. */
const PRECEDENCE: readonly ExitCode[] = [130, 15, 14, 12, 13, 11, 10, 1, 2, 0];

/** The most important of several codes. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.ok;
}

/** The exit code for each reason of an {@link EngineError}. */
export const EXIT_OF_REASON: Readonly<Record<EngineErrorReason, ExitCode>> = {
  invalid: EXIT.invalid,
  stale: EXIT.stale,
  refused: EXIT.refused,
  interrupted: EXIT.interrupted,
  failed: EXIT.error,
};

/** The exit codes of errors that the service caused. */
export function ofDiagnostics(diagnostics: readonly Diagnostic[]): readonly ExitCode[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => (code === "access_denied" ? EXIT.denied : EXIT.error));
}

/** Rules that an option of apply overrides. A plan that shows them has done its work. */
const OVERRIDDEN_BY_APPLY: ReadonlySet<string> = new Set([
  "prune",
  "delete_limit",
  "confirm_organization",
  "replace_loses",
]);

/** The exit codes of a plan that is only shown. A change is refused if only the configuration could allow it. */
export function ofPlan(plan: Pick<Plan, "changes">, detailed: boolean): readonly ExitCode[] {
  const refused = plan.changes.some(({ blocked }) => blocked !== null && !OVERRIDDEN_BY_APPLY.has(blocked.rule));
  return [...(refused ? [EXIT.refused] : []), ...ofUnknown(plan), ...(detailed ? ofDifferences(plan) : [])];
}

/** An unknown resource is always an error. */
export function ofUnknown(plan: Pick<Plan, "changes">): readonly ExitCode[] {
  return plan.changes.some(({ action }) => action === "unknown") ? [EXIT.error] : [];
}

/** The exit code for differences between the configuration and the service. */
export function ofDifferences(plan: Pick<Plan, "changes">): readonly ExitCode[] {
  const differs = plan.changes.some(({ action }) => action !== "no_op" && action !== "unknown");
  return differs ? [EXIT.differences] : [];
}

/** The exit codes of the outcomes of an apply. */
export function ofOutcomes(outcomes: readonly Outcome[]): readonly ExitCode[] {
  const written = outcomes.some(({ action, status }) => status === "applied" && action !== "no_op");
  return outcomes.flatMap(({ action, status, error, blocked }): ExitCode[] => {
    if (status === "unknown") return [EXIT.unknown];
    if (status === "unverified") return [EXIT.partial];
    if (status === "applied") return [];
    // The run ended before the plan did, so it is never just "an error": the next run goes on.
    if (error?.code === FAMILY_STOPPED) return [EXIT.partial];
    const part = written ? [EXIT.partial] : [];
    if (error?.code === "stale") return [...part, EXIT.stale];
    if (blocked !== null) return [...part, EXIT.refused];
    if (action === "unknown") return [...part, EXIT.error];
    if (status === "failed") return [...part, isDenied(error?.code) ? EXIT.denied : EXIT.error];
    return part;
  });
}

function isDenied(code: string | undefined): boolean {
  return ["auth", "scope", "not_authenticated", "authentication_failed", "permission_denied"].includes(code ?? "");
}
