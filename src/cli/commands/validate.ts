import { plural } from "../../model/plural.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { loadConfiguration } from "../config.ts";
import type { ConfigOptions } from "../options.ts";
import { printDiagnostics } from "../output.ts";
import type { Runtime } from "../runtime.ts";

/** `driftline validate`: checks everything that can be checked without the service. */
export async function validateCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions & { readonly format: "text" | "json" },
): Promise<ExitCode> {
  const { graph, files, diagnostics } = await loadConfiguration(runtime, paths, options);
  if (options.format === "json") printDiagnostics(runtime, "validate", EXIT.ok, diagnostics);
  else runtime.out(`Valid: ${plural(graph.resources.length, "resource")} in ${plural(files.length, "file")}.\n`);
  return EXIT.ok;
}
