import type { PreparedAcceptance } from "../../engine/accept/accept.ts";
import type { PlannedRun } from "../../engine/plan.ts";
import type { Change } from "../../model/change.ts";
import { countNamed, writeFiles } from "../file-edits.ts";
import { reportDiagnostics } from "../output.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Writes what is live into the configuration, after a question with the difference of each file unless `yes` is set.
 *
 * @param only addresses that are accepted; everything if there is none
 * @returns the changes that still differ
 * @throws EngineError `invalid` if an address does not differ, `stale` if a file was changed meanwhile
 */
export async function accept(
  runtime: Runtime,
  run: PlannedRun,
  only: readonly string[],
  yes: boolean | undefined,
): Promise<readonly Change[]> {
  const { prepareAcceptance } = await import("../../engine/accept/accept.ts");
  const { files, diagnostics, leftAfter } = await prepareAcceptance(run, runtime.cwd, {
    only,
    // Without a question, a new declaration must not be taken for one of a deleted object.
    remove: yes === true && only.length === 0 ? "pinned" : "all",
  });
  reportDiagnostics(runtime, diagnostics);
  // The report may go to a file, so the rest goes to stderr.
  return leftAfter(await writeFiles(runtime, files, { yes, describe, print: runtime.err }));
}

type AcceptedFile = PreparedAcceptance["files"][number];

/** What a file accepts: "Accepted into a.yaml: 2 fields (acme/name, acme/enforce_2fa) and 1 removed declaration (acme/domains/corp)". */
function describe({ file, made }: AcceptedFile): string {
  const fields = made.flatMap(({ change, field }) => (field === undefined ? [] : [change.address + field.path]));
  const removed = made.flatMap(({ change, field }) => (field === undefined ? [change.address] : []));
  const phrase = (names: readonly string[], noun: string): readonly string[] =>
    names.length === 0 ? [] : [countNamed(names, noun)];
  const accepted = [...phrase(fields, "field"), ...phrase(removed, "removed declaration")];
  return `Accepted into ${file}: ${accepted.join(" and ")}`;
}
