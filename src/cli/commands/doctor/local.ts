import { existsSync } from "node:fs";
import { join } from "node:path";
import { isValidKey, urlProblem } from "../../../api/http/url.ts";
import { loadConfig, missingSecrets, type LoadedConfig } from "../../../config/index.ts";
import { environmentVariable } from "../../../model/environment.ts";
import { EXIT } from "../../exit-codes.ts";
import { registerConfigSecrets, registerEnvironmentSecrets } from "../../../engine/secrets.ts";
import type { ConfigOptions, ServiceOptions } from "../../options.ts";
import type { Runtime } from "../../runtime.ts";
import { toolVersion } from "../../connect.ts";
import { ok, type Finding } from "./report.ts";

/** What can be known without a request. */
export interface LocalChecks {
  readonly findings: readonly Finding[];
  /** Undefined where there is none, or none that is valid. */
  readonly loaded: LoadedConfig | undefined;
  readonly url: string | undefined;
  readonly key: string | undefined;
}

/** The oldest Node that driftline runs on. */
const OLDEST = [20, 19] as const;

/** Looks at versions, configuration and environment. */
export async function checkLocal(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions & ServiceOptions,
  nodeVersion: string,
): Promise<LocalChecks> {
  registerEnvironmentSecrets(runtime);
  const config = await configuration(runtime, paths, options);
  if (config.loaded !== undefined) registerConfigSecrets(runtime, config.loaded);
  const url =
    options.url ?? environmentVariable(runtime.env, "DRIFTLINE_URL") ?? config.loaded?.graph.service.url ?? "";
  const key = runtime.env["DRIFTLINE_API_KEY"]?.trim() ?? "";
  const urlFinding = checkUrl(url);
  const keyFinding = checkKey(key);
  return {
    findings: [version(nodeVersion), ...config.findings, urlFinding, keyFinding],
    loaded: config.loaded,
    url: urlFinding.status === "ok" ? url : undefined,
    key: keyFinding.status === "ok" ? key : undefined,
  };
}

function version(node: string): Finding {
  const message = `driftline ${toolVersion()}, Node ${node}`;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return ok("version", message);
  const fix = `Use Node ${OLDEST.join(".")} or newer.`;
  return { check: "version", subject: null, status: "warning", message: `${message}, which is too old`, fix };
}

async function configuration(
  runtime: Runtime,
  paths: readonly string[],
  { var: vars = [], vars: varFiles = [] }: ConfigOptions,
): Promise<{ readonly findings: readonly Finding[]; readonly loaded: LoadedConfig | undefined }> {
  const { cwd, env } = runtime;
  const given = paths.length > 0 ? paths : [existsSync(join(cwd, "driftline.yaml")) ? "driftline.yaml" : "."];
  const loaded = await loadConfig({ paths: given, cwd, env, vars: vars ?? [], varFiles: varFiles ?? [] });
  const about = { check: "configuration", subject: null } as const;
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  if (paths.length === 0 && errors.length > 0 && errors.every(({ code }) => code === "no_documents")) {
    const message = "none was found here, so it is not known which scopes one will need";
    const fix = "Name its files or folder, or make one with driftline init.";
    return { findings: [{ ...about, status: "warning", message, fix }], loaded: undefined };
  }
  const [first] = errors;
  if (first !== undefined) {
    const place =
      first.file === undefined ? "" : ` (${first.file}${first.line === undefined ? "" : `:${String(first.line)}`})`;
    const message = `${String(errors.length)} ${errors.length === 1 ? "error" : "errors"}, the first: ${first.message}${place}`;
    const fix = "driftline validate tells all of them.";
    return { findings: [{ ...about, status: "error", message, fix, exitCode: EXIT.invalid }], loaded: undefined };
  }
  const found = `${String(loaded.files.length)} ${loaded.files.length === 1 ? "file" : "files"}, ${String(loaded.graph.resources.length)} resources`;
  return { findings: [ok("configuration", found), ...secrets(loaded, env)], loaded };
}

/** A plan does without them: a job that only plans has none. */
function secrets(loaded: LoadedConfig, env: Runtime["env"]): readonly Finding[] {
  const missing = new Map(missingSecrets(loaded, env).map((one) => [one.message, one]));
  return [...missing.values()].map(({ message, hint }) => ({
    check: "secret",
    subject: null,
    status: "warning",
    message: `${message}: a plan does without, an apply may not`,
    fix: hint ?? null,
  }));
}

function checkUrl(url: string): Finding {
  const invalid = { check: "url", subject: null, status: "error", exitCode: EXIT.invalid } as const;
  if (url === "") {
    const fix = "Use --url, DRIFTLINE_URL, or service.url in the configuration.";
    return { ...invalid, message: "no service is given", fix };
  }
  const problem = urlProblem(url);
  if (problem !== undefined) {
    const fix = "It should look like https://analytics.example.com";
    return { ...invalid, message: `it ${problem}`, fix };
  }
  const { origin, pathname } = new URL(url);
  return ok("url", `${origin}${pathname}`.replace(/\/+$/u, ""));
}

function checkKey(key: string): Finding {
  const denied = { check: "key", subject: null, status: "error", exitCode: EXIT.denied } as const;
  if (key === "") {
    const fix = "Put a personal API key into the environment variable DRIFTLINE_API_KEY.";
    return { ...denied, message: "none is given", fix };
  }
  if (isValidKey(key)) return ok("key", "DRIFTLINE_API_KEY is set");
  const fix = "Check DRIFTLINE_API_KEY for blanks and line breaks.";
  return { ...denied, message: "it has characters that no key has", fix };
}
