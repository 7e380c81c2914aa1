import { missingSecrets, type LoadedConfig } from "../../config/index.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { isSelected } from "../../plan/plan.ts";
import { renderOutcomes, renderPlan } from "../../report/index.ts";
import { approvePlan, refreshPlan, type ApplySession } from "../../engine/approval.ts";
import { applyApproved } from "../../engine/apply.ts";
import { EXIT, ofDiagnostics, ofOutcomes, worst, type ExitCode } from "../exit-codes.ts";
import { Failure, failure } from "../failure.ts";
import { loadConfiguration, requireAddresses } from "../config.ts";
import { splitPaths } from "../options.ts";
import { nothingTried, outcomesDocument } from "../../engine/outcomes.ts";
import type { Planned } from "../../engine/plan.ts";
import { print as write, reportDiagnostics } from "../output.ts";
import type { Progress } from "../progress.ts";
import { redactDocument, redactOutcomes } from "../../engine/redact.ts";
import type { Runtime } from "../runtime.ts";
import { readPlan, requireSameSource, warnIgnoredOptions } from "../../engine/saved-plan.ts";
import { connect, publicUrl } from "../connect.ts";
import { isEntirelyUnknown, type PlanCommandOptions } from "./plan.ts";

export interface ApplyCommandOptions extends PlanCommandOptions {
  readonly plan?: string;
  readonly yes?: boolean;
  readonly approve?: string;
  readonly confirmOrganization?: readonly string[];
  /** Seconds after which a request of which nothing was heard can no longer take effect. */
  readonly settleAfter?: number;
}

/** `driftline apply`: carries out exactly the plan that was shown. */
export async function applyCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: ApplyCommandOptions,
): Promise<ExitCode> {
  if (options.yes !== true && !runtime.interactive) {
    const message = "apply asks before it writes, and there is nobody to ask";
    throw failure(EXIT.invalid, "not_confirmed", message, "Use --yes to apply without a question.");
  }
  const saved = options.plan === undefined ? undefined : await readPlan(runtime, options.plan);
  if (saved !== undefined) warnIgnoredOptions(runtime, saved, options);
  const only = splitPaths(saved?.options.only ?? options.only ?? []);
  const rotate = splitPaths(saved?.options.rotate ?? options.rotate ?? []);
  const loaded = await loadConfiguration(runtime, [...paths, ...only.paths, ...rotate.paths], options);
  // A saved plan has addresses that were declared when it was made: without them it is stale.
  if (saved === undefined) {
    requireAddresses(loaded, only.addresses, false);
    requireAddresses(loaded, rotate.addresses, true);
  }
  requireSecrets(runtime, loaded, only.addresses);
  const prune = saved?.options.prune ?? options.prune === true;
  const { client, progress } = connect(runtime, options, loaded.graph.service.url, "write");
  try {
    if (saved !== undefined) requireSameSource(saved, options.plan ?? "", loaded.hash, publicUrl(client));
    const session: ApplySession = {
      runtime,
      loaded,
      client,
      planOptions: { prune, only: only.addresses, rotate: rotate.addresses },
      yes: options.yes === true,
      approve: options.approve,
      confirmed: options.confirmOrganization ?? [],
    };
    return await planAndApply(session, options, saved, progress);
  } finally {
    progress.done();
    await client.close();
  }
}

async function planAndApply(
  session: ApplySession,
  options: ApplyCommandOptions,
  saved: PlanDocument | undefined,
  progress: Progress,
): Promise<ExitCode> {
  const { runtime } = session;
  const fresh = await refreshPlan(session);
  const document = saved ?? fresh.document;
  reportDiagnostics(runtime, fresh.diagnostics);
  if (isEntirelyUnknown(fresh.document))
    return report(session, options, nothingTried(document, UNREADABLE), document, fresh);
  if (options.format === "text") {
    const shown = { color: runtime.color.stdout, unmanaged: options.unmanaged === true, next: false };
    runtime.out(renderPlan(redactDocument(document, runtime.redactor), "text", shown));
  }
  try {
    const agreed = await approvePlan(session, document, fresh);
    const outcomes = await applyApproved(session, agreed, {
      settleAfter: options.settleAfter,
      onOutcome: progress.outcome,
      onBegin: (soFar) => runtime.onStop(() => reportStop(session, options, soFar(), document)),
    });
    runtime.onStop(undefined);
    progress.done();
    return report(session, options, outcomes, document, agreed.planned);
  } catch (error) {
    // A machine that reads the result learns of a refusal there as well.
    const [why] = error instanceof Failure ? error.diagnostics : [];
    if (why !== undefined && options.format !== "text") print(session, options, nothingTried(document, why), document);
    throw error;
  }
}

const UNREADABLE = { code: "unreadable", message: "nothing could be read", hint: "See the diagnostics." };

function report(
  session: ApplySession,
  options: ApplyCommandOptions,
  outcomes: readonly Outcome[],
  shown: PlanDocument,
  planned: Planned,
): ExitCode {
  print(session, options, outcomes, { ...shown, diagnostics: planned.document.diagnostics });
  if (session.runtime.signal.aborted) return EXIT.interrupted;
  return worst([...ofOutcomes(outcomes), ...ofDiagnostics(planned.diagnostics)]);
}

/** What there is to say where nothing can be waited for: how far it came, and what became of nobody knows what. */
function reportStop(
  session: ApplySession,
  options: ApplyCommandOptions,
  outcomes: readonly Outcome[],
  document: PlanDocument,
): void {
  const { runtime } = session;
  print(session, options, outcomes, document);
  const unknown = outcomes.flatMap(({ address, action, status, error }): readonly Diagnostic[] =>
    status === "unknown" && error !== null
      ? [{ severity: "error", ...error, message: `${action}: ${error.message}`, address }]
      : [],
  );
  reportDiagnostics(runtime, unknown);
}

function print(
  { runtime, client }: ApplySession,
  { format }: ApplyCommandOptions,
  outcomes: readonly Outcome[],
  document: PlanDocument,
): void {
  const result = outcomesDocument(document, outcomes, client.requests());
  const shown = redactOutcomes(result, runtime.redactor);
  write(runtime, format, renderOutcomes(shown, format, { color: runtime.color.stdout }));
}

function requireSecrets(runtime: Runtime, loaded: LoadedConfig, only: readonly string[]): void {
  const addresses = loaded.secrets.map(({ address }) => address).filter((address) => isSelected(address, only));
  const missing = missingSecrets(loaded, runtime.env, addresses);
  if (missing.length > 0) throw new Failure(EXIT.invalid, missing);
}
