import type { Diagnostic } from "../model/diagnostic.ts";
import { type TreePosition, positionOf } from "./tree/tree.ts";

/** What a message says beyond its place. */
export type ProblemDetail = Pick<Diagnostic, "code" | "message" | "hint" | "address">;

/** Collects everything that is wrong, so that all of it is shown at once. */
export interface Problems {
  /** Gives undefined, so that one who fails can say so and return in one breath. */
  readonly error: (place: TreePosition, remark: ProblemDetail) => undefined;
  readonly warning: (place: TreePosition, remark: ProblemDetail) => void;
  /** For what has no place in a file, or none that a {@link TreePosition} can say. */
  readonly add: (diagnostic: Diagnostic) => void;
  readonly list: () => readonly Diagnostic[];
}

/** An empty collection. What YAML aliases repeat is kept once. */
export function collectProblems(): Problems {
  const found = new Map<string, Diagnostic>();
  const add = (diagnostic: Diagnostic): undefined => {
    const key = JSON.stringify({ ...diagnostic, address: undefined });
    if (!found.has(key)) found.set(key, diagnostic);
  };
  return {
    add,
    error: (place, remark) => add(diagnosticAt("error", place, remark)),
    warning: (place, remark) => add(diagnosticAt("warning", place, remark)),
    list: () => [...found.values()].toSorted(byPosition),
  };
}

function diagnosticAt(severity: Diagnostic["severity"], place: TreePosition, remark: ProblemDetail): Diagnostic {
  const { code, message, hint, address } = remark;
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

/** Orders text by its code units, the same everywhere. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
