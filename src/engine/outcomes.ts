import type { Outcome, OutcomeError, OutcomesDocument, Status } from "../model/outcome.ts";
import type { PlanDocument } from "../model/plan.ts";
import type { EngineError } from "../model/engine-error.ts";
import type { PlannedRun } from "./plan.ts";
import { redactOutcomes } from "./redact.ts";

const STATUSES: readonly Status[] = ["applied", "failed", "skipped", "unverified", "unknown"];

/** The document of an apply: the plan that was shown, with the outcome of each change. Secrets are taken out. */
export function outcomesDocument(
  { input, document }: PlannedRun,
  shown: PlanDocument,
  outcomes: readonly Outcome[],
): OutcomesDocument {
  const counts = STATUSES.map(
    (status) => [status, outcomes.filter((outcome) => outcome.status === status).length] as const,
  );
  const result: OutcomesDocument = {
    ...shown,
    type: "driftline.outcomes",
    changes: outcomes,
    statuses: Object.fromEntries(counts) as Record<Status, number>,
    requests: input.client.requests(),
    diagnostics: document.diagnostics,
  };
  return redactOutcomes(result, input.context.redactor);
}

/** The document of a plan that was refused as a whole: nothing was written. */
export function refusedOutcomes(run: PlannedRun, shown: PlanDocument, { diagnostics }: EngineError): OutcomesDocument {
  const [reason] = diagnostics;
  return outcomesDocument(run, shown, reason === undefined ? [] : nothingTried(shown, reason));
}

/** The outcomes of a plan if no change was tried: each has the same error. */
export function nothingTried({ changes }: PlanDocument, { code, message, hint }: OutcomeError): readonly Outcome[] {
  const error = { code, message, ...(hint === undefined ? {} : { hint }) };
  return changes.map((change) =>
    change.action === "no_op"
      ? { ...change, status: "applied", error: null, requests: 0 }
      : { ...change, status: "skipped", error, requests: 0 },
  );
}
