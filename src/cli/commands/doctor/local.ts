import { versions } from "node:process";
import { version } from "../../../generated/version.ts";
import { command } from "../../../model/command.ts";
import { isValidKey } from "../../../api/http/service-url.ts";
import { unsetSecrets, type LoadedConfig } from "../../../config/index.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { plural } from "../../../model/text/plural.ts";
import { isWithoutConfiguration, readConfiguration } from "../../steps/config.ts";
import { apiKey, checkHost, checkKey, checkUrl, findServiceUrl } from "../../steps/service-and-key.ts";
import { EXIT } from "../../exit-codes.ts";
import type { ConfigOptions, ServiceOptions } from "../../program/options.ts";
import type { Runtime } from "../../runtime.ts";
import { ok, problem, type DoctorFinding } from "./report.ts";

/** The findings that need no requests. */
export interface LocalChecks {
  readonly findings: readonly DoctorFinding[];
  /** Undefined if there is no valid configuration. */
  readonly loaded: LoadedConfig | undefined;
  /** Whether the URL and the key can be used to send requests. */
  readonly canConnect: boolean;
}

/** The oldest Node that driftline runs on. */
const OLDEST = [20, 19] as const;

export async function checkLocal(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions & ServiceOptions,
): Promise<LocalChecks> {
  const config = await checkConfiguration(runtime, paths, options);
  const configured = config.loaded?.graph.service;
  const url = urlFinding(findServiceUrl(options, runtime.env, configured), checkHost(runtime, options, configured));
  const key = keyFinding(apiKey(runtime.env));
  return {
    findings: [versionFinding(), ...config.findings, url, key],
    loaded: config.loaded,
    canConnect: url.status === "ok" && key.status === "ok",
  };
}

function versionFinding(): DoctorFinding {
  const { node } = versions;
  const message = `driftline ${version}, Node ${node}`;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return ok("version", message);
  const hint = `Use Node ${OLDEST.join(".")} or newer.`;
  return problem("version", "warning", { message: `${message}, which is too old`, hint });
}

async function checkConfiguration(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions,
): Promise<{ readonly findings: readonly DoctorFinding[]; readonly loaded: LoadedConfig | undefined }> {
  const loaded = await readConfiguration(runtime, paths, options);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  if (isWithoutConfiguration(paths, errors)) {
    const message = "no configuration was found, so the scopes that it needs are unknown";
    const hint = "Give the path of its files or folder, or write the first one with init. To export what you have:";
    const way = { hint, command: command("export", { out: "analytics" }) };
    return { findings: [problem("configuration", "warning", { message, ...way })], loaded: undefined };
  }
  const [first] = errors;
  if (first !== undefined) {
    const message = `${plural(errors.length, "error")}, the first: ${first.message}${positionText(first)}`;
    const way = { hint: "To see all of them:", command: command("validate") };
    const finding = problem("configuration", "error", { message, ...way, exitCode: EXIT.invalid });
    return { findings: [finding], loaded: undefined };
  }
  const message = `${plural(loaded.files.length, "file")}, ${plural(loaded.graph.resources.length, "resource")}`;
  return { findings: [ok("configuration", message), ...checkSecrets(loaded, runtime.env)], loaded };
}

function positionText({ file, line }: Diagnostic): string {
  if (file === undefined) return "";
  return ` (${file}${line === undefined ? "" : `:${String(line)}`})`;
}

/** Missing secrets are a warning, because a job that only plans needs none. */
function checkSecrets(loaded: LoadedConfig, env: Runtime["env"]): readonly DoctorFinding[] {
  const names = unsetSecrets(loaded, env);
  if (names.length === 0) return [];
  const listed = names.join(", ");
  const message =
    names.length === 1
      ? `environment variable ${listed}, a secret, is not set or empty: a plan does not need it, an apply may`
      : `${String(names.length)} environment variables, all of them secrets, are not set or empty: a plan does not need them, an apply may`;
  return [problem("secret", "warning", { message, hint: `Set ${listed}.` })];
}

function urlFinding(url: string, problemOfHost: Diagnostic | undefined): DoctorFinding {
  const error = checkUrl(url) ?? problemOfHost;
  if (error !== undefined) return problem("url", "error", { ...error, exitCode: EXIT.invalid });
  const { origin, pathname } = new URL(url);
  return ok("url", `${origin}${pathname}`.replace(/\/+$/u, ""));
}

function keyFinding(key: string): DoctorFinding {
  const error = checkKey(key);
  if (error !== undefined) return problem("key", "error", { ...error, exitCode: EXIT.denied });
  if (isValidKey(key)) return ok("key", "DRIFTLINE_API_KEY is set");
  const hint = "Check DRIFTLINE_API_KEY for spaces and line breaks.";
  const message = "the API key contains characters that a key cannot contain";
  return problem("key", "error", { message, hint, exitCode: EXIT.denied });
}
