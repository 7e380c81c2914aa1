import type { Diagnostic } from "../model/diagnostic.ts";
import { type TreePosition, positionOf } from "./tree/tree.ts";

/** A diagnostic without its severity and position. */
export type ProblemDetail = Pick<Diagnostic, "code" | "message" | "hint" | "address">;

/** A warning about a declared field that matters only sometimes. */
export interface FieldWarning {
  readonly diagnostic: Diagnostic;
  /** The field of the resource. */
  readonly field: string;
  readonly shown: ShownWhen;
}

/** When a warning about a field is shown. */
export interface ShownWhen {
  /**
   * When a plan shows it: if it writes the field, because a service has accepted what is live, or only if it creates the
   * object, because an update keeps what is not declared.
   */
  readonly plan: "if_written" | "if_created" | "never";
  /** Whether `validate` shows it without `--verbose`. */
  readonly validate: boolean;
}

/** Collects all errors and warnings, so that they are reported together. */
export interface Problems {
  /** Returns undefined, so a caller can report an error and return in one statement. */
  readonly error: (place: TreePosition, detail: ProblemDetail) => undefined;
  readonly warning: (place: TreePosition, detail: ProblemDetail) => void;
  readonly fieldWarning: (place: TreePosition, field: string, detail: ProblemDetail, shown: ShownWhen) => void;
  /** Adds a diagnostic that has no position in a file, or one that a {@link TreePosition} cannot express. */
  readonly add: (diagnostic: Diagnostic) => void;
  readonly list: () => readonly Diagnostic[];
  readonly fieldWarnings: () => readonly FieldWarning[];
}

/**
 * Makes an empty collection. It drops repeated errors, because YAML aliases repeat them. A warning is kept for each resource,
 * because a plan may be limited to some of them.
 */
export function collectProblems(): Problems {
  const found = new Map<string, Diagnostic>();
  const fieldWarnings = new Map<string, FieldWarning>();
  const add = (diagnostic: Diagnostic): undefined => {
    const isError = diagnostic.severity === "error";
    const key = JSON.stringify(isError ? { ...diagnostic, address: undefined } : diagnostic);
    if (!found.has(key)) found.set(key, diagnostic);
  };
  return {
    add,
    error: (place, detail) => add(diagnosticAt("error", place, detail)),
    warning: (place, detail) => add(diagnosticAt("warning", place, detail)),
    fieldWarning: (place, field, detail, shown) => {
      const diagnostic = diagnosticAt("warning", place, detail);
      fieldWarnings.set(JSON.stringify(diagnostic), { diagnostic, field, shown });
    },
    list: () => [...found.values()].toSorted(byPosition),
    fieldWarnings: () =>
      [...fieldWarnings.values()].toSorted((left, right) => byPosition(left.diagnostic, right.diagnostic)),
  };
}

function diagnosticAt(severity: Diagnostic["severity"], place: TreePosition, detail: ProblemDetail): Diagnostic {
  const { code, message, hint, address } = detail;
  const known = { ...(hint === undefined ? {} : { hint }), ...(address === undefined ? {} : { address }) };
  return { severity, code, message, ...known, ...positionOf(place) };
}

function byPosition(left: Diagnostic, right: Diagnostic): number {
  return (
    compareText(left.file ?? "", right.file ?? "") ||
    (left.line ?? 0) - (right.line ?? 0) ||
    (left.column ?? 0) - (right.column ?? 0) ||
    compareText(left.pointer ?? "", right.pointer ?? "") ||
    compareText(left.code, right.code) ||
    compareText(left.message, right.message)
  );
}

/** Compares texts by code units, so the order does not depend on the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
