import { plural } from "../../model/text/plural.ts";
import { checkedDiagnostics } from "../../config/index.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { loadConfiguration } from "../steps/config.ts";
import { failingRouteWarnings } from "../../engine/plan/warnings.ts";
import type { ConfigOptions, ServiceOptions } from "../program/options.ts";
import { printDiagnostics, reportDiagnostics } from "../terminal/output.ts";
import type { Runtime } from "../runtime.ts";

/** `driftline validate`: checks everything that can be checked without the service. */
export async function validateCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions & Pick<ServiceOptions, "profile"> & { readonly format: "text" | "json" },
): Promise<ExitCode> {
  const config = await loadConfiguration(runtime, paths, options);
  const { graph, files } = config;
  const diagnostics = [...checkedDiagnostics(config, options), ...failingRouteWarnings(graph, options.profile)];
  reportDiagnostics(runtime, diagnostics, options);
  if (options.format === "json") printDiagnostics(runtime, "validate", EXIT.ok, diagnostics);
  else runtime.out(`Valid: ${plural(graph.resources.length, "resource")} in ${plural(files.length, "file")}.\n`);
  return EXIT.ok;
}
