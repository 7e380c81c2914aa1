import { EXIT, worst, type ExitCode } from "../../exit-codes.ts";

export type FindingStatus = "ok" | "warning" | "error" | "unknown";

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
