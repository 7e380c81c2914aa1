import { exitCodeOf, type ExitCode } from "../exit-codes.ts";
import type { ConfigOptions, ServiceOptions } from "../program/options.ts";
import { printResult } from "../terminal/output.ts";
import type { Runtime } from "../runtime.ts";
import { checkConnectivity } from "./doctor/connectivity.ts";
import { findDeclared, type DeclaredScopes } from "./doctor/declared.ts";
import { checkPageSize, checkRateLimit } from "./doctor/limits.ts";
import { checkLocal, type LocalChecks } from "./doctor/local.ts";
import { ServiceProbe } from "./doctor/probe.ts";
import { diagnosisJson, diagnosisText, exitCodesOfFindings, type Finding } from "./doctor/report.ts";
import { checkReadScopes, reportWriteScopes } from "./doctor/scopes.ts";
import { listOperationsOf, neededScopes } from "../../engine/doctor/needed-scopes.ts";

export interface DoctorCommandOptions extends ConfigOptions, ServiceOptions {
  readonly format: "text" | "json";
}

/** `driftline doctor`: reports what would make the other commands fail, and how to fix it. Sends GET only. */
export async function doctorCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: DoctorCommandOptions,
): Promise<ExitCode> {
  const local = await checkLocal(runtime, paths, options);
  const needed = local.loaded === undefined ? null : neededScopes(local.loaded.graph);
  const remote = await checkService(runtime, local, options);
  const redact = (text: string): string => runtime.redactor.text(text);
  const findings = [...local.findings, ...remote.findings, ...reportWriteScopes(needed)].map((finding) => ({
    ...finding,
    message: redact(finding.message),
    fix: finding.fix === null ? null : redact(finding.fix),
    command: finding.command && runtime.invocation.toRunnable(finding.command).map(redact),
  }));
  const diagnosis = { url: remote.url, findings, scopes: needed, requests: remote.requests };
  const { format } = options;
  const text = format === "json" ? diagnosisJson(diagnosis) : diagnosisText(diagnosis, runtime.columns);
  printResult(runtime, format, text);
  return exitCodeOf(runtime, exitCodesOfFindings(findings));
}

/** The findings that needed requests. */
interface RemoteChecks {
  readonly findings: readonly Finding[];
  readonly url: string | null;
  readonly requests: number;
}

async function checkService(
  runtime: Runtime,
  { canConnect, loaded }: LocalChecks,
  options: DoctorCommandOptions,
): Promise<RemoteChecks> {
  if (!canConnect) return { findings: [], url: null, requests: 0 };
  const probe = new ServiceProbe(runtime, options, loaded?.graph.service);
  try {
    const findings = await runChecks(runtime, probe, loaded);
    return { findings, url: probe.client.url, requests: probe.client.requests() };
  } finally {
    await probe.close();
  }
}

/** Runs the checks one after the other, and stops if the service cannot be reached or refuses the key. */
async function runChecks(
  runtime: Runtime,
  probe: ServiceProbe,
  loaded: LocalChecks["loaded"],
): Promise<readonly Finding[]> {
  const connectivity = await checkConnectivity(runtime, probe);
  if (!connectivity.accepted) return connectivity.findings;
  const declared: DeclaredScopes =
    loaded === undefined ? { findings: [], pathIds: {} } : await findDeclared(probe.client, loaded.graph);
  // Declared scopes may not exist yet. The scopes of the key can be tested in any other organization.
  const pathIds = { ...connectivity.pathIds, ...declared.pathIds };
  const sent = loaded && listOperationsOf(loaded.graph);
  const scopes = await checkReadScopes(probe, pathIds, sent);
  const pageSize = await checkPageSize(probe, pathIds, scopes.lists);
  return [...connectivity.findings, ...declared.findings, ...scopes.findings, pageSize, checkRateLimit(probe)];
}
