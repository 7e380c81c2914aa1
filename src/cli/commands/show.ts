import { renderPlan } from "../../report/index.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { FormatOptions } from "../options.ts";
import { learnEnvironment } from "../learn.ts";
import { print } from "../print.ts";
import { redactedDocument } from "../redacted.ts";
import type { Runtime } from "../runtime.ts";
import { readPlan } from "../saved-plan.ts";

/** `driftline show PLAN`: a saved plan, as it was. */
export async function showCommand(
  runtime: Runtime,
  file: string,
  options: FormatOptions & { readonly unmanaged?: boolean },
): Promise<ExitCode> {
  learnEnvironment(runtime);
  const document = redactedDocument(await readPlan(runtime, file), runtime.redactor);
  const shown = { color: runtime.color.stdout, unmanaged: options.unmanaged === true };
  print(runtime, options.format, renderPlan(document, options.format, shown));
  return EXIT.ok;
}
