import type { Client } from "../../../api/client.ts";
import { footerOf, type Report, reportBesideText, showReport, viewOf } from "../../steps/report-files.ts";
import { knownPace, showTime } from "../../steps/show-time.ts";
import { redacted } from "../../../engine/redact.ts";
import type { PlannedRun } from "../../../engine/plan/plan-config.ts";
import { command, withCommand } from "../../../model/command.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { Outcome, OutcomesDocument } from "../../../model/outcome.ts";
import { nothingCouldBeRead, type PlanDocument } from "../../../model/plan.ts";
import { expectedRequests, timeLeft } from "../../../engine/apply/expected-time.ts";
import { aboutTime, plural } from "../../../model/text/plural.ts";
import { renderOutcomes, renderPlan, type RenderOptions } from "../../../report/index.ts";
import { isClean } from "../../../report/summary.ts";
import { isReported } from "../../../report/text/outcomes.ts";
import { printResult, reportDiagnostics } from "../../terminal/output.ts";
import type { Progress } from "../../terminal/progress.ts";
import type { Invocation } from "../../invocation.ts";
import type { Runtime } from "../../runtime.ts";
import type { ApplyCommandOptions } from "./options.ts";
import { OutcomeLines } from "./outcome-lines.ts";

/** What the report needs to know about the run. */
interface ReportFacts {
  readonly progress: Progress;
  readonly header: Pick<RenderOptions, "madeAt" | "commit">;
  readonly client: Pick<Client, "url" | "requests" | "pace">;
}

/** Prints what an apply is about to do, what it does, and what came of it. */
export class ApplyReport {
  #runtime: Runtime;
  readonly #options: ApplyCommandOptions;
  readonly #facts: ReportFacts;
  #lines: OutcomeLines | undefined;

  constructor(runtime: Runtime, options: ApplyCommandOptions, facts: ReportFacts) {
    this.#runtime = runtime;
    this.#options = options;
    this.#facts = facts;
  }

  /** What suggestions know: a saved plan is not suggested any more once its apply has started. */
  get invocation(): Invocation {
    return this.#runtime.invocation;
  }

  get progress(): Progress {
    return this.#facts.progress;
  }

  get #known(): ReturnType<typeof knownPace> {
    return knownPace(this.#facts.client, this.#options);
  }

  start({ changes }: PlanDocument): void {
    const { color, hyperlinks, clock } = this.#runtime;
    const isResult = this.#options.format === "text";
    const { client } = this.#facts;
    const [startedAt, before] = [clock.now(), client.requests()];
    const lines = new OutcomeLines(changes, {
      color: isResult ? color.stdout : color.stderr,
      hyperlinks: isResult && hyperlinks === true,
      verbose: this.#isVerbose,
      timeLeft: () =>
        aboutTime(
          timeLeft(expectedRequests(changes, this.#known), client.requests() - before, clock.now() - startedAt),
        ),
    });
    this.#lines = lines;
    this.progress.work?.(() => lines.state());
    this.#runtime = { ...this.#runtime, invocation: this.invocation.about({ isApplied: true }) };
  }

  /**
   * Shows what is approved. Of a saved plan, which was shown when it was made, a terminal shows the summary and the command that
   * shows the rest. Before a question everything is shown that was not saved, even if `--quiet` is given.
   */
  showPlan(run: PlannedRun, permitted: PlanDocument): void {
    const { format, quiet, yes } = this.#options;
    const { diagnostics } = run.document;
    const isHidden = (quiet === true && yes === true) || nothingCouldBeRead(run.document);
    if (isHidden || format !== "text" || this.#isSummary) reportDiagnostics(this.#runtime, diagnostics, this.#options);
    else reportBesideText(this.#runtime, diagnostics, permitted, this.#options);
    if (isHidden) return;
    if (format === "text") this.#showPlanText(permitted);
    showTime(this.#runtime, permitted, this.#known);
  }

  #showPlanText(permitted: PlanDocument): void {
    const { plan } = this.#options;
    const runtime = this.#runtime;
    const isSummary = this.#isSummary;
    const text = renderPlan(redacted(permitted, runtime.redactor), "text", {
      ...this.#view,
      showsNextSteps: false,
      detail: isSummary ? "summary" : undefined,
      // Without a change no outcomes follow, whose last line it would be.
      footer: isClean(permitted) ? footerOf(this.#options, permitted) : undefined,
    });
    printResult(runtime, "text", text);
    if (isSummary && plan !== undefined)
      runtime.out(`${withCommand("To see every change:", command("show", {}, plan))}\n`);
  }

  /** Prints a line for a change when its outcome is known: as a part of the text, else beside the document. */
  showOutcome(outcome: Outcome): void {
    this.progress.outcome?.(outcome);
    if (isReported(outcome)) this.#showLines(this.#lines?.add(outcome));
  }

  #showLines(text = ""): void {
    const { format, quiet, progress } = this.#options;
    if (quiet === true || text === "") return;
    if (format === "text") this.#runtime.out(text);
    else if (progress !== "json") this.#runtime.err(text);
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
    if (this.#options.format === "text") return;
    const unknown = document.changes.flatMap(({ address, action, status, error }): readonly Diagnostic[] =>
      status === "unknown" && error !== null
        ? [{ severity: "error", ...error, message: `${action}: ${error.message}`, address }]
        : [],
    );
    reportDiagnostics(this.#runtime, unknown);
  }

  #show(document: OutcomesDocument, where: Pick<Report<OutcomesDocument>, "onlyInFiles"> = {}): void {
    this.#showLines(this.#lines?.rest());
    const requests = this.#isVerbose ? `${plural(document.requests, "request")} sent` : undefined;
    const view = {
      ...this.#view,
      outcomesAlreadyPrinted: this.#options.quiet !== true,
      footer: footerOf(this.#options, document, requests),
    };
    showReport(this.#runtime, this.#options, { document, view, render: renderOutcomes, ...where });
  }

  get #isSummary(): boolean {
    return this.#options.plan !== undefined && this.#runtime.terminal && !this.#isVerbose;
  }

  get #isVerbose(): boolean {
    return this.#options.verbose === true;
  }

  get #view(): RenderOptions {
    return { ...this.#facts.header, ...viewOf(this.#runtime, this.#options) };
  }
}
