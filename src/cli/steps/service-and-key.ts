/** Finds the URL of the service and the key, and checks both before anything is sent. */
import { urlProblem } from "../../api/http/service-url.ts";
import { loadServiceUrl } from "../../config/index.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ServiceSettings } from "../../model/resource.ts";
import { isKnownService, otherHostHint, urlHint } from "../../model/known-services.ts";
import { firstOf } from "../../model/text/plural.ts";
import { EngineError } from "../../model/engine-error.ts";
import { withoutCredentials } from "../invocation.ts";
import type { ServiceOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";
import { configurationPaths } from "./config.ts";

type Configured = ServiceSettings | undefined;

/** The URL of the service; empty if none is given. An empty variable counts as unset. */
export function findServiceUrl(
  { url }: Pick<ServiceOptions, "url">,
  env: Runtime["env"],
  configured: Configured,
): string {
  return url ?? (env["DRIFTLINE_URL"] || configured?.url || "");
}

/**
 * The service in the configuration, for a command that takes no paths: of the files that `plan` would read without one. They are
 * not read if an option or the environment names the service.
 *
 * @throws EngineError if they cannot be read, or say two things: no service is guessed
 */
export async function configuredService(
  { cwd, env, redactor }: Runtime,
  options: Pick<ServiceOptions, "url">,
): Promise<Configured> {
  if (findServiceUrl(options, env, undefined) !== "") return undefined;
  const { service, errors, programs } = await loadServiceUrl({
    paths: configurationPaths(cwd, []),
    cwd,
    env,
    vars: [],
    varFiles: [],
    redactor,
  });
  const missing = checkUrl("", env);
  if (errors.length > 0) throw new EngineError("invalid", [...errors, ...(missing === undefined ? [] : [missing])]);
  if (service.url === undefined && missing !== undefined && programs.length > 0) {
    const message = `${missing.message}, and this command does not run ${firstOf(programs, 1)}`;
    throw new EngineError("invalid", [{ ...missing, message }]);
  }
  return service;
}

/**
 * Why the key is not sent to a service that only a file names: anybody who can change the file would get the key. A person at a
 * terminal sees where it goes, and a known service is no one's trap.
 */
export function checkHost(
  { env, interactive }: Pick<Runtime, "env" | "interactive">,
  options: Pick<ServiceOptions, "url">,
  configured: Configured,
): Diagnostic | undefined {
  const url = configured?.url;
  if (
    url === undefined ||
    findServiceUrl(options, env, undefined) !== "" ||
    urlProblem(url) !== undefined ||
    isKnownService(url)
  )
    return undefined;
  const { protocol, origin } = new URL(url);
  const isOpen = protocol === "http:";
  if (!isOpen && (interactive || configured?.urlFrom === "environment")) return undefined;
  const why = isOpen ? "only a file names it, and http shows the key to everybody on the way" : "only a file names it";
  const hint = "If it is your service, name it with --url or DRIFTLINE_URL.";
  return { severity: "error", code: "unconfirmed_url", message: `the key is not sent to ${origin}: ${why}`, hint };
}

/** @throws EngineError if it is not the URL of a service */
export function requireUrl(url: string, env: Runtime["env"]): string {
  const problem = checkUrl(url, env);
  if (problem !== undefined) throw new EngineError("invalid", [problem]);
  return url;
}

/** The key that is sent. @throws EngineError if it cannot be one */
export function requireKey(env: Runtime["env"]): string {
  const key = apiKey(env);
  const problem = checkKey(key, env);
  if (problem !== undefined) throw new EngineError("denied", [problem]);
  return key;
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
  const withoutSecrets = withoutCredentials(url);
  const subject = withoutSecrets === "URL" ? withoutSecrets : `URL ${JSON.stringify(withoutSecrets)}`;
  const hint = other ?? urlHint(url) ?? "It should look like https://analytics.example.com";
  return { severity: "error", code: "invalid_url", message: `the ${subject} ${problem}`, hint };
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
  { pattern: /^(?:[*.…]{3,}|<.+>)$/su, what: "a placeholder", hint: "Put a personal API key in its place." },
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
