import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseSavedPlan, SAVE_A_PLAN } from "../engine/saved-plan.ts";
import type { PlanDocument, PlanOptions } from "../model/plan.ts";
import { EXIT } from "./exit-codes.ts";
import { failure } from "./failure.ts";
import { readBounded } from "./files.ts";
import { reportDiagnostics } from "./output.ts";
import type { Runtime } from "./runtime.ts";

/** The plan of 100,000 resources has a few dozen MiB, so a larger file is not a plan. Bytes. */
const MAX_SIZE = 256 * 1024 * 1024;

/** Reads the file of a saved plan. @throws Failure or EngineError if it cannot be read, or is not a saved plan */
export async function readSavedPlan({ cwd }: Runtime, file: string): Promise<PlanDocument> {
  const text = await readBounded(resolve(cwd, file), MAX_SIZE).catch((error: NodeJS.ErrnoException) => {
    const message = `${file} cannot be read (${error.code ?? "error"})`;
    throw failure(EXIT.invalid, "plan_unreadable", message, SAVE_A_PLAN);
  });
  return parseSavedPlan(text, file);
}

/** Warns about options that differ from those of a saved plan. They have no effect on it. */
export function warnIgnoredOptions(runtime: Runtime, saved: PlanDocument, options: Partial<PlanOptions>): void {
  const { prune, only, rotate, recreate = [] } = saved.options;
  const differs = (given: readonly string[] | undefined, planned: readonly string[]): boolean =>
    given !== undefined && !isDeepStrictEqual(given.toSorted(), planned.toSorted());
  const ignored = [
    ...(options.prune === true && !prune ? ["--prune"] : []),
    ...(differs(options.only, only) ? ["--only"] : []),
    ...(differs(options.rotate, rotate) ? ["--rotate"] : []),
    ...(differs(options.recreate, recreate) ? ["--recreate"] : []),
  ];
  reportDiagnostics(
    runtime,
    ignored.map((option) => ({
      severity: "warning",
      code: "option_unused",
      message: `${option} does not change a saved plan`,
      hint: `Plan again with ${option}, and apply that.`,
    })),
  );
}
