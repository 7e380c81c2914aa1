import { setFlagsFromString } from "node:v8";
import { createClient, type Client, type ClientOptions } from "../api/client.ts";
import { urlProblem } from "../api/http/url.ts";
import { registerRequestSecrets } from "../api/redact/redact.ts";
import type { EngineContext } from "../engine/context.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { urlHint } from "../model/service-url.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure } from "./failure.ts";
import type { ServiceOptions } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";
import { toolVersion } from "./package.ts";
import type { Environment, Runtime } from "./runtime.ts";

/** A client for the service of a command, with its progress on stderr. */
export interface Connection {
  readonly client: Client;
  readonly progress: Progress;
  /** Clears the status line and closes the client's connections. */
  readonly close: () => Promise<void>;
}

/** What a command says about its connection. */
export interface ConnectionSettings extends Pick<ClientOptions, "mode" | "deadlineMs" | "timeouts" | "onEvent"> {
  /** The URL in the configuration. Options and environment come first. */
  readonly configuredUrl?: string | undefined;
}

/**
 * Connects to the service that the options, the environment or the configuration name, in this order. Nothing is sent yet.
 *
 * @throws Failure if there is no valid URL or key
 */
export function connect(
  runtime: Runtime,
  options: ServiceOptions,
  { configuredUrl, ...settings }: ConnectionSettings,
): Connection {
  const { env, clock, redactor, signal, dispatcher } = runtime;
  registerRequestSecrets(env, redactor);
  const url = requireUrl(findServiceUrl(options, env, configuredUrl));
  const key = requireKey(env);
  delayParserOptimization();
  const progress = createProgress(runtime, options);
  const { profile, maxRequestsPerMinute } = options;
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
  return { client, progress, close };
}

function requireUrl(url: string): string {
  const problem = checkUrl(url);
  if (problem !== undefined) throw new Failure(EXIT.invalid, [problem]);
  return url;
}

function requireKey(env: Runtime["env"]): string {
  const key = apiKey(env);
  const problem = checkKey(key);
  if (problem !== undefined) throw new Failure(EXIT.denied, [problem]);
  return key;
}

/** The newest version of Node whose flags are known. A flag that V8 does not know would be reported on stderr. */
const NEWEST_NODE = 24;

/**
 * Delays the optimization of undici's HTTP parser, which is WebAssembly. V8 starts it with the first answers, and the process does not
 * end before it: that is a third of the CPU time of a small plan. In a run of many requests it still happens.
 */
function delayParserOptimization(): void {
  if (Number.parseInt(process.versions.node) <= NEWEST_NODE) setFlagsFromString("--wasm-tiering-budget=1000000000");
}

/** The URL of the service; empty if none is given. An empty variable counts as unset. */
export function findServiceUrl(
  { url }: Pick<ServiceOptions, "url">,
  env: Runtime["env"],
  configured: string | undefined,
): string {
  return url ?? (env["DRIFTLINE_URL"] || configured || "");
}

/** Returns what is wrong with the URL of a service, if anything is. */
export function checkUrl(url: string): Diagnostic | undefined {
  if (url === "") {
    const hint = "Use --url, DRIFTLINE_URL, or service.url in the configuration.";
    return { severity: "error", code: "no_url", message: "no service is given", hint };
  }
  const problem = urlProblem(url);
  if (problem === undefined) return undefined;
  const shown = JSON.stringify(url.replace(/^.*@|[?#].*$/gsu, ""));
  const hint = urlHint(url) ?? "It should look like https://analytics.example.com";
  return { severity: "error", code: "invalid_url", message: `the URL ${shown} ${problem}`, hint };
}

/** The API key; empty if none is given. */
export function apiKey(env: Runtime["env"]): string {
  return env["DRIFTLINE_API_KEY"]?.trim() ?? "";
}

/** Returns what is wrong with an API key before it is sent, if anything is. */
export function checkKey(key: string): Diagnostic | undefined {
  if (key !== "") return undefined;
  const hint = "Put a personal API key into the environment variable DRIFTLINE_API_KEY.";
  return { severity: "error", code: "no_api_key", message: "no API key is given", hint };
}

/** The part of the process that the engine needs. */
export function engineContext({ env, clock, redactor, signal }: Environment): EngineContext {
  return { env, clock, redactor, signal, toolVersion: toolVersion() };
}
