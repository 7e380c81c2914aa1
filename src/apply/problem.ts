import { ApiError } from "../api/errors.ts";
import type { Change } from "../model/change.ts";
import type { OutcomeError, Status } from "../model/outcome.ts";
import { ChangeError, type Task } from "./context.ts";
import { reread } from "./verify.ts";

/** Why a change did not end as applied, as its outcome says it. */
export type Problem = OutcomeError & { readonly status: Status; readonly id: string | null };

/** The outcome that an error comes to. Defects of our own are thrown on. */
export async function describeProblem(error: unknown, change: Change, task: Task): Promise<Problem> {
  if (error instanceof ChangeError) {
    const hint = await waitsFor(error.code, change, task, error.id);
    return { status: error.status, id: error.id ?? change.id, code: error.code, message: error.message, hint: hint ?? error.hint };
  }
  if (!(error instanceof ApiError)) throw error;
  const code = error.code ?? error.kind;
  const hint = await waitsFor(code, change, task, change.id);
  return { status: hint === undefined ? statusOf(error) : "unverified", id: change.id, code, message: error.message, hint: hint ?? error.hint };
}

function statusOf({ kind, effect }: ApiError): Status {
  if (kind === "interrupted") return effect === "maybe" ? "unknown" : "skipped";
  return effect === "maybe" ? "unknown" : "failed";
}

/** What has to happen outside of the service first, with what the object itself says of that. */
async function waitsFor(code: string, change: Change, task: Task, id: string | null): Promise<string | undefined> {
  if (id === null || task.kind.waitsFor?.(code, {}) === undefined) return undefined;
  const live = await reread(task, id).catch(() => change.work?.live);
  return live === undefined ? undefined : task.kind.waitsFor(code, live.values);
}
