import { compareNaturally, compareText } from "../model/compare-text.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { describeNode, type Node, positionOf, secretsIn, type TreePosition } from "./tree/tree.ts";

/** A diagnostic without its severity, address and position. */
export type ProblemDetail = Pick<Diagnostic, "code" | "message" | "hint">;

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

/** Takes secrets out of a text that is in a file, or that a program has said: then it may be any of the environment. */
export type Conceal = (text: string, isOfProgram?: boolean) => string;

interface ProblemsOptions {
  /** Of the resource or the scope that the problems are about. */
  readonly address?: string | undefined;
  readonly conceal?: Conceal | undefined;
  readonly found?: Map<string, Diagnostic>;
  readonly fieldWarnings?: Map<string, FieldWarning>;
}

/**
 * Collects all errors and warnings, so that they are reported together. It drops repeated errors, because YAML aliases repeat
 * them. A warning is kept for each resource, because a plan may be limited to some of them.
 */
export class Problems {
  readonly #address: string | undefined;
  readonly #found: Map<string, Diagnostic>;
  readonly #fieldWarnings: Map<string, FieldWarning>;
  /** Takes secrets out of what a message quotes. */
  readonly conceal: Conceal | undefined;

  constructor({ address, conceal, found = new Map(), fieldWarnings = new Map() }: ProblemsOptions = {}) {
    this.#address = address;
    this.#found = found;
    this.#fieldWarnings = fieldWarnings;
    this.conceal = conceal;
  }

  /** The same collection, for the problems of a resource or a scope. */
  of(address: string): Problems {
    const { conceal } = this;
    return new Problems({ address, conceal, found: this.#found, fieldWarnings: this.#fieldWarnings });
  }

  /** Returns undefined, so a caller can report an error and return in one statement. */
  error(place: TreePosition, detail: ProblemDetail): undefined {
    this.add(this.#diagnosticAt("error", place, detail));
  }

  warning(place: TreePosition, detail: ProblemDetail): void {
    this.add(this.#diagnosticAt("warning", place, detail));
  }

  /** Adds a warning about a field that matters only sometimes. */
  fieldWarning(place: TreePosition, detail: ProblemDetail, { field, shown }: Omit<FieldWarning, "diagnostic">): void {
    const diagnostic = this.#diagnosticAt("warning", place, detail);
    this.#fieldWarnings.set(JSON.stringify(diagnostic), { diagnostic, field, shown });
  }

  /** Adds a diagnostic that has no position in a file, or one that a {@link TreePosition} cannot express. */
  add(diagnostic: Diagnostic): void {
    const isError = diagnostic.severity === "error";
    const key = JSON.stringify(isError ? { ...diagnostic, address: undefined } : diagnostic);
    if (!this.#found.has(key)) this.#found.set(key, diagnostic);
  }

  list(): readonly Diagnostic[] {
    return [...this.#found.values()].toSorted(byPosition);
  }

  fieldWarnings(): readonly FieldWarning[] {
    return [...this.#fieldWarnings.values()].toSorted((left, right) => byPosition(left.diagnostic, right.diagnostic));
  }

  #diagnosticAt(severity: Diagnostic["severity"], place: TreePosition, detail: ProblemDetail): Diagnostic {
    const { code } = detail;
    const { conceal = (text: string) => text } = place.source;
    const message = conceal(detail.message);
    const hint = detail.hint === undefined ? undefined : conceal(detail.hint);
    const address = this.#address;
    const details = { ...(hint === undefined ? {} : { hint }), ...(address === undefined ? {} : { address }) };
    return { severity, code, message, ...details, ...positionOf(place) };
  }
}

function byPosition(left: Diagnostic, right: Diagnostic): number {
  return (
    compareNaturally(left.file ?? "", right.file ?? "") ||
    (left.line ?? 0) - (right.line ?? 0) ||
    (left.column ?? 0) - (right.column ?? 0) ||
    compareNaturally(left.pointer ?? "", right.pointer ?? "") ||
    compareText(left.code, right.code) ||
    compareText(left.message, right.message)
  );
}

/** For values that the service may refuse or ignore. */
export const MAY_BE_REFUSED: ShownWhen = { plan: "if_written", validate: true };

/** A value that is not what is expected in its place. */
export function unexpected(node: Node, expected: string, hint?: string): ProblemDetail {
  return { code: "wrong_type", message: `expected ${expected}, found ${describeNode(node)}`, hint };
}

/** Rejects a secret if its value is needed before the request is sent. Returns whether there was one. */
export function rejectSecrets(node: Node, what: string, problems: Problems): boolean {
  const [first] = secretsIn(node);
  if (first === undefined) return false;
  const message = `a secret cannot be used in ${what}`;
  const hint = "Use ${var:...} or ${env:...}, because this value is needed before secrets are read.";
  problems.error(first, { code: "secret_not_allowed", message, hint });
  return true;
}
