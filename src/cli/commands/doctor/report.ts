import { safeJson, sanitize } from "../../../report/escape.ts";
import { toolVersion } from "../../runtime.ts";
import type { NeededScopes } from "./scopes.ts";
import { EXIT, worst, type ExitCode } from "../../exit-codes.ts";

type FindingStatus = "ok" | "warning" | "error" | "unknown";

/** What was looked at, in the order of the report. Stable names: scripts look for them. */
export type Check =
  | "version"
  | "configuration"
  | "secret"
  | "url"
  | "key"
  | "reachable"
  | "tls"
  | "clock"
  | "key_accepted"
  | "scope"
  | "declared"
  | "write_scope"
  | "page_size"
  | "rate_limit";

/** One thing that was found out. */
export interface Finding {
  readonly check: Check;
  /** What it is about, where a check is made several times: the name of a scope, an address. */
  readonly subject: string | null;
  readonly status: FindingStatus;
  readonly message: string;
  /** What to do about it; null where there is nothing to do. */
  readonly fix: string | null;
  /** What an error comes to; 1 by default. */
  readonly exitCode?: ExitCode;
}

/** What is right. */
export function ok(check: Check, message: string, subject: string | null = null): Finding {
  return { check, subject, status: "ok", message, fix: null };
}

/** The code of the worst finding: only errors count. */
export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  return worst(findings.flatMap(({ status, exitCode }) => (status === "error" ? [exitCode ?? EXIT.error] : [])));
}

/** What `doctor --format json` prints. schemas/doctor.schema.json describes it. */
export interface DoctorDocument {
  readonly type: "driftline.doctor";
  readonly schema_version: 1;
  readonly tool_version: string;
  readonly url: string | null;
  readonly findings: readonly {
    readonly check: Check;
    readonly subject: string | null;
    readonly status: FindingStatus;
    readonly message: string;
    readonly fix: string | null;
  }[];
  /** What the configuration needs; null without one. */
  readonly scopes: NeededScopes | null;
  readonly requests: number;
}

/** Everything that was found out. */
export interface Diagnosis {
  readonly url: string | null;
  readonly findings: readonly Finding[];
  readonly scopes: NeededScopes | undefined;
  readonly requests: number;
}

/** The findings, for people or for machines. */
export function renderDiagnosis(diagnosis: Diagnosis, format: "text" | "json"): string {
  return format === "json" ? jsonOf(diagnosis) : textOf(diagnosis);
}

function jsonOf({ url, findings, scopes, requests }: Diagnosis): string {
  const document: DoctorDocument = {
    type: "driftline.doctor",
    schema_version: 1,
    tool_version: toolVersion(),
    url,
    findings: findings.map(({ check, subject, status, message, fix }) => ({ check, subject, status, message, fix })),
    scopes: scopes ?? null,
    requests,
  };
  return `${safeJson(document)}\n`;
}

function textOf({ findings, scopes, requests }: Diagnosis): string {
  const lines = findings.flatMap(({ check, subject, status, message, fix }) => {
    const what = subject === null ? check : `${check} ${subject}`;
    const line = `${status.padEnd(7)}  ${sanitize(what)}: ${sanitize(message)}`;
    return fix === null ? [line] : [line, `         fix: ${sanitize(fix)}`];
  });
  const needed =
    scopes === undefined
      ? []
      : ["", `The configuration needs these scopes: ${[...scopes.read, ...scopes.write].join(", ")}.`];
  return [...lines, ...needed, `${String(requests)} requests`, ""].join("\n");
}
