import type { Diagnostic } from "../model/diagnostic.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";

/** What the exit code of the process means. A contract: scripts branch on it. */
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

/** Where several apply, the first of these is the one to report. */
const PRECEDENCE: readonly ExitCode[] = [130, 15, 14, 12, 13, 11, 10, 1, 2, 0];

/** The most important of several codes. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.ok;
}

/** What the errors among diagnostics of the service come to. */
export function ofDiagnostics(diagnostics: readonly Diagnostic[]): readonly ExitCode[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => (code === "access_denied" ? EXIT.denied : EXIT.error));
}

/** Rules that an option of apply lifts: a plan that shows them has done its work. */
const LIFTED_BY_APPLY: ReadonlySet<string> = new Set(["prune", "delete_limit", "confirm_organization"]);

/** What a plan comes to that is only shown: a change that the configuration itself would have to allow is refused. */
export function ofPlan(plan: Pick<Plan, "changes">, detailed: boolean): readonly ExitCode[] {
  const refused = plan.changes.some(({ blocked }) => blocked !== null && !LIFTED_BY_APPLY.has(blocked.rule));
  return [...(refused ? [EXIT.refused] : []), ...ofUnknown(plan), ...(detailed ? ofDifferences(plan) : [])];
}

/** A resource of which nothing is known is no success, whatever else is said of why. */
export function ofUnknown(plan: Pick<Plan, "changes">): readonly ExitCode[] {
  return plan.changes.some(({ action }) => action === "unknown") ? [EXIT.error] : [];
}

/** Whether anything differs between what was declared and what is live. */
export function ofDifferences(plan: Pick<Plan, "changes">): readonly ExitCode[] {
  const differs = plan.changes.some(({ action }) => action !== "no_op" && action !== "unknown");
  return differs ? [EXIT.differences] : [];
}

/** What the outcomes of an apply come to. */
export function ofOutcomes(outcomes: readonly Outcome[]): readonly ExitCode[] {
  const written = outcomes.some(({ action, status }) => status === "applied" && action !== "no_op");
  return outcomes.flatMap(({ action, status, error, blocked }): ExitCode[] => {
    if (status === "unknown") return [EXIT.unknown];
    if (status === "unverified" || error?.code === "stale") return [EXIT.partial];
    if (status === "applied") return [];
    const part = written ? [EXIT.partial] : [];
    if (blocked !== null) return [...part, EXIT.refused];
    if (action === "unknown") return [...part, EXIT.error];
    if (status === "failed") return [...part, isDenied(error?.code) ? EXIT.denied : EXIT.error];
    return part;
  });
}

function isDenied(code: string | undefined): boolean {
  return ["auth", "scope", "not_authenticated", "authentication_failed", "permission_denied"].includes(code ?? "");
}
