import type { PreparedFile } from "../../../edit/files.ts";
import type { AcceptSource } from "../../../engine/accept/accept-edit.ts";
import type { PlannedRun } from "../../../engine/plan/plan-config.ts";
import type { Change } from "../../../model/change.ts";
import { countNamed, writeFiles } from "../../steps/write-files.ts";
import { reportDiagnostics } from "../../terminal/output.ts";
import type { Runtime } from "../../runtime.ts";
import type { AcceptCommandOptions } from "./prepare-acceptance.ts";

/**
 * Writes what is live into the configuration, after a question with the difference of each file unless `yes` is set.
 *
 * @returns the changes that still differ
 * @throws EngineError `invalid` if an address does not differ, `stale` if a file was changed meanwhile
 */
export async function accept(
  runtime: Runtime,
  run: PlannedRun,
  options: AcceptCommandOptions & { readonly yes?: boolean },
): Promise<readonly Change[]> {
  const { prepareAcceptance } = await import("./prepare-acceptance.ts");
  const { importFolders } = await import("../../steps/imports.ts");
  const { acceptance, diagnostics, neededSecrets } = await prepareAcceptance(runtime, run, {
    ...options,
    isAsked: options.yes !== true,
    where: importFolders(runtime, options.paths),
  });
  reportDiagnostics(runtime, [...acceptance.diagnostics, ...diagnostics]);
  // The report may go to a file, so the rest goes to stderr.
  const written = await writeFiles(runtime, acceptance.files, { yes: options.yes, describe, print: runtime.err });
  reportDiagnostics(runtime, neededSecrets(written));
  return acceptance.remainingAfter(written);
}

/** What a file accepts: "Accepted into a.yaml: 2 fields (acme/name, acme/enforce_2fa) and 1 removed declaration (acme/domains/corp)". */
function describe({ file, edits }: PreparedFile<AcceptSource>): string {
  const sources = edits.map(({ source }) => source);
  const accepted = [
    ...countedIf(
      sources.flatMap((one) => (one.type === "field" ? [one.address + one.path] : [])),
      "field",
    ),
    ...countedIf(
      sources.flatMap((one) => (one.type === "addition" ? [one.added] : [])),
      "new declaration",
    ),
    ...countedIf(
      sources.flatMap((one) => (one.type === "removal" ? [one.address] : [])),
      "removed declaration",
    ),
  ];
  return `Accepted into ${file}: ${accepted.join(" and ")}`;
}

function countedIf(names: readonly string[], noun: string): readonly string[] {
  return names.length === 0 ? [] : [countNamed(names, noun)];
}
