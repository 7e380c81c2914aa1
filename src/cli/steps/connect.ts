import { version } from "../../generated/version.ts";
import { setFlagsFromString } from "node:v8";
import { createClient, type Client, type ClientOptions } from "../../api/client.ts";
import { urlProblem } from "../../api/http/url.ts";
import { registerRequestSecrets } from "../../api/redact/redact.ts";
import type { EngineContext } from "../../engine/context.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { otherHostHint, urlHint } from "../../model/service-url.ts";
import { EXIT } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import type { ServiceOptions } from "../program/options.ts";
import { createProgress, type Progress } from "../terminal/progress.ts";
import type { Environment, Runtime } from "../runtime.ts";

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
  const url = requireUrl(findServiceUrl(options, env, configuredUrl), env);
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

/** @throws Failure if it is not the URL of a service */
export function requireUrl(url: string, env: Runtime["env"]): string {
  const problem = checkUrl(url, env);
  if (problem !== undefined) throw new Failure(EXIT.invalid, [problem]);
  return url;
}

function requireKey(env: Runtime["env"]): string {
  const key = apiKey(env);
  const problem = checkKey(key, env);
  if (problem !== undefined) throw new Failure(EXIT.denied, [problem]);
  return key;
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

/** The URL of the service; empty if none is given. An empty variable counts as unset. */
export function findServiceUrl(
  { url }: Pick<ServiceOptions, "url">,
  env: Runtime["env"],
  configured: string | undefined,
): string {
  return url ?? (env["DRIFTLINE_URL"] || configured || "");
}

/** The variables of other tools, and misspelt ones. */
const URL_LIKE = /^(?:DRIFTLINE|POSTHOG)_(?:\w+_)?(?:HOST|URL|URI|ENDPOINT)$/u;
const KEY_LIKE = /^(?:DRIFTLINE|POSTHOG)_?(?:\w+_)?(?:API_?KEY|KEY|TOKEN)$/u;

/** The start of a hint if a variable is set that looks like the right one; "" if none is. */
function similarVariable(env: Runtime["env"], pattern: RegExp, right: string): string {
  const name = Object.keys(env).find((one) => one !== right && pattern.test(one) && (env[one] ?? "") !== "");
  return name === undefined ? "" : `${name} is set, but driftline reads ${right}. `;
}

/** Returns what is wrong with the URL of a service, if anything is. */
export function checkUrl(url: string, env: Runtime["env"] = {}): Diagnostic | undefined {
  if (url === "") {
    const similar = similarVariable(env, URL_LIKE, "DRIFTLINE_URL");
    const hint = `${similar}Use --url, DRIFTLINE_URL, or service.url in the configuration.`;
    return { severity: "error", code: "no_url", message: "no service is given", hint };
  }
  const other = otherHostHint(url);
  const problem = urlProblem(url) ?? (other === undefined ? undefined : "has no management API");
  if (problem === undefined) return undefined;
  const shown = JSON.stringify(url.replace(/^.*@|[?#].*$/gsu, ""));
  const hint = other ?? urlHint(url) ?? "It should look like https://analytics.example.com";
  return { severity: "error", code: "invalid_url", message: `the URL ${shown} ${problem}`, hint };
}

/** The API key; empty if none is given. */
export function apiKey(env: Runtime["env"]): string {
  return env["DRIFTLINE_API_KEY"]?.trim() ?? "";
}

/** Keys that no service accepts, so they are not sent. A message never quotes one. */
const WRONG_KEYS: readonly { readonly pattern: RegExp; readonly what: string; readonly hint: string }[] = [
  {
    pattern: /^phc_/u,
    what: "the key of a project, which can only send events",
    hint: "Use a personal API key, which begins with phx_.",
  },
  {
    pattern: /^(["'“”‘’]).*["'“”‘’]$/su,
    what: "a key in quotes, and the quotes are no part of the key",
    hint: "Remove the quotes around it. Files of Docker and of CI systems keep them.",
  },
  {
    pattern: /^bearer\s/iu,
    what: "a key after the word Bearer, which is no part of the key",
    hint: "Remove that word, because each request gets it anyway.",
  },
  {
    pattern: /^(?:\$|\{\{|%\w+%$)/u,
    what: "the name of a variable that was not replaced by its value",
    hint: "A shell does not replace it in single quotes. A CI system leaves it if the variable is not defined there.",
  },
  {
    pattern: /^(?:[*.…]{3,}|<.+>)$/su,
    what: "a placeholder",
    hint: "Put a personal API key in its place.",
  },
];

/** What a text is in the place of a key, and what to do about it. Undefined if it may be a key. */
export function wrongKey(text: string): { readonly what: string; readonly hint: string } | undefined {
  return WRONG_KEYS.find(({ pattern }) => pattern.test(text));
}

/** Returns what is wrong with an API key before it is sent, if anything is. */
export function checkKey(key: string, env: Runtime["env"] = {}): Diagnostic | undefined {
  const wrong = wrongKey(key);
  if (wrong !== undefined) {
    const message = `DRIFTLINE_API_KEY holds ${wrong.what}`;
    return { severity: "error", code: "wrong_api_key", message, hint: wrong.hint };
  }
  if (key !== "") return undefined;
  const similar = similarVariable(env, KEY_LIKE, "DRIFTLINE_API_KEY");
  const hint = `${similar}Put a personal API key into the environment variable DRIFTLINE_API_KEY.`;
  return { severity: "error", code: "no_api_key", message: "no API key is given", hint };
}

/** The part of the process that the engine needs. */
export function engineContext({ env, clock, redactor, signal }: Environment): EngineContext {
  return { env, clock, redactor, signal, toolVersion: version };
}
