import { executePlan } from "../apply/apply.ts";
import { noJournal, openJournal } from "../apply/journal/journal.ts";
import { readJournal } from "../apply/journal/records.ts";
import { acquireLock, LockedError, type Lock } from "../files/lock.ts";
import { resolveSecret } from "../config/index.ts";
import type { Outcome, OutcomesDocument, Wait } from "../model/outcome.ts";
import { isUnread, type PlanDocument } from "../model/plan.ts";
import { approvePlan, requireNotInterrupted, type Approval, type ApprovedPlan } from "./approval.ts";
import { engineError } from "./errors.ts";
import { nothingTried, outcomesDocument } from "./outcomes.ts";
import type { PlannedRun } from "./plan.ts";
import { redactOutcome } from "./redact.ts";
import { DEFAULT_SETTLE_SECONDS } from "./resource.ts";
import { rememberDeviations, stateFiles, type StateFiles } from "./prior-state.ts";

/** What the caller of {@link applyPlan} may want to know while it runs. Everything that it is given is without secrets. */
export interface ApplyHooks {
  /** Seconds after which an unanswered create can no longer take effect; default {@link DEFAULT_SETTLE_SECONDS}. */
  readonly settleAfter?: number | undefined;
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
  /** Called once for each change that has to wait before its outcome is known. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Receives a function that returns the document as it would be if the process stopped at that moment. */
  readonly onStart?: ((interim: () => OutcomesDocument) => void) | undefined;
}

/**
 * Writes what was approved, under the lock and with the journal of the service.
 *
 * @param run a plan of the live state, as {@link planConfig} returns it
 * @returns the outcome of each change; never throws for what the service answers to a write
 * @throws EngineError if the approval does not cover the live state, or if lock or journal cannot be had: nothing was written
 */
export async function applyPlan(
  run: PlannedRun,
  approval: Approval,
  hooks: ApplyHooks = {},
): Promise<OutcomesDocument> {
  const { input } = run;
  const shown = approval.document;
  requireNotInterrupted(input.context);
  if (isUnread(run.document)) return outcomesDocument(run, shown, nothingTried(shown, UNREADABLE));
  const approved = await approvePlan(run, approval);
  const outcomes = await applyApproved(approved, shown, hooks);
  return outcomesDocument(approved.run, shown, outcomes);
}

const UNREADABLE = { code: "unreadable", message: "nothing could be read", hint: "See the diagnostics." };

async function applyApproved(
  { plan, run, writes }: ApprovedPlan,
  shown: PlanDocument,
  { settleAfter = DEFAULT_SETTLE_SECONDS, onOutcome, onWait, onStart }: ApplyHooks,
): Promise<readonly Outcome[]> {
  const { client, context } = run.input;
  const { env, clock, redactor, signal } = context;
  const files = stateFiles(env, client.url);
  const now = (): number => clock.now();
  const lock = await (writes ? acquireLock(files.lock, now).catch(cannotKeepState) : lockToClose(files, now));
  try {
    const journal =
      lock === undefined
        ? noJournal
        : await openJournal(files.journal, lock.isHeld).catch(writes ? cannotKeepState : () => noJournal);
    try {
      const outcomes = await executePlan(plan, {
        client,
        snapshot: run.snapshot,
        secrets: (secret) => {
          const value = resolveSecret(secret, env);
          redactor.add(value);
          return value;
        },
        journal,
        clock,
        signal,
        horizonMs: settleAfter * 1000,
        onOutcome: (outcome) => onOutcome?.(redactOutcome(outcome, redactor)),
        onWait,
        onBegin: (interim) => onStart?.(() => outcomesDocument(run, shown, interim())),
      });
      if (writes) await rememberDeviations(files.ignored, outcomes);
      return outcomes;
    } finally {
      await journal.close();
    }
  } finally {
    await lock?.release();
  }
}

/**
 * The lock of a run that writes nothing, if earlier runs left intents: it closes those whose objects it sees. Another run, or a
 * folder that cannot be written to, is no error then. The intents stay open.
 */
async function lockToClose({ journal, lock }: StateFiles, now: () => number): Promise<Lock | undefined> {
  const intents = await readJournal(journal).catch(() => []);
  return intents.length === 0 ? undefined : acquireLock(lock, now).catch(() => undefined);
}

function cannotKeepState(error: unknown): never {
  if (error instanceof LockedError) throw engineError("failed", "locked", error.message, error.hint);
  const reason = error instanceof Error ? error.message : String(error);
  throw engineError(
    "failed",
    "no_journal",
    `the journal cannot be kept: ${reason}`,
    "Name a folder that can be written to in DRIFTLINE_STATE_DIR. Nothing was written to the service.",
  );
}
