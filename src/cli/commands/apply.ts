import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { applyPlan } from "../../apply/apply.ts";
import { noJournal, openJournal } from "../../apply/journal.ts";
import { acquireLock, LockedError } from "../../apply/lock.ts";
import type { Client } from "../../api/client.ts";
import { missingSecrets, resolveSecret, type LoadedConfig } from "../../config/index.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { Plan, PlanDocument, PlanOptions } from "../../model/plan.ts";
import { isSelected } from "../../plan/plan.ts";
import { lift } from "../../plan/lift.ts";
import { renderDiagnostics, renderOutcomes, renderPlan } from "../../report/index.ts";
import { EXIT, ofDiagnostics, ofOutcomes, worst, type ExitCode } from "../exit-codes.ts";
import { Failure, failure } from "../failure.ts";
import { load, requireAddresses } from "../load.ts";
import { splitPaths } from "../options.ts";
import { planLive, type Planned } from "../pipeline.ts";
import type { Progress } from "../progress.ts";
import type { Runtime } from "../runtime.ts";
import { asShown, readPlan, requireSameSource } from "../saved-plan.ts";
import { connect, publicUrl } from "../service.ts";
import { outcomesDocument } from "../outcomes.ts";
import { isUnreadable, type PlanCommandOptions } from "./plan.ts";

export interface ApplyCommandOptions extends PlanCommandOptions {
  readonly plan?: string;
  readonly yes?: boolean;
  readonly approve?: string;
  readonly confirmOrganization?: readonly string[];
  /** Seconds after which a request of which nothing was heard can no longer take effect. */
  readonly settleAfter?: number;
}

/** Default of {@link ApplyCommandOptions.settleAfter}: what servers and their proxies allow a request. */
const SETTLE_AFTER = 60;

/** `driftline apply`: carries out exactly the plan that was shown. */
export async function applyCommand(runtime: Runtime, paths: readonly string[], options: ApplyCommandOptions): Promise<ExitCode> {
  if (options.yes !== true && !runtime.interactive) {
    throw failure(EXIT.invalid, "not_confirmed", "apply asks before it writes, and there is nobody to ask", "Use --yes to apply without a question.");
  }
  const saved = options.plan === undefined ? undefined : await readPlan(runtime, options.plan);
  const only = splitPaths(saved?.options.only ?? options.only ?? []);
  const rotate = splitPaths(saved?.options.rotate ?? options.rotate ?? []);
  const loaded = await load(runtime, [...paths, ...only.paths, ...rotate.paths], options);
  requireAddresses(loaded, only.addresses, false);
  requireAddresses(loaded, rotate.addresses, true);
  requireSecrets(runtime, loaded, only.addresses);
  const planOptions = { prune: saved?.options.prune ?? options.prune === true, only: only.addresses, rotate: rotate.addresses };
  const { client, progress } = connect(runtime, options, loaded.graph.service.url, "write");
  try {
    if (saved !== undefined) requireSameSource(saved, options.plan ?? "", loaded.hash, publicUrl(client));
    return await planAndApply({ runtime, loaded, client, progress, options, planOptions, saved });
  } finally {
    progress.done();
    await client.close();
  }
}

interface Session {
  readonly runtime: Runtime;
  readonly loaded: LoadedConfig;
  readonly client: Client;
  readonly progress: Progress;
  readonly options: ApplyCommandOptions;
  readonly planOptions: PlanOptions;
  readonly saved: PlanDocument | undefined;
}

async function planAndApply(session: Session): Promise<ExitCode> {
  const { runtime, options, saved } = session;
  const fresh = await replan(session);
  const document = saved ?? fresh.document;
  const agreed = saved === undefined ? fresh.plan : asShown(saved, fresh.plan);
  if (options.approve !== undefined && options.approve !== document.hash) {
    throw failure(EXIT.refused, "hash_differs", `the plan is ${document.hash}, not the one that was approved`, "Review this plan, and approve its hash.");
  }
  const plan = lift(agreed, { approved: options.approve === document.hash, organizations: options.confirmOrganization ?? [] });
  runtime.err(renderDiagnostics(fresh.diagnostics, { color: runtime.color.stderr }));
  if (isUnreadable(document)) return worst(ofDiagnostics(fresh.diagnostics));
  if (options.format === "text") runtime.out(renderPlan(document, "text", { color: runtime.color.stdout, unmanaged: options.unmanaged === true, next: false }));
  requireWithinLimits(plan, document);
  const toDo = plan.changes.filter(({ action, blocked }) => blocked === null && action !== "no_op" && action !== "unknown");
  const proceed = toDo.length === 0 || options.yes === true || (await confirmed(session, toDo.length));
  if (!proceed) throw failure(EXIT.error, "declined", "not applied", "Nothing was written.");
  // Time has passed at the prompt: what is about to be written was agreed to for what was seen before.
  const planned = toDo.length === 0 || options.yes === true ? fresh : await replan(session);
  const current = planned === fresh ? plan : lift(asShown(document, planned.plan), { approved: options.approve === document.hash, organizations: options.confirmOrganization ?? [] });
  const outcomes = await carryOut(session, current, planned, toDo.length > 0);
  return report(session, outcomes, document, planned);
}

