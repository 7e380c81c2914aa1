import { safeJson, sanitize } from "../../../report/escape.ts";
import { toolVersion } from "../../version.ts";
import type { Check, Finding, FindingStatus } from "./finding.ts";
import type { NeededScopes } from "./needs.ts";

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
