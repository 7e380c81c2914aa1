import type { Diagnostic } from "../model/diagnostic.ts";
import { type TreePosition, positionOf } from "./tree/tree.ts";

/** A diagnostic without its severity and position. */
export type ProblemDetail = Pick<Diagnostic, "code" | "message" | "hint" | "address">;

/** Collects all errors and warnings, so that they are reported together. */
export interface Problems {
  /** Returns undefined, so a caller can report an error and return in one statement. */
  readonly error: (place: TreePosition, detail: ProblemDetail) => undefined;
  readonly warning: (place: TreePosition, detail: ProblemDetail) => void;
  /** Adds a diagnostic that has no position in a file, or one that a {@link TreePosition} cannot express. */
  readonly add: (diagnostic: Diagnostic) => void;
  readonly list: () => readonly Diagnostic[];
}

/** Makes an empty collection. It drops duplicates, because YAML aliases repeat the same error. */
export function collectProblems(): Problems {
  const found = new Map<string, Diagnostic>();
  const add = (diagnostic: Diagnostic): undefined => {
    const key = JSON.stringify({ ...diagnostic, address: undefined });
    if (!found.has(key)) found.set(key, diagnostic);
  };
  return {
    add,
    error: (place, detail) => add(diagnosticAt("error", place, detail)),
    warning: (place, detail) => add(diagnosticAt("warning", place, detail)),
    list: () => [...found.values()].toSorted(byPosition),
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
