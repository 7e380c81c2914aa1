import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { loadSeed, startEmulator, type Emulator, type EmulatorOptions } from "../../emulator/index.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { failure } from "../failure.ts";
import type { Runtime } from "../runtime.ts";

export interface EmulatorCommandOptions {
  readonly port?: number;
  readonly seed?: string;
  /** `document` or `deployed`. */
  readonly dialect?: string;
  readonly controlPort?: number;
  /** Milliseconds that every request takes at least. */
  readonly latency?: number;
  readonly maxPageSize?: number;
  /** Refuse what is more than the limits of deployed servers. */
  readonly rateLimits?: boolean;
}

/** `driftline emulator`: the service itself, in memory, until it is interrupted. */
export async function emulatorCommand(runtime: Runtime, options: EmulatorCommandOptions): Promise<ExitCode> {
  const emulator = await listening(options, await emulatorOptions(runtime, options));
  const control = emulator.controlUrl === undefined ? "" : `\nIt is controlled at ${emulator.controlUrl}\n`;
  runtime.out(
    `The emulator listens.\n\n  export DRIFTLINE_URL=${emulator.url}\n  export DRIFTLINE_API_KEY=${emulator.key}\n${control}\nCtrl-C ends it and forgets everything.\n`,
  );
  await new Promise<void>((stop) => {
    if (runtime.signal.aborted) stop();
    runtime.signal.addEventListener("abort", () => stop(), { once: true });
  });
  await emulator.close();
  return EXIT.ok;
}

async function emulatorOptions(runtime: Runtime, options: EmulatorCommandOptions): Promise<EmulatorOptions> {
  const { port = 0, dialect = "document", controlPort, latency, maxPageSize, rateLimits = false } = options;
  if (dialect !== "document" && dialect !== "deployed") {
    throw failure(
      EXIT.invalid,
      "dialect_unknown",
      `the emulator has no dialect "${dialect}"`,
      "There are document, as the interface is written, and deployed, as servers out there answer.",
    );
  }
  return {
    port,
    dialect,
    rateLimits,
    ...(controlPort === undefined ? {} : { controlPort }),
    ...(latency === undefined ? {} : { latencyMs: latency }),
    ...(maxPageSize === undefined ? {} : { maxPageSize }),
    ...(options.seed === undefined ? {} : { seed: await seedFrom(runtime, options.seed) }),
  };
}

async function listening(options: EmulatorCommandOptions, wanted: EmulatorOptions): Promise<Emulator> {
  try {
    return await startEmulator(wanted);
  } catch (error) {
    const { code, message, port } = error as NodeJS.ErrnoException & { readonly port?: number };
    const flag = port !== undefined && port === options.controlPort ? "--control-port" : "--port";
    throw failure(
      EXIT.error,
      "cannot_listen",
      `port ${String(port ?? options.port)} cannot be used (${code ?? message})`,
      flag === "--port" ? "Leave --port out to get a free one." : "Give --control-port another one.",
    );
  }
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
