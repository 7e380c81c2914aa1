import { footerOf, inAFile, requireFolders, writeReports } from "../steps/report-files.ts";
import { renderPlan } from "../../report/index.ts";
import { command } from "../../model/command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { invalid } from "../failure.ts";
import type { FormatOptions } from "../program/options.ts";
import { printResult } from "../terminal/output.ts";
import { redactDocument } from "../../engine/redact.ts";
import type { Runtime } from "../runtime.ts";
import { readSavedPlan } from "../steps/saved-plan.ts";

interface ShowOptions {
  readonly unmanaged?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly effect?: boolean;
}

/** `driftline show PLAN`: shows a saved plan. */
export async function showCommand(
  runtime: Runtime,
  file: string,
  options: FormatOptions & ShowOptions,
): Promise<ExitCode> {
  await requireFolders(runtime, options);
  const document = redactDocument(await readSavedPlan(runtime, file), runtime.redactor);
  const { unmanaged = false, verbose = false, quiet, effect = false } = options;
  if (effect && document.effects === undefined) throw noNumbers(file);
  const { toRunnable } = runtime.invocation;
  const { color, hyperlinks, columns: width } = runtime;
  const footer = footerOf(options, document);
  const shown = { color: color.stdout, hyperlinks, width, unmanaged, verbose, effect, toRunnable, footer };
  const detail = quiet === true ? "line" : undefined;
  printResult(runtime, options.format, renderPlan(document, options.format, { ...shown, detail }));
  writeReports(runtime, options, (format) => renderPlan(document, format, inAFile(shown, format, document)));
  return EXIT.ok;
}

function noNumbers(file: string): Error {
  const hint = {
    hint: "To calculate them, make the plan again:",
    command: command("plan", { effect: true, out: file }),
  };
  return invalid("no_effect", `${file} has no numbers of changed queries`, hint);
}
