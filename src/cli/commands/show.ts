import { renderPlan } from "../../report/index.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { FormatOptions } from "../options.ts";
import type { Runtime } from "../runtime.ts";
import { readPlan } from "../saved-plan.ts";

/** `driftline show PLAN`: a saved plan, as it was. */
export async function showCommand(
  runtime: Runtime,
  file: string,
  options: FormatOptions & { readonly unmanaged?: boolean },
): Promise<ExitCode> {
  const document = await readPlan(runtime, file);
  runtime.out(
    renderPlan(document, options.format, { color: runtime.color.stdout, unmanaged: options.unmanaged === true }),
  );
  return EXIT.ok;
}
