import { ApiError } from "../api/errors/errors.ts";
import type { Change } from "../model/change.ts";
import type { OutcomeError, Status } from "../model/outcome.ts";
import { ChangeError, type Task } from "./context.ts";
import { reread } from "./actions/verify.ts";

/** Why a change did not end as applied, as its outcome says it. */
export type ChangeProblem = OutcomeError & { readonly status: Status; readonly id: string | null };

/** The outcome that an error comes to. `isSent` tells whether the change has sent anything by then. */
export async function describeProblem(
  error: unknown,
  change: Change,
  task: Task,
  isSent: boolean,
): Promise<ChangeProblem> {
  if (error instanceof ChangeError) {
    const hint = await manualStepFor(error.code, change, task, error.id);
    return {
      status: error.status,
      id: error.id ?? change.id,
      code: error.code,
      message: error.message,
      hint: hint ?? error.hint,
    };
  }
  if (!(error instanceof ApiError)) return defect(error, change, isSent);
  const code = error.code ?? error.kind;
  const hint = await manualStepFor(code, change, task, change.id);
  const status = hint === undefined ? statusOf(error) : "unverified";
  return { status, id: change.id, code, message: error.message, hint: hint ?? error.hint };
}

/** Of a read the effect says nothing: whatever came of it, it changed nothing. */
function statusOf({ kind, effect, method }: ApiError): Status {
  if (effect === "maybe" && method !== "GET") return "unknown";
  return kind === "interrupted" ? "skipped" : "failed";
}

/** A mistake of our own ends its change, not the run: what became of the other changes has to be told. */
function defect(error: unknown, change: Change, isSent: boolean): ChangeProblem {
  const message = error instanceof Error ? error.message : String(error);
  const hint = "This should not happen. Please report it, with what you ran; run plan to see what the service holds.";
  return { status: isSent ? "unknown" : "failed", id: change.id, code: "defect", message, hint };
}

/** What has to happen outside of the service first, with what the object itself says of that. */
async function manualStepFor(code: string, change: Change, task: Task, id: string | null): Promise<string | undefined> {
  if (id === null || task.kind.manualStep?.(code, {}) === undefined) return undefined;
  const live = await reread(task, id).catch(() => change.work?.live);
  return live === undefined ? undefined : task.kind.manualStep(code, live.values);
}
