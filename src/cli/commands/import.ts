import { command, withCommand } from "../../model/command.ts";
import { quoted, sanitize } from "../../model/text/quote.ts";
import { requireOrganizations } from "../../engine/addresses.ts";
import { EngineError } from "../../model/engine-error.ts";
import type { ImportCandidate, Importable } from "../../engine/import/candidates.ts";
import { namedInAnswer, selectCandidates } from "../../engine/import/select.ts";
import { unmanagedOf } from "../../model/plan.ts";
import { plural } from "../../model/text/plural.ts";
import { renderImportable } from "../../report/index.ts";
import { EXIT, exitCodeOf, exitCodesOfDiagnostics, type ExitCode } from "../exit-codes.ts";
import { invalidError } from "../failure.ts";
import { readImportable, writeImports } from "../steps/imports.ts";
import { putBack } from "../steps/put-back.ts";
import { countNamed, requireAnswer } from "../steps/write-files.ts";
import { loadAddressed } from "../steps/split-paths.ts";
import type { ConfigOptions, ServiceOptions } from "../program/options.ts";
import { reportDiagnostics } from "../terminal/output.ts";
import { askToConfirm, isNo, isYes } from "../terminal/confirm.ts";
import type { Runtime } from "../runtime.ts";

export interface ImportCommandOptions extends ConfigOptions, ServiceOptions {
  readonly only?: readonly string[];
  readonly all?: boolean;
  readonly yes?: boolean;
}

/**
 * `driftline import`: writes live objects that nothing declares into the files. Sends GET only. The exit code is 2 if
 * something that was chosen is not written.
 */
export async function importCommand(
  runtime: Runtime,
  given: readonly string[],
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const { only: addresses, paths, config } = await loadAddressed(runtime, given, options);
  if (options.all === true && addresses.length > 0)
    throw invalidError("usage", "--all and --only exclude each other", "Leave out one of them.");
  const isChosen = options.all === true || addresses.length > 0;
  requireOrganizations(config, addresses);
  // What is named is looked up before the answer is missed: a wrong address matters more.
  if (options.all === true) requireAnswer(runtime, "import", options);
  const importable = await readImportable(runtime, config, addresses, options);
  reportDiagnostics(runtime, importable.diagnostics, options);
  if (importable.expired.length > 0)
    runtime.out(`Left out: ${sanitize(countNamed(importable.expired, "expired invite"))}.\n`);
  const codes = exitCodesOfDiagnostics(importable.diagnostics);
  const chosen = isChosen ? chosenCandidates(runtime, importable, addresses) : await askWhich(runtime, importable);
  if (runtime.signal.aborted || chosen.length === 0) return exitCodeOf(runtime, codes);
  if (isChosen) requireAnswer(runtime, "import", options);
  const isMeant = options.all !== true || options.yes !== true;
  const { candidates, diagnostics } = await putBack(runtime, config, chosen, { ...options, paths, isMeant });
  reportDiagnostics(runtime, diagnostics);
  const imports = { config, importable, chosen: candidates };
  const written = await writeImports(runtime, imports, { ...options, paths });
  const isComplete = chosen.every(({ address }) => written.has(address));
  return exitCodeOf(runtime, [...codes, ...(isComplete ? [] : [EXIT.differences])]);
}

function chosenCandidates(
  runtime: Runtime,
  importable: Importable,
  addresses: readonly string[],
): readonly ImportCandidate[] {
  if (addresses.length > 0) {
    const { candidates, notes } = selectCandidates(importable, addresses);
    for (const note of notes) runtime.out(`${sanitize(note)}\n`);
    return candidates;
  }
  const isRead = importable.diagnostics.every(({ severity }) => severity !== "error");
  if (importable.candidates.length === 0 && isRead) runtime.out(NOTHING);
  return importable.candidates;
}

const NOTHING = "Nothing to import: everything that was found is declared.\n";

/** Lists what can be imported, and asks for it on a terminal. */
async function askWhich(runtime: Runtime, importable: Importable): Promise<readonly ImportCandidate[]> {
  const { candidates, organizations } = importable;
  const { toRunnable } = runtime.invocation;
  // There is no file that an organization belongs into.
  for (const { id, title } of organizations) {
    const words = toRunnable(command("export", { organization: id, out: "live" }));
    runtime.out(`${sanitize(withCommand(`Organization ${quoted(title)} is not declared. To export it:`, words))}\n\n`);
  }
  if (candidates.length === 0) return chosenCandidates(runtime, importable, []);
  const rows = candidates.map(({ live, ...named }) => ({ ...named, ...unmanagedOf(live) }));
  runtime.out(`${renderImportable(rows, { color: runtime.color.stdout })}\n`);
  if (!runtime.interactive) {
    const words = toRunnable(command("import", { all: true, yes: true }));
    const text = `${plural(candidates.length, "object")} can be imported. To import all of them:`;
    runtime.out(`${withCommand(text, words)}\n`);
    return [];
  }
  for (;;) {
    const answer = await askToConfirm(
      runtime,
      `Import ${plural(candidates.length, "object")}`,
      '"yes", or names or addresses from the list,',
    );
    if (isYes(answer)) return candidates;
    if (isNo(answer)) {
      runtime.out("Nothing is imported.\n");
      return [];
    }
    try {
      return chosenCandidates(runtime, importable, namedInAnswer(importable, answer));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      reportDiagnostics(runtime, error.diagnostics);
    }
  }
}
