import { versions } from "node:process";
import { checkConnectivity } from "./connectivity.ts";
import { findDeclared, placeOf, type DeclaredScopes } from "./declared.ts";
import { exitCodeOf, type Finding, renderDiagnosis } from "./report.ts";
import { pageSize, rateLimit } from "./limits.ts";
import { checkLocal, type LocalChecks } from "./local.ts";
import { neededScopes, type NeededScopes, readScopes, writeScopes } from "./scopes.ts";
import { probeService, type ServiceProbe } from "./probe.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import type { ConfigOptions, ServiceOptions } from "../../options.ts";
import { printResult } from "../../output.ts";
import { createProgress } from "../../output.ts";
import type { Runtime } from "../../runtime.ts";

export interface DoctorCommandOptions extends ConfigOptions, ServiceOptions {
  readonly format: "text" | "json";
}

/** `driftline doctor`: what would keep the other commands from working, and what to do about it. Sends GET only. */
export async function doctorCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: DoctorCommandOptions,
): Promise<ExitCode> {
  const local = await checkLocal(runtime, paths, options, versions.node);
  const needed = local.loaded === undefined ? undefined : neededScopes(local.loaded.graph);
  const remote = await lookAtService(runtime, local, needed, options);
  const text = (shown: string): string => runtime.redactor.text(shown);
  const findings = [...local.findings, ...remote.findings, ...writeScopes(needed)].map((found) => ({
    ...found,
    message: text(found.message),
    fix: found.fix === null ? null : text(found.fix),
  }));
  const diagnosis = { url: remote.url, findings, scopes: needed, requests: remote.requests };
  printResult(runtime, options.format, renderDiagnosis(diagnosis, options.format));
  return runtime.signal.aborted ? EXIT.interrupted : exitCodeOf(findings);
}

interface Remote {
  readonly findings: readonly Finding[];
  readonly url: string | null;
  readonly requests: number;
}

async function lookAtService(
  runtime: Runtime,
  { url, key, loaded }: LocalChecks,
  needed: NeededScopes | undefined,
  options: DoctorCommandOptions,
): Promise<Remote> {
  if (url === undefined || key === undefined) return { findings: [], url: null, requests: 0 };
  const progress = createProgress(runtime, options);
  const visit = probeService(runtime, { url, key }, options, progress);
  try {
    const findings = await runChecks(runtime, visit, loaded, needed);
    return { findings, url: visit.client.url, requests: visit.client.requests() };
  } finally {
    progress.done();
    await visit.client.close();
  }
}

/** One thing after the other: what a service refuses early makes the rest pointless. */
async function runChecks(
  runtime: Runtime,
  visit: ServiceProbe,
  loaded: LocalChecks["loaded"],
  needed: NeededScopes | undefined,
): Promise<readonly Finding[]> {
  const contact = await checkConnectivity(runtime, visit);
  if (!contact.accepted) return contact.findings;
  const declared: DeclaredScopes =
    loaded === undefined
      ? { findings: [], place: placeOf(contact.organization) }
      : await findDeclared(visit.client, loaded.graph);
  // What is declared may not be there yet: another organization tells as much of the key.
  const place = { ...placeOf(contact.organization), ...declared.place };
  const scopes = await readScopes(visit, place, needed?.read);
  const size = await pageSize(visit, place, scopes.lists);
  return [...contact.findings, ...declared.findings, ...scopes.findings, size, rateLimit(visit)];
}
