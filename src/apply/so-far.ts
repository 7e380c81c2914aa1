import type { Answer } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import type { Change } from "../model/change.ts";
import type { Outcome, OutcomeError } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { resultWithoutWork, INTERRUPTED, STOPPED_IN_FLIGHT, STOPPED_IN_PART, type ChangeResult } from "./outcomes.ts";
import type { Run } from "./run.ts";

/** What is known of the last request that writes for a change. */
export type LastWrite = "in flight" | "answered" | "unclear";

/** Sends a request; `onRequest` is told of every try. */
export type Send = (onRequest: () => void) => Promise<Answer>;
/** Sends a request that writes, and notes what is known of it. */
export type Watch = (send: Send) => Promise<Answer>;

/** Keeps `writes` up to date for an address. What certainly did not arrive leaves what was known before. */
export function watchWrites(writes: Map<string, LastWrite>, address: string): Watch {
  return async (send) => {
    const before = writes.get(address);
    try {
      const answer = await send(() => void writes.set(address, "in flight"));
      writes.set(address, "answered");
      return answer;
    } catch (error) {
      const isUnclear = !(error instanceof ApiError) || error.effect === "maybe";
      if (isUnclear) writes.set(address, "unclear");
      else if (before === undefined) writes.delete(address);
      else writes.set(address, before);
      throw error;
    }
  };
}

/**
 * The outcomes as they would be if everything stopped at this moment: for a process that cannot wait for its requests. What was
 * begun and is not answered is unknown.
 */
export function interimOutcomes(run: Run, plan: Plan): readonly Outcome[] {
  return plan.changes.map((change) => run.outcomes.get(change.address) ?? interimOutcome(run, change));
}

function interimOutcome(run: Run, change: Change): Outcome {
  const { work: _work, ...shown } = change;
  const { status, error } = resultWithoutWork(change) ?? resultIfStopped(run.writes.get(change.address));
  return { ...shown, status, error, requests: run.requests.get(change.address) ?? 0 };
}

function resultIfStopped(last: LastWrite | undefined): ChangeResult {
  const withError = (status: ChangeResult["status"], error: OutcomeError): ChangeResult => ({ status, error });
  if (last === undefined) return withError("skipped", INTERRUPTED);
  return last === "answered" ? withError("unverified", STOPPED_IN_PART) : withError("unknown", STOPPED_IN_FLIGHT);
}
