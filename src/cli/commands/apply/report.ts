import { footerOf, type Report, showReport, viewOf } from "../../steps/report-files.ts";
import { redacted } from "../../../engine/redact.ts";
import type { PlannedRun } from "../../../engine/plan/plan-config.ts";
import { command, withCommand } from "../../../model/command.ts";
import { isReady } from "../../../model/change.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { Outcome, OutcomesDocument } from "../../../model/outcome.ts";
import { nothingCouldBeRead, type PlanDocument } from "../../../model/plan.ts";
import { expectedRequests, timeAtLimit } from "../../../engine/apply/expected-time.ts";
import { aboutTime, plural } from "../../../model/plural.ts";
import { renderOutcomes, renderPlan, type RenderOptions } from "../../../report/index.ts";
import { isClean } from "../../../report/summary.ts";
import { isReported, outcomeLine } from "../../../report/text/outcomes.ts";
import { printResult, reportDiagnostics } from "../../terminal/output.ts";
import type { Progress } from "../../terminal/progress.ts";
import type { Invocation } from "../../invocation.ts";
import type { Runtime } from "../../runtime.ts";
import type { ApplyCommandOptions } from "./options.ts";

/** Prints what an apply is about to do, what it does, and what came of it. */
export class ApplyReport {
  readonly progress: Progress;
  #runtime: Runtime;
  readonly #options: ApplyCommandOptions;
  readonly #header: Pick<RenderOptions, "madeAt" | "commit">;
  #outcomes = 0;

  constructor(
    runtime: Runtime,
    options: ApplyCommandOptions,
    { progress, header }: { readonly progress: Progress; readonly header: Pick<RenderOptions, "madeAt" | "commit"> },
  ) {
    this.#runtime = runtime;
    this.#options = options;
    this.progress = progress;
    this.#header = header;
  }

  /** What suggestions know: a saved plan is not suggested any more once its apply has started. */
  get invocation(): Invocation {
    return this.#runtime.invocation;
  }

  start(): void {
    this.#runtime = { ...this.#runtime, invocation: this.invocation.about({ isApplied: true }) };
  }

  /**
   * Shows what is approved. Of a saved plan, which was shown when it was made, a terminal shows the summary and the command that
   * shows the rest. Before a question everything is shown that was not saved, even if `--quiet` is given.
   */
  showPlan(run: PlannedRun, permitted: PlanDocument): void {
    const { format, quiet, yes } = this.#options;
    reportDiagnostics(this.#runtime, run.diagnostics, this.#options);
    const isHidden = quiet === true && yes === true;
    if (isHidden || nothingCouldBeRead(run.document)) return;
    if (format === "text") this.#showPlanText(permitted);
    this.#showTime(permitted);
  }

  #showPlanText(permitted: PlanDocument): void {
    const { plan } = this.#options;
    const runtime = this.#runtime;
    const isSummary = plan !== undefined && runtime.terminal && !this.#isVerbose;
    const text = renderPlan(redacted(permitted, runtime.redactor), "text", {
      ...this.#view,
      showsNextSteps: false,
      detail: isSummary ? "summary" : undefined,
      // Without a change no outcomes follow, whose last line it would be.
      footer: isClean(permitted) ? footerOf(this.#options, permitted) : undefined,
    });
    printResult(runtime, "text", text);
    if (isSummary) runtime.out(`${withCommand("To see every change:", command("show", {}, plan))}\n`);
  }

  /** Says how long it takes, if that is minutes. */
  #showTime({ changes }: PlanDocument): void {
    const { maxRequestsPerMinute: cap } = this.#options;
    const expected = expectedRequests(changes, cap);
    const time = aboutTime(timeAtLimit(expected));
    const limit = expected.perMinute === cap ? `${String(cap)} requests per minute` : "the service's limit";
    if (time !== undefined)
      this.#runtime.err(`${plural(changes.filter(isReady).length, "change")}, ${time} at ${limit}.\n`);
  }

  /** Prints a line for a change when its outcome is known: as a part of the text, else beside the document. */
  showOutcome(outcome: Outcome, { changes }: PlanDocument): void {
    this.progress.outcome?.(outcome);
    const { format, quiet, progress } = this.#options;
    if (quiet === true || !isReported(outcome)) return;
    this.#outcomes += 1;
    const { color, hyperlinks, out, err } = this.#runtime;
    const planned = changes.filter(isReady).length;
    const isResult = format === "text";
    const line = outcomeLine(outcome, this.#outcomes, Math.max(this.#outcomes, planned), {
      color: isResult ? color.stdout : color.stderr,
      hyperlinks: isResult && hyperlinks === true,
    });
    if (isResult) out(line);
    else if (progress !== "json") err(line);
  }

  /** Shows the results of an apply that has ended. */
  showEnd(document: OutcomesDocument, permitted: PlanDocument): void {
    this.progress.done();
    const { format, quiet } = this.#options;
    // "Nothing differs" was the last line of the plan.
    const isSaid = format === "text" && quiet !== true && !this.#isVerbose && isClean(permitted);
    this.#show(document, { onlyInFiles: isSaid && !this.#runtime.signal.aborted });
  }

  /** Shows that nothing was applied, where machines read only the result. People read the error. */
  showRefusal(document: OutcomesDocument): void {
    this.#show(document, { onlyInFiles: this.#options.format === "text" });
  }

  /** Shows the results of an apply that is stopped at once, and its requests with an unknown outcome. */
  showStop(document: OutcomesDocument): void {
    this.#show(document);
    const unknown = document.changes.flatMap(({ address, action, status, error }): readonly Diagnostic[] =>
      status === "unknown" && error !== null
        ? [{ severity: "error", ...error, message: `${action}: ${error.message}`, address }]
        : [],
    );
    reportDiagnostics(this.#runtime, unknown);
  }

  #show(document: OutcomesDocument, where: Pick<Report<OutcomesDocument>, "onlyInFiles"> = {}): void {
    const requests = this.#isVerbose ? `${plural(document.requests, "request")} sent` : undefined;
    const view = {
      ...this.#view,
      outcomesAlreadyPrinted: this.#options.quiet !== true,
      footer: footerOf(this.#options, document, requests),
    };
    showReport(this.#runtime, this.#options, { document, view, render: renderOutcomes, ...where });
  }

  get #isVerbose(): boolean {
    return this.#options.verbose === true;
  }

  get #view(): RenderOptions {
    return { ...this.#header, ...viewOf(this.#runtime, this.#options) };
  }
}
