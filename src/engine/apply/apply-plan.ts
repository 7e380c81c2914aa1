import { errorReason } from "../../model/text/error-reason.ts";
import { dirname } from "node:path";
import { executePlan } from "../../apply/execute-plan.ts";
import { noJournal, openJournal, type Journal } from "../../apply/journal/journal.ts";
import { settleTime, type ApplyContext } from "../../apply/run-state.ts";
import { readJournal } from "../../apply/journal/records.ts";
import { acquireLock, LockedError, type Lock } from "../../files/lock.ts";
import { resolveSecret } from "../../config/index.ts";
import type { Outcome, OutcomesDocument } from "../../model/outcome.ts";
import { ignoredField } from "../../kinds/people/index.ts";
import { kinds } from "../../kinds/registry.ts";
import type { LiveWorld } from "../../model/live.ts";
import { nothingCouldBeRead, type Plan } from "../../model/plan.ts";
import { topField } from "../../model/pointer.ts";
import { requireNotInterrupted } from "../context.ts";
import { type Approval, type ApprovedPlan, approvePlan, prepareApproval, type PreparedApproval } from "./approval.ts";
import { engineError, EngineError } from "../../model/engine-error.ts";
import { nothingTried, outcomesDocument } from "./outcomes-document.ts";
import { isReady } from "../../model/change.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { redacted } from "../redact.ts";
import { otherApplyRuns, recordIgnored, stateFiles, type StateFiles } from "../state/state-files.ts";
import { withFolderTimeout } from "../state/state-timeout.ts";

/** What the caller of {@link applyPlan} may want to know while it runs. Everything that it is given is without secrets. */
export interface ApplyHooks extends Pick<ApplyContext, "onOutcome" | "onWait"> {
  /** Seconds after which an unanswered create can no longer take effect; default 60. */
  readonly settleAfter?: number | undefined;
  /** Receives a function that returns the document as it would be if the process stopped at that moment. */
  readonly onStart?: ((interim: () => OutcomesDocument) => void) | undefined;
}

/**
 * Writes what was approved, under the lock and with the journal of the service.
 *
 * @param run a plan of the live state, as {@link planConfig} returns it
 * @returns the outcome of each change; never throws for what the service answers to a write
 * @throws EngineError if the approval does not cover the live state, or if the lock or the journal is not available: nothing was
 * written
 */
export function applyPlan(run: PlannedRun, approval: Approval, hooks: ApplyHooks = {}): Promise<OutcomesDocument> {
  return applyPrepared(prepareApproval(run, approval), hooks);
}

/** The same, for a caller that shows the plan first. */
export async function applyPrepared(prepared: PreparedApproval, hooks: ApplyHooks): Promise<OutcomesDocument> {
  const { run, approval } = prepared;
  const { input } = run;
  const { document: shown } = approval;
  requireNotInterrupted(input.context);
  if (nothingCouldBeRead(run.document)) return outcomesDocument(run, approval, nothingTried(shown, [UNREADABLE]));
  const approved = await approvePlan(prepared);
  const startedAt = input.context.clock.now();
  const documentOf: DocumentOf = (outcomes) => outcomesDocument(approved.run, approval, outcomes, startedAt);
  return documentOf(await applyApproved(approved, documentOf, hooks));
}

type DocumentOf = (outcomes: readonly Outcome[]) => OutcomesDocument;

const UNREADABLE = { code: "unreadable", message: "nothing could be read", hint: "See the diagnostics." };

async function applyApproved(
  { plan, run }: ApprovedPlan,
  documentOf: DocumentOf,
  hooks: ApplyHooks,
): Promise<readonly Outcome[]> {
  const { client, context } = run.input;
  const files = stateFiles(context.env, client.url);
  const now = (): number => context.clock.now();
  const writes = plan.changes.some(isReady);
  const lock = writes ? await takeLock(files, now).catch(cannotKeepState) : await takeLockToClose(files, now);
  try {
    const journal = await openUnderLock(files.journal, lock).catch(writes ? cannotKeepState : () => noJournal);
    try {
      const outcomes = await executePlan(plan, applyContext(run, journal, documentOf, hooks));
      await recordIgnored(files, ignoredFields(plan, run.world, outcomes));
      return outcomes;
    } finally {
      await journal.release();
    }
  } finally {
    await lock?.release();
  }
}

/** What the service ignored of objects that only a replacement could change. */
function ignoredFields(plan: Plan, world: LiveWorld, outcomes: readonly Outcome[]): readonly string[] {
  const paths = new Map(
    outcomes.flatMap(({ address, error }) =>
      error?.code === "ignored_by_service" ? [[address, error.paths ?? []] as const] : [],
    ),
  );
  return plan.changes.flatMap((change) => {
    const { work, kind, address } = change;
    if (work === null || kinds[kind].writes.onePerKey !== true) return [];
    return (paths.get(address) ?? []).map((path) => ignoredField(world, { ...change, work }, topField(path)));
  });
}

/** What executing the plan needs. The callbacks get values without secrets. */
function applyContext(
  run: PlannedRun,
  journal: Journal,
  documentOf: DocumentOf,
  { settleAfter, onOutcome, onWait, onStart }: ApplyHooks,
): ApplyContext {
  const { client, context } = run.input;
  const { env, clock, redactor, signal } = context;
  return {
    client,
    world: run.world,
    secrets: (secret) => {
      const value = resolveSecret(secret, env);
      redactor.add(value);
      return value;
    },
    journal,
    clock,
    signal,
    settleAfterMs: settleTime(settleAfter),
    otherRuns: "look after",
    onOutcome: (outcome) => onOutcome?.(redacted(outcome, redactor)),
    onWait,
    onBegin: (interim) => onStart?.(() => documentOf(interim())),
  };
}

function takeLock({ lock }: StateFiles, now: () => number): Promise<Lock> {
  return withFolderTimeout(dirname(lock), acquireLock(lock, now), (late) => late.release());
}

/** A run without writes takes the lock only to close open intents. If it cannot get it, they stay open. */
async function takeLockToClose(files: StateFiles, now: () => number): Promise<Lock | undefined> {
  const { journal } = files;
  const intents = await withFolderTimeout(dirname(journal), readJournal(journal)).catch(() => []);
  return intents.length === 0 ? undefined : takeLock(files, now).catch(() => undefined);
}

async function openUnderLock(path: string, lock: Lock | undefined): Promise<Journal> {
  if (lock === undefined) return noJournal;
  return withFolderTimeout(dirname(path), openJournal(path, lock.isHeld), (late) => late.release());
}

function cannotKeepState(error: unknown): never {
  if (error instanceof EngineError) throw error;
  if (error instanceof LockedError) throw otherApplyRuns(error);
  const reason = errorReason(error);
  throw engineError(
    "failed",
    "no_journal",
    `the journal cannot be kept: ${reason}`,
    "Name a folder that can be written to in DRIFTLINE_STATE_DIR. Nothing was written to the service.",
  );
}
