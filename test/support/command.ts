import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import type { createRedactor } from "../../src/api/redact/redact.ts";
import type { runCommandLine } from "../../src/cli/program.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the package that the tests of this project run. Undefined in the unit tests, which need no build. */
    readonly package: string | undefined;
  }
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The folder of the package that is tested: this repository, or where the packed package was installed. */
export function packageFolder(): string {
  return inject("package") ?? ROOT;
}

/** The file that Node starts as `driftline`. */
export function commandFile(): string {
  return join(packageFolder(), "dist/bin/driftline.cjs");
}

/** What that file needs to run a command in this process. */
export interface CommandLine {
  readonly runCommandLine: typeof runCommandLine;
  readonly createRedactor: typeof createRedactor;
}

/** The bundle of the package that is tested, or the modules of `src` in the unit tests. */
export async function commandLine(): Promise<CommandLine> {
  if (inject("package") === undefined)
    return { ...(await import("../../src/cli/program.ts")), ...(await import("../../src/api/redact/redact.ts")) };
  const load = createRequire(commandFile());
  return { ...(load("./program.cjs") as CommandLine), ...(load("./redact.cjs") as CommandLine) };
}
