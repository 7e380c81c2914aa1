import { executePlan } from "../apply/apply.ts";
import { noJournal, openJournal } from "../apply/journal/journal.ts";
import { acquireLock, LockedError } from "../apply/journal/lock.ts";
import { resolveSecret } from "../config/index.ts";
import type { Outcome } from "../model/outcome.ts";
import type { ApprovedPlan, ApplySession } from "./approval.ts";
import { EXIT } from "../cli/exit-codes.ts";
import { failure } from "../cli/failure.ts";
import { rememberIgnored } from "./ignored-fields.ts";
import { DEFAULT_SETTLE_SECONDS } from "./resource.ts";
import { stateFiles } from "./state.ts";

export interface CarryOutOptions {
  /** Seconds; default 60. */
  readonly settleAfter?: number | undefined;
  readonly onOutcome: (outcome: Outcome) => void;
  /** Given what tells the outcomes as they are at any moment. */
  readonly onBegin: (soFar: () => readonly Outcome[]) => void;
}

/** Applies what was agreed to, under the lock and with the journal of the service. */
export async function applyApproved(
  session: ApplySession,
  agreed: ApprovedPlan,
  options: CarryOutOptions,
): Promise<readonly Outcome[]> {
  const { runtime, client } = session;
  const files = stateFiles(runtime, client);
  const lock = agreed.writes ? await acquireLock(files.lock, () => runtime.clock.now()).catch(unusable) : undefined;
  try {
    const journal = agreed.writes ? await openJournal(files.journal).catch(unusable) : noJournal;
    try {
      const outcomes = await executePlan(agreed.plan, {
        client,
        snapshot: agreed.planned.snapshot,
        secrets: (secret) => {
          const value = resolveSecret(secret, runtime.env);
          runtime.redactor.add(value);
          return value;
        },
        journal,
        clock: runtime.clock,
        signal: runtime.signal,
        horizonMs: (options.settleAfter ?? DEFAULT_SETTLE_SECONDS) * 1000,
        onOutcome: options.onOutcome,
        onBegin: options.onBegin,
      });
      if (agreed.writes) await rememberIgnored(runtime, client, outcomes);
      return outcomes;
    } finally {
      await journal.close();
    }
  } finally {
    await lock?.release();
  }
}

function unusable(error: unknown): never {
  if (error instanceof LockedError) throw failure(EXIT.error, "locked", error.message, error.hint);
  const reason = error instanceof Error ? error.message : String(error);
  throw failure(
    EXIT.error,
    "no_journal",
    `the journal cannot be kept: ${reason}`,
    "Name a folder that can be written to in DRIFTLINE_STATE_DIR. Nothing was written to the service.",
  );
}
