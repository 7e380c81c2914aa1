import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { loadSeed, startEmulator } from "../../emulator/index.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { failure } from "../failure.ts";
import type { Runtime } from "../runtime.ts";

export interface EmulatorCommandOptions {
  readonly port?: number;
  readonly seed?: string;
}

/** `driftline emulator`: the service itself, in memory, until it is interrupted. */
export async function emulatorCommand(runtime: Runtime, options: EmulatorCommandOptions): Promise<ExitCode> {
  const seed = options.seed === undefined ? undefined : await seedFrom(runtime, options.seed);
  const emulator = await startEmulator({ port: options.port ?? 0, ...(seed === undefined ? {} : { seed }) }).catch(
    (error: NodeJS.ErrnoException) => {
      throw failure(
        EXIT.error,
        "cannot_listen",
        `port ${String(options.port)} cannot be used (${error.code ?? error.message})`,
        "Leave --port out to get a free one.",
      );
    },
  );
  runtime.out(
    `The emulator listens.\n\n  export DRIFTLINE_URL=${emulator.url}\n  export DRIFTLINE_API_KEY=${emulator.key}\n\nCtrl-C ends it and forgets everything.\n`,
  );
  await new Promise<void>((stop) => {
    if (runtime.signal.aborted) stop();
    runtime.signal.addEventListener("abort", () => stop(), { once: true });
  });
  await emulator.close();
  return EXIT.ok;
}

async function seedFrom(runtime: Runtime, file: string): Promise<ReturnType<typeof loadSeed>> {
  try {
    return loadSeed(await readFile(resolve(runtime.cwd, file), "utf8"));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw failure(
      EXIT.invalid,
      "seed_invalid",
      `${file}: ${message}`,
      "The form of a seed stands in the README under Emulator.",
    );
  }
}