async function replan({ client, loaded, planOptions, runtime }: Session): Promise<Planned> {
  const planned = await planLive(client, loaded, planOptions, "driftline.plan");
  if (runtime.signal.aborted) throw failure(EXIT.interrupted, "interrupted", "interrupted", "Nothing was written.");
  return planned;
}

/** Removing much at once is refused as a whole: the approval is for the whole plan. */
function requireWithinLimits(plan: Plan, document: PlanDocument): void {
  const removals = plan.changes.filter(({ blocked }) => blocked?.rule === "delete_limit").length;
  if (removals === 0) return;
  throw failure(EXIT.refused, "delete_limit", `the plan removes or replaces ${String(removals)} objects, more than is done without approval; nothing was written`,
    `If that is meant, apply with: --approve ${document.hash}`);
}

async function confirmed({ runtime, client }: Session, changes: number): Promise<boolean> {
  const answer = await runtime.ask(`Apply ${String(changes)} changes to ${publicUrl(client)}? Only "yes" is taken for a yes: `);
  return answer?.trim() === "yes";
}

async function carryOut(session: Session, plan: Plan, planned: Planned, writes: boolean): Promise<readonly Outcome[]> {
  const { runtime, client, progress, options } = session;
  const base = journalBase(runtime, publicUrl(client));
  const lock = writes ? await acquireLock(`${base}.lock`, () => runtime.clock.now()).catch(lockFailure) : undefined;
  const journal = writes ? await openJournal(`${base}.journal`) : noJournal;
  try {
    return await applyPlan(plan, {
      client,
      snapshot: planned.snapshot,
      secrets: (secret) => {
        const value = resolveSecret(secret, runtime.env);
        runtime.redactor.add(value);
        return value;
      },
      journal,
      clock: runtime.clock,
      signal: runtime.signal,
      horizonMs: (options.settleAfter ?? SETTLE_AFTER) * 1000,
      onOutcome: progress.outcome,
    });
  } finally {
    await journal.close();
    await lock?.release();
  }
}

/** The journal of a service: one per machine and user, wherever the configuration lies. */
function journalBase({ env }: Runtime, url: string): string {
  const folder = env["DRIFTLINE_STATE_DIR"] ?? join(env["XDG_STATE_HOME"] ?? join(env["HOME"] ?? homedir(), ".local", "state"), "driftline");
  return join(folder, createHash("sha256").update(url).digest("hex").slice(0, 16));
}

function report(session: Session, outcomes: readonly Outcome[], shown: PlanDocument, planned: Planned): ExitCode {
  const { runtime, options, client, progress } = session;
  progress.done();
  const document = { ...shown, diagnostics: planned.document.diagnostics };
  runtime.out(renderOutcomes(outcomesDocument(document, outcomes, client.requests()), options.format, { color: runtime.color.stdout }));
  if (runtime.signal.aborted) return EXIT.interrupted;
  return worst([...ofOutcomes(outcomes), ...ofDiagnostics(planned.diagnostics)]);
}

function requireSecrets(runtime: Runtime, loaded: LoadedConfig, only: readonly string[]): void {
  const addresses = loaded.secrets.map(({ address }) => address).filter((address) => isSelected(address, only));
  const missing = missingSecrets(loaded, runtime.env, addresses);
  if (missing.length > 0) throw new Failure(EXIT.invalid, missing);
}

function lockFailure(error: unknown): never {
  if (error instanceof LockedError) throw failure(EXIT.error, "locked", error.message, error.hint);
  throw error;
}
