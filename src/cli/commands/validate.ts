import { plural } from "../../model/plural.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { load } from "../load.ts";
import type { ConfigOptions } from "../options.ts";
import type { Runtime } from "../runtime.ts";

/** `driftline validate`: everything that can be known without the service. */
export async function validateCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions,
): Promise<ExitCode> {
  const { graph, files } = await load(runtime, paths, options);
  runtime.out(`Valid: ${plural(graph.resources.length, "resource")} in ${plural(files.length, "file")}.\n`);
  return EXIT.ok;
}
