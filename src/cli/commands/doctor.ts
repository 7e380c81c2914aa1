import { neededPermissions } from "../../engine/doctor/needed-permissions.ts";
import { planConfig } from "../../engine/plan/plan-config.ts";
import { CODES } from "../../model/diagnostic-codes.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { EngineError } from "../../model/engine-error.ts";
import { groupBy } from "../../model/group-by.ts";
import { plural } from "../../model/text/plural.ts";
import { EXIT_OF_REASON, exitCodeOf, exitCodesOfDiagnostics, type ExitCode } from "../exit-codes.ts";
import type { ConfigOptions, ServiceOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";
import { printResult } from "../terminal/output.ts";
import { type CheckedConnection, connectToCheck, checkConnectivity, rateLimitFinding } from "./doctor/connectivity.ts";
import { checkLocal, type LocalChecks } from "./doctor/local.ts";
import { diagnosisJson, diagnosisText, exitCodesOfFindings, ok, problem, type DoctorFinding } from "./doctor/report.ts";

export interface DoctorCommandOptions extends ConfigOptions, ServiceOptions {
  readonly format: "text" | "json";
}

/** `driftline doctor`: does what a plan does, and reports what would make it fail, and how to fix it. Sends GET only. */
export async function doctorCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: DoctorCommandOptions,
): Promise<ExitCode> {
  const local = await checkLocal(runtime, paths, options);
  const remote = await checkService(runtime, local, options);
  const redact = (text: string): string => runtime.redactor.text(text);
  const findings = [...local.findings, ...remote.findings].map((finding) => ({
    ...finding,
    message: redact(finding.message),
    fix: finding.fix === null ? null : redact(finding.fix),
    command: finding.command && runtime.invocation.toRunnable(finding.command).map(redact),
  }));
  const scopes = local.loaded === undefined ? null : neededPermissions(local.loaded.graph);
  const diagnosis = { url: remote.url, findings, scopes, requests: remote.requests };
  const { format } = options;
  const text = format === "json" ? diagnosisJson(diagnosis) : diagnosisText(diagnosis, runtime.columns);
  printResult(runtime, format, text);
  return exitCodeOf(runtime, exitCodesOfFindings(findings));
}

/** The findings that needed requests. */
interface RemoteChecks {
  readonly findings: readonly DoctorFinding[];
  readonly url: string | null;
  readonly requests: number;
}

async function checkService(
  runtime: Runtime,
  { canConnect, loaded }: LocalChecks,
  options: DoctorCommandOptions,
): Promise<RemoteChecks> {
  if (!canConnect) return { findings: [], url: null, requests: 0 };
  const connection = connectToCheck(runtime, options, loaded?.graph.service);
  const { client } = connection;
  try {
    const { findings, isAccepted } = await checkConnectivity(runtime, connection);
    const read = !isAccepted || loaded === undefined ? [] : await checkLists(connection, loaded);
    const limit = isAccepted ? [rateLimitFinding(connection)] : [];
    return { findings: [...findings, ...read, ...limit], url: client.url, requests: client.requests() };
  } finally {
    await connection.close();
  }
}

/** Reads what a plan reads. */
async function checkLists(
  { client, context }: CheckedConnection,
  config: NonNullable<LocalChecks["loaded"]>,
): Promise<readonly DoctorFinding[]> {
  const options = { only: [], prune: false, rotate: [] };
  try {
    const { stats, document } = await planConfig({ config, options, client, context });
    const read = stats.map(({ operation, scope, rows, pages }) =>
      ok("list", `${operation}, ${plural(rows, "row")} on ${plural(pages, "page")}`, scope || null),
    );
    return [...read, ...unreadFindings(document.diagnostics)];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return unreadFindings(error.diagnostics, EXIT_OF_REASON[error.reason]);
  }
}

/** What a plan says about what it could not read, and about what the service does not have: each once, however many declare it. */
function unreadFindings(diagnostics: readonly Diagnostic[], exitCode?: ExitCode): readonly DoctorFinding[] {
  return [...groupBy(diagnostics, ({ message }) => message).values()].flatMap(([first, ...rest]) => {
    const { code, severity, address: subject = null } = first;
    const others = rest.length === 0 ? "" : `, and so for ${plural(rest.length, "other resource")}`;
    const about = { ...first, message: first.message + others, subject };
    if (code === CODES.notOnService) return [problem("not_on_service", "warning", about)];
    const [own] = exitCodesOfDiagnostics([first]);
    return severity === "error" ? [problem("list", "error", { ...about, exitCode: exitCode ?? own })] : [];
  });
}
