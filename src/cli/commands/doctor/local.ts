import { isValidKey } from "../../../api/http/url.ts";
import { loadConfig, missingSecrets, type LoadedConfig } from "../../../config/index.ts";
import { registerEnvironmentSecrets } from "../../../api/redact/environment.ts";
import { registerConfigSecrets } from "../../../engine/secrets.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { plural } from "../../../model/plural.ts";
import { configurationPaths } from "../../config.ts";
import { apiKey, checkKey, checkUrl, configuredUrl } from "../../connect.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import type { ConfigOptions, ServiceOptions } from "../../options.ts";
import { toolVersion, type Runtime } from "../../runtime.ts";
import { ok, type Check, type Finding } from "./report.ts";

/** What is known before any request is sent. */
export interface LocalChecks {
  readonly findings: readonly Finding[];
  /** Undefined if there is no configuration, or none that is valid. */
  readonly loaded: LoadedConfig | undefined;
  readonly url: string | undefined;
  readonly key: string | undefined;
}

/** The oldest Node that driftline runs on. */
const OLDEST = [20, 19] as const;

/** Checks versions, configuration and environment. */
export async function checkLocal(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions & ServiceOptions,
  nodeVersion: string,
): Promise<LocalChecks> {
  const { env, redactor } = runtime;
  registerEnvironmentSecrets(env, redactor);
  const config = await checkConfiguration(runtime, paths, options);
  if (config.loaded !== undefined) registerConfigSecrets(config.loaded, env, redactor);
  const url = configuredUrl(options, env, config.loaded?.graph.service.url);
  const key = apiKey(env);
  const urlFinding = findUrl(url);
  const keyFinding = findKey(key);
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

async function checkConfiguration(
  { cwd, env }: Runtime,
  paths: readonly string[],
  { var: vars = [], vars: varFiles = [] }: ConfigOptions,
): Promise<{ readonly findings: readonly Finding[]; readonly loaded: LoadedConfig | undefined }> {
  const loaded = await loadConfig({ paths: configurationPaths(cwd, paths), cwd, env, vars, varFiles });
  const about = { check: "configuration", subject: null } as const;
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  if (paths.length === 0 && errors.length > 0 && errors.every(({ code }) => code === "no_documents")) {
    const message = "there is no configuration here, so the scopes that it will need are not known";
    const fix = "Name its files or folder, or make one with: driftline init";
    return { findings: [{ ...about, status: "warning", message, fix }], loaded: undefined };
  }
  const [first] = errors;
  if (first !== undefined) {
    const message = `${plural(errors.length, "error")}, the first: ${first.message}${placeOfError(first)}`;
    const fix = "driftline validate reports all of them.";
    return { findings: [{ ...about, status: "error", message, fix, exitCode: EXIT.invalid }], loaded: undefined };
  }
  const message = `${plural(loaded.files.length, "file")}, ${plural(loaded.graph.resources.length, "resource")}`;
  return { findings: [ok("configuration", message), ...checkSecrets(loaded, env)], loaded };
}

function placeOfError({ file, line }: Diagnostic): string {
  if (file === undefined) return "";
  return ` (${file}${line === undefined ? "" : `:${String(line)}`})`;
}

/** A missing secret is a warning: a job that only plans has none. */
function checkSecrets(loaded: LoadedConfig, env: Runtime["env"]): readonly Finding[] {
  const missing = new Map(missingSecrets(loaded, env).map((one) => [one.message, one]));
  return [...missing.values()].map(({ message, hint }) => ({
    check: "secret",
    subject: null,
    status: "warning",
    message: `${message}: a plan does not need it, an apply may`,
    fix: hint ?? null,
  }));
}

function findUrl(url: string): Finding {
  const error = checkUrl(url);
  if (error !== undefined) return asFinding("url", error, EXIT.invalid);
  const { origin, pathname } = new URL(url);
  return ok("url", `${origin}${pathname}`.replace(/\/+$/u, ""));
}

function findKey(key: string): Finding {
  const error = checkKey(key);
  if (error !== undefined) return asFinding("key", error, EXIT.denied);
  if (isValidKey(key)) return ok("key", "DRIFTLINE_API_KEY is set");
  const fix = "Check DRIFTLINE_API_KEY for blanks and line breaks.";
  const message = "the API key has characters that no key has";
  return { check: "key", subject: null, status: "error", exitCode: EXIT.denied, message, fix };
}

function asFinding(check: Check, { message, hint }: Diagnostic, exitCode: ExitCode): Finding {
  return { check, subject: null, status: "error", exitCode, message, fix: hint ?? null };
}
