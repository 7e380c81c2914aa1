import type { ExitCode } from "../exit-codes.ts";
import { invalidError } from "../failure.ts";
import { initAnswers } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";
import type { GuidedInitOptions } from "./init/guided.ts";

interface InitOptions extends GuidedInitOptions {
  readonly example?: string;
}

/** `driftline init`: copies an example, writes what an organization has, or an empty configuration. */
export async function initCommand(runtime: Runtime, file: string | undefined, options: InitOptions): Promise<ExitCode> {
  const { example, url } = options;
  if (example !== undefined) return (await import("./init/example.ts")).initExampleCommand(runtime, example, file);
  const answered = initAnswers.filter((name) => options[name] !== undefined);
  if (file !== undefined && answered[0] !== undefined)
    throw invalidError(
      "usage",
      `--${answered[0]} is for an organization that you have, but a file gets an empty configuration`,
      "Leave out the file, or the option.",
    );
  if (file === undefined && (runtime.interactive || url !== undefined || answered.length > 0))
    return (await import("./init/guided.ts")).guidedInitCommand(runtime, options);
  return (await import("./init/empty.ts")).emptyInitCommand(runtime, { file, url });
}
