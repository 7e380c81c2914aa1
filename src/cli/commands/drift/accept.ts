import type { PreparedFile } from "../../../edit/files.ts";
import { acceptedName, type AcceptSource, declaredBy } from "../../../engine/accept/accept-edit.ts";
import type { PlannedRun } from "../../../engine/plan/plan-config.ts";
import type { Change } from "../../../model/change.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { joinWords } from "../../../model/text/plural.ts";
import { countNamed, writeFiles } from "../../steps/write-files.ts";
import { reportDiagnostics } from "../../terminal/output.ts";
import type { Runtime } from "../../runtime.ts";
import type { AcceptCommandOptions } from "./prepare-acceptance.ts";

/** What came of an acceptance. */
export interface AcceptedRun {
  /** The changes that still differ. */
  readonly remaining: readonly Change[];
  /** The addresses of undeclared objects that are declared now. */
  readonly declared: ReadonlySet<string>;
  /** What was reported of it. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes what is live into the configuration, after a question with the difference of each file unless `yes` is set.
 *
 * @throws EngineError `invalid` if an address does not differ, `stale` if a file was changed meanwhile
 */
export async function accept(
  runtime: Runtime,
  run: PlannedRun,
  options: AcceptCommandOptions & { readonly yes?: boolean },
): Promise<AcceptedRun> {
  const { prepareAcceptance } = await import("./prepare-acceptance.ts");
  const { importFolders } = await import("../../steps/imports.ts");
  const { acceptance, diagnostics, neededSecrets } = await prepareAcceptance(runtime, run, {
    ...options,
    isAsked: options.yes !== true,
    where: importFolders(runtime, options.paths),
  });
  reportDiagnostics(runtime, [...acceptance.diagnostics, ...diagnostics]);
  // The report may go to a file, so the rest goes to stderr.
  const { yes, verbose } = options;
  const named = verbose === true ? Infinity : 1;
  const written = await writeFiles(runtime, acceptance.files, {
    yes,
    verbose,
    describe: (file, most = named) => acceptedText(file, most),
    print: runtime.err,
  });
  const needed = neededSecrets(written);
  reportDiagnostics(runtime, needed);
  return {
    remaining: acceptance.remainingAfter(written),
    declared: declaredBy(written),
    diagnostics: [...acceptance.diagnostics, ...diagnostics, ...needed],
  };
}

/** What a file accepts: "Accepted into a.yaml: 2 fields and 1 removed declaration (acme/domains/corp)". More than `most` are only counted. */
function acceptedText(
  { file, after, edits }: Pick<PreparedFile<AcceptSource>, "file" | "after" | "edits">,
  most: number,
): string {
  const accepted = TYPES.flatMap(([type, noun]) => {
    const names = edits.flatMap(({ source }) => (source.type === type ? acceptedName(source) : []));
    return names.length === 0 ? [] : countNamed(names, noun, most);
  });
  const what = after === undefined ? `Removed ${file}, without other declarations` : `Accepted into ${file}`;
  return `${what}: ${joinWords(accepted, "and")}`;
}

const TYPES = [
  ["field", "field"],
  ["moved", "address"],
  ["addition", "new declaration"],
  ["removal", "removed declaration"],
] as const;
