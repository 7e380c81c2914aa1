import { publicUrlOf, urlProblem } from "../api/http/url.ts";
import { createClient, type Client } from "../api/client.ts";
import { environmentVariable } from "../model/environment.ts";
import { EXIT } from "./exit-codes.ts";
import { failure } from "./failure.ts";
import { registerEnvironmentSecrets } from "../engine/secrets.ts";
import type { ServiceOptions } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";
import type { Runtime } from "./runtime.ts";
import { readFileSync } from "node:fs";

export interface Service {
  readonly client: Client;
  readonly progress: Progress;
}

/** Connects to the service that the options, the environment or the configuration name. Nothing is sent yet. */
export function connect(
  runtime: Runtime,
  options: ServiceOptions,
  configured: string | undefined,
  mode: "read" | "write",
): Service {
  registerEnvironmentSecrets(runtime);
  const url = options.url ?? environmentVariable(runtime.env, "DRIFTLINE_URL") ?? configured;
  if (url === undefined || url === "") {
    throw failure(
      EXIT.invalid,
      "no_url",
      "no service is given",
      "Use --url, DRIFTLINE_URL, or service.url in the configuration.",
    );
  }
  const problem = urlProblem(url);
  if (problem !== undefined) {
    throw failure(
      EXIT.invalid,
      "invalid_url",
      `the URL ${JSON.stringify(url.replace(/^.*@|[?#].*$/gsu, ""))} ${problem}`,
      "It should look like https://analytics.example.com",
    );
  }
  const key = runtime.env["DRIFTLINE_API_KEY"]?.trim();
  if (key === undefined || key === "") {
    throw failure(
      EXIT.denied,
      "no_api_key",
      "no API key is given",
      "Put a personal API key into the environment variable DRIFTLINE_API_KEY.",
    );
  }
  const progress = createProgress(runtime, options);
  const client = createClient({
    url,
    key,
    mode,
    profile: options.profile,
    clock: runtime.clock,
    redactor: runtime.redactor,
    signal: runtime.signal,
    maxRequestsPerMinute: options.maxRequestsPerMinute,
    onEvent: progress.request,
    dispatcher: runtime.dispatcher,
  });
  return { client, progress };
}

/** The service as plans name it: without what may be secret in it. */
export function publicUrl(client: Client): string {
  return publicUrlOf(client.url);
}

/** The version of this package. */
export function toolVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
