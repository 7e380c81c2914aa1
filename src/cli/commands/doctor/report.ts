import { version } from "../../../generated/version.ts";
import { plural } from "../../../model/text/plural.ts";
import { type CommandWords, type Hint, hintFields, withCommand } from "../../../model/command.ts";
import { sanitize } from "../../../model/text/quote.ts";
import { safeJson } from "../../../report/escape.ts";
import { wrapLine } from "../../../report/wrap.ts";
import { permissionsToApply, type NeededPermissions } from "../../../engine/doctor/needed-permissions.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";

type FindingStatus = "ok" | "warning" | "error" | "unknown";

/** The checks, in the order of the report. The names are stable: scripts look for them. */
export type DoctorCheck =
  | "version"
  | "configuration"
  | "secret"
  | "url"
  | "key"
  | "reachable"
  | "tls"
  | "clock"
  | "key_accepted"
  | "list"
  | "not_on_service"
  | "rate_limit";

export interface DoctorFinding {
  readonly check: DoctorCheck;
  /** What was checked, if a check is made several times: an address. */
  readonly subject: string | null;
  readonly status: FindingStatus;
  readonly message: string;
  /** What to do about it; null if nothing is needed. */
  readonly fix: string | null;
  /** Does what the fix says, and stands at its end. */
  readonly command?: CommandWords | undefined;
  /** The exit code for an error; 1 by default. */
  readonly exitCode?: ExitCode | undefined;
}

/** A check that passed. */
export function ok(check: DoctorCheck, message: string, subject: string | null = null): DoctorFinding {
  return { check, subject, status: "ok", message, fix: null };
}

/** What a check has found: a message with a hint, as in errors of the service and in diagnostics. */
interface FindingDetail {
  readonly message: string;
  readonly hint?: Hint | undefined;
  readonly command?: CommandWords | undefined;
  readonly subject?: string | null;
  readonly exitCode?: ExitCode | undefined;
}

/** A check that did not pass. */
export function problem(
  check: DoctorCheck,
  status: Exclude<FindingStatus, "ok">,
  { message, hint, subject = null, command: given, exitCode }: FindingDetail,
): DoctorFinding {
  const { hint: fix = null, command = given } = hintFields(hint);
  return { check, subject, status, message, fix, command, exitCode };
}

/** The exit codes of the errors. Warnings have none. */
export function exitCodesOfFindings(findings: readonly DoctorFinding[]): readonly ExitCode[] {
  return findings.flatMap(({ status, exitCode }) => (status === "error" ? [exitCode ?? EXIT.error] : []));
}

/** All findings, and what they were based on. */
export interface Diagnosis {
  readonly url: string | null;
  readonly findings: readonly DoctorFinding[];
  /** The permissions that the configuration needs; null if there is no valid configuration. */
  readonly scopes: NeededPermissions | null;
  readonly requests: number;
}

/** The document that `doctor --format json` prints. schemas/doctor.schema.json describes it. */
export interface DoctorDocument extends Diagnosis {
  readonly type: "driftline.doctor";
  readonly schema_version: 1;
  readonly tool_version: string;
  readonly findings: readonly Omit<DoctorFinding, "exitCode">[];
}

export function diagnosisJson({ url, findings, scopes, requests }: Diagnosis): string {
  const document: DoctorDocument = {
    type: "driftline.doctor",
    schema_version: 1,
    tool_version: version,
    url,
    findings: findings.map(({ exitCode: _exitCode, ...finding }) => ({ ...finding, fix: fixText(finding) })),
    scopes,
    requests,
  };
  return safeJson(document);
}

function fixText({ fix, command }: Pick<DoctorFinding, "fix" | "command">): string | null {
  return fix === null ? null : withCommand(fix, command);
}

function permissionsText(permissions: readonly string[]): string {
  return permissions.length === 0 ? "none" : permissions.join(", ");
}

/** Each finding as a line of text, and its fix below it. */
export function findingLines(findings: readonly DoctorFinding[], width: number | undefined): readonly string[] {
  return findings.flatMap((finding) => {
    const { check, subject, status, message } = finding;
    const fix = fixText(finding);
    const what = subject === null ? check : `${check} ${subject}`;
    const line = wrapped(status.padEnd(9), `${sanitize(what)}: ${sanitize(message)}`, width);
    return fix === null ? [line] : [line, wrapped("         fix: ", sanitize(fix), width)];
  });
}

function wrapped(lead: string, text: string, width: number | undefined): string {
  if (width === undefined) return lead + text;
  return lead + wrapLine(" ".repeat(lead.length) + text, width, 13).slice(lead.length);
}

/** @param width the columns of the terminal; undefined if it is none, then each text is one line */
export function diagnosisText({ findings, scopes, requests }: Diagnosis, width: number | undefined): string {
  const needed =
    scopes === null
      ? []
      : [
          "",
          "The minimum scopes of a key for this configuration:",
          wrapped("  to plan:  ", permissionsText(scopes.read), width),
          wrapped("  to apply: ", permissionsText(permissionsToApply(scopes)), width),
          wrapped("", "On deployed servers a scope to write includes the scope to read.", width),
        ];
  return [...findingLines(findings, width), ...needed, plural(requests, "request"), ""].join("\n");
}
