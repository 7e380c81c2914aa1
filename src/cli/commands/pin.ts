import { requireOrganizations } from "../../engine/addresses.ts";
import { prepareEdits } from "../../edit/files.ts";
import { findPins, parseGivenId, type Unpinned, withGivenIds, withoutUnknownProjects } from "../../engine/pin/pin.ts";
import { planConfig, type PlannedRun } from "../../engine/plan/plan-config.ts";
import type { LoadedConfig } from "../../config/index.ts";
import { groupBy } from "../../model/group-by.ts";
import { plural } from "../../model/text/plural.ts";
import { sanitize } from "../../model/text/quote.ts";
import { withConnection } from "../steps/connect.ts";
import { EXIT, exitCodeOf, exitCodesOfDiagnostics, type ExitCode } from "../exit-codes.ts";
import { countNamed, printManualEdits, requireAnswer, writeFiles } from "../steps/write-files.ts";
import { loadAddressed } from "../steps/split-paths.ts";
import type { ConfigOptions, ServiceOptions } from "../program/options.ts";
import { reportDiagnostics } from "../terminal/output.ts";
import type { Runtime } from "../runtime.ts";

export interface PinCommandOptions extends ConfigOptions, ServiceOptions {
  readonly only?: readonly string[];
  readonly yes?: boolean;
}

/**
 * `driftline pin`: writes the ids of objects that were found by name into the files. Sends GET only. The exit code is 2 if
 * something is left to be added by hand.
 */
export async function pinCommand(
  runtime: Runtime,
  given: readonly string[],
  options: PinCommandOptions,
): Promise<ExitCode> {
  requireAnswer(runtime, "pin", options);
  const { only: named, config } = await loadAddressed(runtime, given, options);
  const ids = named.flatMap((text) => parseGivenId(text) ?? []);
  const addresses = named.map((text) => parseGivenId(text)?.address ?? text);
  requireOrganizations(config, addresses);
  const withIds = withGivenIds(config, ids);
  const run = await readPlan(runtime, withIds, addresses, options).catch((error: unknown) =>
    readPlan(runtime, withoutUnknownProjects(withIds, addresses, ids, error), addresses, options),
  );
  const errors = run.document.diagnostics.filter(({ severity }) => severity === "error");
  reportDiagnostics(runtime, errors);
  const { edits, unpinned } = findPins(run, ids, withIds.graph);
  reportUnpinned(runtime, unpinned, addresses);
  if (edits.length === 0 && errors.length === 0) runtime.out("Nothing to pin: no object was found by its name.\n");
  const { files, manual } = await prepareEdits(edits, config, runtime.cwd);
  const written = await writeFiles(runtime, files, {
    yes: options.yes,
    verbose: options.verbose,
    describe: ({ file, edits: pins }, most) => {
      const pinned = pins.map(({ source }) => source.address);
      return `Wrote ${file}: ${countNamed(pinned, "id", most)}`;
    },
    print: runtime.out,
  });
  printManualEdits(runtime, manual);
  const isComplete = written.length === files.length && manual.length === 0;
  return exitCodeOf(runtime, [...exitCodesOfDiagnostics(errors), ...(isComplete ? [] : [EXIT.differences])]);
}

async function readPlan(
  runtime: Runtime,
  config: LoadedConfig,
  only: readonly string[],
  options: PinCommandOptions,
): Promise<PlannedRun> {
  const limits = { prune: false, only, rotate: [] };
  return withConnection(runtime, options, { configured: config.graph.service, mode: "read" }, ({ client, context }) =>
    planConfig({ config, client, options: limits, context }),
  );
}

/** What was asked for by its address has to be mentioned. The others are only counted. */
function reportUnpinned(runtime: Runtime, unpinned: readonly Unpinned[], addresses: readonly string[]): void {
  const named = unpinned.filter(({ address }) => addresses.includes(address));
  for (const { address, reason } of named) runtime.out(`${sanitize(`${address} is not pinned: ${reason}`)}.\n`);
  const others = unpinned.filter((one) => !named.includes(one));
  for (const [reason, { length }] of groupBy(others, (one) => one.reason))
    runtime.out(`${plural(length, "resource")} left without an id: ${sanitize(reason)}.\n`);
}
