import type { Outcome, OutcomeError, OutcomesDocument, Status } from "../model/outcome.ts";
import type { PlanDocument } from "../model/plan.ts";

const STATUSES: readonly Status[] = ["applied", "failed", "skipped", "unverified", "unknown"];

/** The plan that was carried out, with what came of each change. */
export function outcomesDocument(plan: PlanDocument, outcomes: readonly Outcome[], requests: number): OutcomesDocument {
  const counts = STATUSES.map(
    (status) => [status, outcomes.filter((outcome) => outcome.status === status).length] as const,
  );
  return {
    ...plan,
    type: "driftline.outcomes",
    changes: outcomes,
    statuses: Object.fromEntries(counts) as Record<Status, number>,
    requests,
  };
}

/** The outcomes of a plan that was refused as a whole: nothing of it was tried. */
export function nothingTried({ changes }: PlanDocument, { code, message, hint }: OutcomeError): readonly Outcome[] {
  const error = { code, message, ...(hint === undefined ? {} : { hint }) };
  return changes.map((change) =>
    change.action === "no_op"
      ? { ...change, status: "applied", error: null, requests: 0 }
      : { ...change, status: "skipped", error, requests: 0 },
  );
}
