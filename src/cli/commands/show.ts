import { resolve } from "node:path";
import { footerOf, requireWritable, showReport, type ViewOptions, viewOf } from "../steps/report-files.ts";
import { renderPlan } from "../../report/index.ts";
import { command } from "../../model/command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { invalidError } from "../failure.ts";
import type { FormatOptions } from "../program/options.ts";
import { redacted } from "../../engine/redact.ts";
import type { Runtime } from "../runtime.ts";
import { withSavedPlan } from "../steps/saved-plan.ts";

interface ShowOptions extends FormatOptions, ViewOptions {
  readonly effect?: boolean;
}

/** `driftline show PLAN`: shows a saved plan. */
export async function showCommand(runtime: Runtime, file: string, options: ShowOptions): Promise<ExitCode> {
  await requireWritable(runtime, options, [resolve(runtime.cwd, file)]);
  const { effect = false } = options;
  return withSavedPlan(runtime, file, (here, saved) => {
    const document = redacted(saved.document, runtime.redactor);
    if (effect && document.effects === undefined) throw noNumbers(file);
    const view = { ...viewOf(here, options), effect, footer: footerOf(options, document) };
    showReport(here, options, { document, view, render: renderPlan });
    return EXIT.ok;
  });
}

function noNumbers(file: string): Error {
  const hint = {
    hint: "To calculate them, make the plan again:",
    command: command("plan", { effect: true, out: file }),
  };
  return invalidError("no_effect", `${file} has no numbers of changed queries`, hint);
}
