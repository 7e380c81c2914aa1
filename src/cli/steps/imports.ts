import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { LoadedConfig } from "../../config/index.ts";
import type { Edit, EditSource } from "../../edit/edit.ts";
import { findImportable, type ImportCandidate, type Importable } from "../../engine/import/candidates.ts";
import { type ImportFolders, type ImportSource, prepareImport } from "../../engine/import/target-file.ts";
import { alreadySet, secretsOf } from "../../engine/import/needed-secrets.ts";
import { wantedAddress } from "../../engine/import/select.ts";
import { pathText } from "../../model/pointer.ts";
import { sanitize } from "../../model/text/quote.ts";
import { configurationPaths } from "./config.ts";
import { withConnection } from "./connect.ts";
import { countNamed, printManualEdits, type WriteOptions, writeFiles } from "./write-files.ts";
import { schemaFor } from "../program/package.ts";
import type { ServiceOptions } from "../program/options.ts";
import { reportDiagnostics } from "../terminal/output.ts";
import type { Runtime } from "../runtime.ts";

/** Finds what can be imported at or below some addresses, or everywhere if there is none. Sends GET only. */
export async function readImportable(
  runtime: Runtime,
  config: LoadedConfig,
  addresses: readonly string[],
  options: ServiceOptions,
): Promise<Importable> {
  return withConnection(runtime, options, { configured: config.graph.service, mode: "read" }, ({ client, context }) =>
    findImportable({ config, client, context }, addresses.map(wantedAddress)),
  );
}

interface Imports {
  readonly config: LoadedConfig;
  readonly importable: Importable;
  readonly chosen: readonly ImportCandidate[];
}

/**
 * Writes what was chosen into the files, after a question with the difference of each file unless `yes` is set.
 *
 * @returns the addresses of those that are in the files now
 * @throws EngineError `stale` if a file was changed meanwhile
 */
export async function writeImports(
  runtime: Runtime,
  { config, importable, chosen }: Imports,
  { paths, yes, verbose }: { readonly paths: readonly string[] } & Pick<WriteOptions<EditSource>, "yes" | "verbose">,
): Promise<ReadonlySet<string>> {
  const { files, manual } = await prepareImport(chosen, importable, config, importFolders(runtime, paths));
  const written = await writeFiles(runtime, files, {
    yes,
    verbose,
    describe: ({ file, edits }, most) => `Wrote ${file}: ${countNamed(addressesIn(edits), "resource", most)}`,
    print: runtime.out,
  });
  printManualEdits(runtime, manual);
  const done = new Set(written.flatMap(({ edits }) => addressesIn(edits)));
  const declared = new Set([...done, ...addressesIn(manual.map(({ edit }) => edit))]);
  const secrets = secretsOf(chosen.filter(({ address }) => declared.has(address)));
  if (secrets.length > 0)
    runtime.out(
      `\nThe service does not show secrets. Set these environment variables before an apply that sends them:\n${secrets
        .map(({ name, address, path }) => `  ${sanitize(`${name}  ${address} ${pathText(path)}`)}\n`)
        .join("")}`,
    );
  const names = secrets.map(({ name }) => name);
  reportDiagnostics(runtime, alreadySet(names, runtime.env));
  return done;
}

/** Where imports of a configuration are read and written. */
export function importFolders({ cwd }: Pick<Runtime, "cwd">, paths: readonly string[]): ImportFolders {
  const folders = configurationPaths(cwd, paths)
    .map((path) => resolve(cwd, path))
    .filter((path) => statSync(path).isDirectory());
  return { cwd, folders, schema: (folder) => schemaFor(resolve(cwd, folder)) };
}

function addressesIn(edits: readonly Edit<ImportSource>[]): readonly string[] {
  return edits.flatMap(({ source }) => source.addresses);
}
