import { ownUser } from "../../kinds/people/index.ts";
import { worldOf } from "../../kinds/world.ts";
import { command, flagOf } from "../../model/command.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ApplyRecord, Outcome, OutcomeError, OutcomesDocument } from "../../model/outcome.ts";
import type { PlanDocument } from "../../model/plan.ts";
import type { EngineError } from "../../model/engine-error.ts";
import type { EngineInput } from "../context.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { redacted } from "../redact.ts";
import type { Approval, PreparedApproval } from "./approval.ts";
import { liftedBy } from "./lifted-by.ts";

const APPROVE = flagOf("approve");
const STATUSES = ["applied", "unchanged", "yielded", "failed", "skipped", "unverified", "unknown"] as const;

/**
 * The document of an apply: the plan that was shown, with the outcome of each change. Secrets are taken out.
 *
 * @param startedAt milliseconds since 1970
 */
export function outcomesDocument(
  run: PlannedRun,
  approval: Approval,
  outcomes: readonly Outcome[],
  startedAt = run.input.context.clock.now(),
): OutcomesDocument {
  const { input, document, world } = run;
  const { document: shown } = approval;
  const lifted = liftedBy(run, shown, outcomes);
  const counts = STATUSES.map((status) => [status, outcomes.filter((one) => one.status === status).length] as const);
  const result: OutcomesDocument = {
    ...shown,
    type: "driftline.outcomes",
    changes: outcomes.some(isWritten) ? outcomes.map(withNextPlan) : outcomes,
    record: {
      ...recordOf(input, approval, ownUser(input.config.graph, worldOf(world)), startedAt),
      ...(lifted.length === 0 ? {} : { lifted_by: lifted }),
    },
    statuses: Object.fromEntries(counts) as OutcomesDocument["statuses"],
    requests: input.client.requests(),
    diagnostics: document.diagnostics,
  };
  return redacted(result, input.context.redactor);
}

function isWritten({ status }: Outcome): boolean {
  return status !== "unchanged" && status !== "skipped";
}

/** Once the rest of a plan is written, its hash approves nothing: what is left is another plan. */
function withNextPlan(outcome: Outcome): Outcome {
  const { blocked, error } = outcome;
  if (blocked?.command?.includes(APPROVE) !== true || error === null) return outcome;
  const words = command("plan");
  return { ...outcome, blocked: { ...blocked, command: words }, error: { ...error, command: words } };
}

function recordOf(
  { client, context }: EngineInput,
  { commit, pipeline }: Approval,
  user: string | undefined,
  startedAt: number,
): ApplyRecord {
  const times = { started_at: isoTime(startedAt), ended_at: isoTime(context.clock.now()) };
  const interrupted = context.signal?.aborted === true ? { interrupted: true as const } : {};
  const by = { key_hash_end: client.keyHashEnd, ...(user === undefined ? {} : { declared_user: user }) };
  const from = { ...(commit === undefined ? {} : { commit }), ...(pipeline === undefined ? {} : { pipeline }) };
  return { ...times, ...from, ...by, ...interrupted };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The document of a plan that was refused as a whole: nothing was written. */
export function refusedOutcomes({ run, approval }: PreparedApproval, { diagnostics }: EngineError): OutcomesDocument {
  return outcomesDocument(run, approval, nothingTried(approval.document, diagnostics));
}

type RunRefusal = OutcomeError & Pick<Diagnostic, "address">;

/**
 * The outcomes of a plan if no change was tried: each has the refusal about it, or about all of them. The way out stands at the last
 * refusal.
 */
export function nothingTried(
  { changes }: Pick<PlanDocument, "changes">,
  refusals: readonly RunRefusal[],
): readonly Outcome[] {
  const last = refusals.at(-1);
  if (last === undefined) return [];
  const { code, hint, command: words } = last;
  const refusalOf = (wanted: string | undefined): RunRefusal | undefined =>
    refusals.find(({ address }) => address === wanted);
  return changes.map((change) => {
    if (change.action === "no_op") return { ...change, status: "unchanged", error: null, requests: 0 };
    const refusal = refusalOf(change.address) ?? refusalOf(undefined);
    const message = refusal?.message ?? "another change of the plan is refused, so none was tried";
    return {
      ...change,
      status: "skipped",
      error: { code: refusal?.code ?? code, message, hint, command: words },
      requests: 0,
    };
  });
}
