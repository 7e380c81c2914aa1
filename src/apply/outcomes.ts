/** How changes end: those that were not executed, those that were stopped, and those that threw an error. */
import { BUG_HINT, errorReason } from "../model/text/error-reason.ts";
import { command, type Hint, hintFields, hintText } from "../model/command.ts";
import { ruleText } from "../model/rules.ts";
import { namesGoneObject } from "../api/errors/causes.ts";
import { ApiError, isOutage } from "../api/errors/errors.ts";
import { CODES } from "../model/diagnostic-codes.ts";
import { declarableFields } from "../kinds/fields.ts";
import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { Outcome, OutcomeError } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { reread } from "./actions/reread.ts";
import { firstStepFor } from "./actions/verify.ts";
import type { ApplyRun, ChangeProgress, LastWrite } from "./run-state.ts";
import { ChangeError } from "./change-error.ts";
import type { Task } from "./task.ts";

/** Why a change was not begun. */
export const INTERRUPTED: OutcomeError = { code: "interrupted", message: "not begun: interrupted" };
export const PARENT_FAILED: OutcomeError = {
  code: "parent_failed",
  message: ruleText({ rule: "parent" }),
  hint: "Apply again once it exists.",
};
export const NOT_REMOVED: OutcomeError = {
  code: "not_removed",
  message: "nothing is removed or replaced after a failure",
  hint: "Fix what failed, then apply again.",
};

/** Why a change was not finished. */
const STOPPED_IN_FLIGHT: OutcomeError = {
  code: "outcome_unknown",
  message: "stopped with a request in flight: it may or may not have taken effect",
  hint: "The next apply first finds out whether it did.",
};
export const STOPPED_IN_PART: OutcomeError = {
  code: "interrupted",
  message: "stopped after a write was accepted, before the rest was written or checked",
};

type ChangeResult = Pick<Outcome, "status" | "error">;

/** The result of a change for which nothing is sent; undefined if something is. */
export function resultWithoutRequests({ action, blocked, reason }: Change): ChangeResult | undefined {
  if (blocked !== null) {
    const { rule: code, lift: hint, command: words } = blocked;
    return { status: "skipped", error: { code, message: ruleText(blocked), hint, command: words } };
  }
  if (action === "unknown") return { status: "skipped", error: { code: "unknown", message: reason } };
  return action === "no_op" ? { status: "unchanged", error: null } : undefined;
}

/**
 * The outcomes if everything stopped at this moment, for a process that cannot wait for its requests. A change with a
 * request that is not answered is unknown.
 */
export function interimOutcomes(run: ApplyRun, plan: Plan): readonly Outcome[] {
  return plan.changes.map((change) => {
    const { requests = 0, lastWrite, outcome } = run.progress.get(change.address) ?? {};
    if (outcome !== undefined) return outcome;
    const { work: _work, ...documented } = change;
    return { ...documented, ...(resultWithoutRequests(change) ?? resultIfStopped(lastWrite)), requests };
  });
}

function resultIfStopped(lastWrite: LastWrite | undefined): Omit<ChangeProblem, "id"> {
  if (lastWrite === undefined) return { status: "skipped", error: INTERRUPTED };
  if (lastWrite === "answered") return { status: "unverified", error: STOPPED_IN_PART };
  return { status: "unknown", error: STOPPED_IN_FLIGHT };
}

/** Why a change did not end as applied. */
type ChangeProblem = Pick<Outcome, "status" | "id"> & { readonly error: OutcomeError };

/** Turns an error that a change threw into its result. */
export async function describeProblem(
  error: unknown,
  change: Change,
  task: Task,
  progress: Pick<ChangeProgress, "requests" | "lastWrite">,
): Promise<ChangeProblem> {
  if (error instanceof ChangeError) {
    const { status, code, message, id, paths } = error;
    const step = typeof error.hint === "string" ? await manualStepFor(code, change, task, id) : undefined;
    const hint = step ?? error.hint;
    return { status, id: id ?? change.id, error: { code, message, ...hintFields(hint), paths } };
  }
  if (!(error instanceof ApiError)) return defectProblem(error, change, progress);
  const { message, kind } = error;
  const status = isUnclear(error) ? "unknown" : "failed";
  if (kind === "interrupted" && status === "failed") return { id: change.id, ...resultIfStopped(progress.lastWrite) };
  const code = isOutage(error) ? CODES.outage : (error.code ?? kind);
  const manualStep = await manualStepFor(code, change, task, change.id);
  const hintOfKind = kinds[change.kind].hints?.errorHint?.({ code, message }, change.work?.key ?? "");
  const hint = manualStep ?? hintOfKind ?? acceptHint(error, change) ?? unsentFieldHint(error, change) ?? error.hint;
  return { status, id: change.id, error: { code, message, ...hintFields(hint) } };
}

/** A live object names nothing that is gone, so its values are a way out. An object that is created has none yet. */
function acceptHint({ detail, hint }: ApiError, { action, address }: Change): Hint | undefined {
  if (action !== "update" || !namesGoneObject(detail)) return undefined;
  const accept = command("drift", { accept: true, only: address });
  return { hint: `${hintText(hint)} Or take over what is live:`, command: accept };
}

/** A service checks the whole object, so a live value that was not sent can block an update. */
function unsentFieldHint({ status, attr }: ApiError, { action, kind, work }: Change): string | undefined {
  const [field = ""] = attr?.split("__") ?? [];
  const isSent = Object.hasOwn(work?.body ?? {}, field);
  if (action !== "update" || status !== 400 || isSent || !declarableFields(kind).includes(field)) return undefined;
  return `${field} was not sent: the service refuses its live value together with this change. Declare ${field} as well.`;
}

/** The effect of a read does not matter: it changes nothing. */
function isUnclear({ tookEffect, method }: ApiError): boolean {
  return tookEffect === "maybe" && method !== "GET";
}

/** A bug in driftline ends its change, not the run: the outcomes of the other changes must still be reported. */
function defectProblem(error: unknown, change: Change, { requests }: Pick<ChangeProgress, "requests">): ChangeProblem {
  const message = errorReason(error);
  const hint = `${BUG_HINT} Run plan to see the current state of the service.`;
  return { status: requests > 0 ? "unknown" : "failed", id: change.id, error: { code: "defect", message, hint } };
}

/** The step outside of the service that has to come first, with the details that the object itself shows. */
async function manualStepFor(code: string, change: Change, task: Task, id: string | null): Promise<Hint | undefined> {
  if (id === null || code !== "verification_required") return undefined;
  const live = await reread(task, id).catch(() => change.work?.live);
  return live && firstStepFor(task, live);
}
