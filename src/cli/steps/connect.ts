import { version } from "../../generated/version.ts";
import { setFlagsFromString } from "node:v8";
import { createClient, type Client, type ClientOptions } from "../../api/client.ts";
import { registerRequestSecrets } from "../../api/redact/redact.ts";
import type { EngineContext } from "../../engine/context.ts";
import type { ServiceOptions } from "../program/options.ts";
import { createProgress, type Progress } from "../terminal/progress.ts";
import type { Environment, Runtime } from "../runtime.ts";
import type { ServiceSettings } from "../../model/resource.ts";
import { EngineError } from "../../model/engine-error.ts";
import { checkHost, findServiceUrl, requireKey, requireUrl } from "./service-and-key.ts";

/** A client for the service of a command, with its progress on stderr. */
export interface Connection {
  readonly client: Client;
  readonly progress: Progress;
  readonly context: EngineContext;
  /** Clears the status line and closes the client's connections. */
  readonly close: () => Promise<void>;
}

/** What a command says about its connection. */
export interface ConnectionSettings extends Pick<ClientOptions, "mode" | "deadlineMs" | "timeouts" | "onEvent"> {
  /** What the configuration says about the service. Options and environment come first. */
  readonly configured?: ServiceSettings | undefined;
}

const INTERRUPTED = "\ninterrupted: requests in flight are finished first; interrupt again to stop at once\n";

/**
 * Connects to the service that the options, the environment or the configuration name, in this order. Nothing is sent yet.
 *
 * @throws EngineError if there is no valid URL or key
 */
export function connect(
  runtime: Runtime,
  options: ServiceOptions,
  { configured, ...settings }: ConnectionSettings,
): Connection {
  const { env, clock, redactor, signal, dispatcher } = runtime;
  registerRequestSecrets(env, redactor);
  const url = requireUrl(findServiceUrl(options, env, configured), env);
  const problem = checkHost(runtime, options, configured);
  if (problem !== undefined) throw new EngineError("invalid", [problem]);
  const key = requireKey(env);
  delayParserOptimization();
  const progress = createProgress(runtime, options);
  const { profile, maxRequestsPerMinute } = options;
  runtime.catchSignals(INTERRUPTED);
  const client = createClient({
    ...settings,
    url,
    key,
    profile,
    clock,
    redactor,
    signal,
    maxRequestsPerMinute,
    dispatcher,
    onEvent: (event) => {
      settings.onEvent?.(event);
      progress.request(event);
    },
    onSend: progress.send,
    onPage: progress.page,
  });
  const close = async (): Promise<void> => {
    progress.done();
    await client.close();
  };
  return { client, progress, context: engineContext(runtime), close };
}

/**
 * Connects, and closes the connection once the work is done or has failed.
 *
 * @throws EngineError if there is no valid URL or key
 */
export async function withConnection<T>(
  runtime: Runtime,
  options: ServiceOptions,
  settings: ConnectionSettings,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = connect(runtime, options, settings);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** The newest version of Node whose flags are known. A flag that V8 does not know would be reported on stderr. */
const NEWEST_NODE = 24;

/**
 * Delays the optimization of undici's HTTP parser, which is WebAssembly. V8 starts it with the first answers, and the process
 * does not end before it: that is a third of the CPU time of a small plan. In a run of many requests it still happens.
 */
function delayParserOptimization(): void {
  if (Number.parseInt(process.versions.node) <= NEWEST_NODE) setFlagsFromString("--wasm-tiering-budget=1000000000");
}

/** The part of the process that the engine needs. */
function engineContext({ env, clock, redactor, signal }: Environment): EngineContext {
  return { env, clock, redactor, signal, toolVersion: version };
}
