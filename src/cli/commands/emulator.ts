import { errorReason } from "../../model/text/error-reason.ts";
import { command } from "../../model/command.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { loadSeed, startEmulator, type Emulator, type EmulatorOptions, type KeyOption } from "../../emulator/index.ts";
import { steadyRandom } from "../../emulator/store/steady-random.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { type EngineError, engineError } from "../../model/engine-error.ts";
import { invalidError } from "../failure.ts";
import { exampleNames } from "../program/package.ts";
import type { Runtime } from "../runtime.ts";
import { freeFolder } from "./init/example.ts";

type ServingOptions = Pick<EmulatorOptions, "port" | "dialect" | "controlPort" | "maxPageSize" | "rateLimits">;

export interface EmulatorCommandOptions extends ServingOptions {
  readonly seed?: string;
  /** The minimum duration of each request. Milliseconds. */
  readonly latency?: number;
  /** The keys to accept, each as `NAME`, or as `NAME=SCOPE,SCOPE` for one that may not do everything. */
  readonly key?: readonly string[];
  readonly allowHost?: readonly string[];
}

/** `driftline emulator`: serves the interface from memory until it is interrupted. */
export async function emulatorCommand(runtime: Runtime, options: EmulatorCommandOptions): Promise<ExitCode> {
  // An emulator sends no requests.
  runtime.catchSignals("\n");
  const emulator = await start(await emulatorOptions(runtime, options));
  const control = emulator.controlUrl === undefined ? "" : `\nIts control API listens at ${emulator.controlUrl}\n`;
  runtime.out(
    `The emulator is running. Use it in another terminal:\n\n  export DRIFTLINE_URL=${emulator.url}\n  export DRIFTLINE_API_KEY=${emulator.key}\n${control}\nPress Ctrl-C to stop it. Its data is lost then.\n`,
  );
  await new Promise<void>((stop) => {
    if (runtime.signal.aborted) stop();
    runtime.signal.addEventListener("abort", () => stop(), { once: true });
  });
  await emulator.close();
  return EXIT.ok;
}

async function emulatorOptions(runtime: Runtime, options: EmulatorCommandOptions): Promise<EmulatorOptions> {
  const { seed, latency, key, allowHost = [], ...serving } = options;
  return {
    ...serving,
    random: steadyRandom(),
    allowHosts: allowHost,
    ...(latency === undefined ? {} : { latencyMs: latency }),
    ...(key === undefined ? {} : { keys: key.map(keyOption) }),
    ...(seed === undefined ? {} : { seed: await readSeed(runtime, seed) }),
  };
}

/** The form of a scope, or `*` for all of them. */
const SCOPE = /^(?:\*|[a-z_]+:(?:read|write))$/u;

function keyOption(text: string): KeyOption {
  const [, key = "", list] = /^([^\s=]+)(?:=(.+))?$/u.exec(text) ?? [];
  const scopes = list?.split(",").map((scope) => scope.trim());
  if (key !== "" && (scopes ?? []).every((scope) => SCOPE.test(scope)))
    return { key, ...(scopes === undefined ? {} : { scopes }) };
  throw invalidError(
    "usage",
    `--key "${text}" is no key with scopes`,
    "Write --key NAME=SCOPE,SCOPE, such as --key reader=organization:read,insight:read; --key NAME alone is a key that may do everything.",
  );
}

async function start(options: EmulatorOptions): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    const { code, message, port } = error as NodeJS.ErrnoException & { readonly port?: number };
    const flag = port !== undefined && port === options.controlPort ? "--control-port" : "--port";
    throw engineError(
      "failed",
      "cannot_listen",
      code === "EADDRINUSE"
        ? `port ${String(port ?? options.port)} is used by another program`
        : `port ${String(port ?? options.port)} cannot be used (${code ?? message})`,
      flag === "--port"
        ? "Stop that program, which may be another emulator, or leave out --port to use a free port."
        : "Use another port for --control-port.",
    );
  }
}

async function readSeed(runtime: Runtime, file: string): Promise<ReturnType<typeof loadSeed>> {
  try {
    return loadSeed(await readFile(resolve(runtime.cwd, file), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw seedMissing(runtime, file);
    const message = errorReason(error);
    throw invalidError(
      "seed_invalid",
      `${file}: ${message}`,
      "docs/emulator.md of the package describes the format of a seed.",
    );
  }
}

/** Leads to a seed that exists: the one in this folder, else that of an example. An example is copied to the path that was given. */
function seedMissing({ cwd }: Runtime, file: string): EngineError {
  const named = exampleNames().find((name) => file.includes(join("examples", name, "seed.json")));
  const example = named ?? "minimal";
  const folder = named === undefined ? freeFolder(cwd, example) : dirname(file);
  const hint = existsSync(resolve(cwd, "seed.json"))
    ? { hint: "This folder has a seed:", command: command("emulator", { seed: "seed.json" }) }
    : { hint: "To copy an example that has a seed:", command: command("init", { example }, folder) };
  return invalidError("seed_missing", `${file} does not exist`, hint);
}
