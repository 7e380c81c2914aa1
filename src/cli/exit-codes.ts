import { CODES } from "../model/diagnostic-codes.ts";
import type { EngineErrorReason } from "../model/engine-error.ts";
import { isDifference } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { own } from "../model/json/json.ts";
import { CIRCUIT_OPEN, isAsDeclared, type Outcome } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { RULES } from "../model/rules.ts";

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

/** The most important of the codes of a run, or that of an interrupt. */
export function exitCodeOf({ signal }: { readonly signal: AbortSignal }, codes: readonly ExitCode[]): ExitCode {
  return signal.aborted ? EXIT.interrupted : worst(codes);
}

/** The exit code for each reason of an {@link EngineError}. */
export const EXIT_OF_REASON: Readonly<Record<EngineErrorReason, ExitCode>> = {
  invalid: EXIT.invalid,
  stale: EXIT.stale,
  refused: EXIT.refused,
  interrupted: EXIT.interrupted,
  failed: EXIT.error,
  denied: EXIT.denied,
  unknown: EXIT.unknown,
};

/** The exit codes of errors that the service caused. */
export function exitCodesOfDiagnostics(diagnostics: readonly Diagnostic[]): readonly ExitCode[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => own(OF_CODE, code) ?? EXIT.error);
}

/** The errors of the service that have exit codes of their own. */
const OF_CODE: Readonly<Record<string, ExitCode>> = {
  [CODES.accessDenied]: EXIT.denied,
  [CODES.partialConfiguration]: EXIT.refused,
};

/** The exit codes of a plan that is only shown. Differences alone are no error, and what waits for a decision is one of them. */
export function exitCodesOfPlan(plan: Pick<Plan, "changes">): readonly ExitCode[] {
  const isBroken = plan.changes.some(({ blocked }) => blocked !== null && RULES[blocked.rule].needs === "repair");
  return [...(isBroken ? [EXIT.refused] : []), ...exitCodesOfUnknown(plan)];
}

/** An unknown resource is always an error. */
export function exitCodesOfUnknown(plan: Pick<Plan, "changes">): readonly ExitCode[] {
  return plan.changes.some(({ action }) => action === "unknown") ? [EXIT.error] : [];
}

export function exitCodesOfDifferences(changes: Plan["changes"]): readonly ExitCode[] {
  return changes.some(isDifference) ? [EXIT.differences] : [];
}

/** People whom nothing declares and who administer the organization are drift as well, though nothing is planned for them. */
export function exitCodesOfDrift({ changes, diagnostics }: Pick<Plan, "changes" | "diagnostics">): readonly ExitCode[] {
  const isUndeclared = diagnostics.some(({ code }) => code === CODES.undeclaredRights);
  return isUndeclared ? [EXIT.differences] : exitCodesOfDifferences(changes);
}

export function exitCodesOfOutcomes(outcomes: readonly Outcome[]): readonly ExitCode[] {
  const written = outcomes.some(({ status }) => status === "applied");
  return outcomes.flatMap((outcome): ExitCode[] => {
    const { action, status, error, blocked } = outcome;
    if (status === "unknown") return [EXIT.unknown];
    if (status === "unverified") return [EXIT.partial];
    if (isAsDeclared(outcome) || status === "yielded") return [];
    const part = written ? [EXIT.partial] : [];
    if (error?.code === CIRCUIT_OPEN) return [...part, EXIT.error];
    if (error?.code === "stale") return [...part, EXIT.stale];
    // The first part is done, and the second waits for somebody outside.
    if (blocked?.rule === "verification_required") return [EXIT.partial];
    if (blocked !== null) return [...part, EXIT.refused];
    if (action === "unknown") return [...part, EXIT.error];
    if (status === "failed") return [...part, DENIED.has(error?.code ?? "") ? EXIT.denied : EXIT.error];
    return part;
  });
}

/** The codes of a failed change that say that the service denies access. */
const DENIED = new Set(["auth", "scope", "not_authenticated", "authentication_failed", "permission_denied"]);
