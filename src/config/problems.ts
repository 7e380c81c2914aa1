import { compareNaturally, compareText } from "../model/compare-text.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Member, type Node, positionOf, secretsIn, type TreePosition } from "./tree/tree.ts";

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
    compareNaturally(left.file ?? "", right.file ?? "") ||
    (left.line ?? 0) - (right.line ?? 0) ||
    (left.column ?? 0) - (right.column ?? 0) ||
    compareNaturally(left.pointer ?? "", right.pointer ?? "") ||
    compareText(left.code, right.code) ||
    compareText(left.message, right.message)
  );
}

/** A resource, and where its problems are collected. */
export interface ResourceProblems {
  readonly address: string;
  readonly problems: Problems;
}

/** Reports an error in the resource. */
export function failAt(
  { address, problems }: ResourceProblems,
  place: TreePosition,
  detail: Omit<ProblemDetail, "address">,
): undefined {
  return problems.error(place, { ...detail, address });
}

/** For values that the service may refuse or ignore. */
export const MAY_BE_REFUSED: ShownWhen = { plan: "if_written", validate: true };

/** Reports a warning about a field of the resource that matters only sometimes. */
export function warnAboutField(
  { address, problems }: ResourceProblems,
  { place, field, shown }: { readonly place: TreePosition; readonly field: string; readonly shown: ShownWhen },
  detail: Omit<ProblemDetail, "address">,
): void {
  problems.fieldWarning(place, field, { ...detail, address }, shown);
}

/** Rejects a secret if its value is needed before the request is sent. Returns whether there was one. */
export function rejectSecrets(node: Node, what: string, problems: Problems, address?: string): boolean {
  const [first] = secretsIn(node);
  if (first === undefined) return false;
  const message = `a secret cannot be used in ${what}`;
  const hint = "Use ${var:...} or ${env:...}, because this value is needed before secrets are read.";
  problems.error(first, { code: "secret_not_allowed", message, hint, address });
  return true;
}

/** With more duplicates, one of two files is a copy of the other, such as an old export. */
const MOST_SINGLE = 5;

interface Duplicate {
  readonly again: TreePosition;
  readonly detail: ProblemDetail;
}

/** Collects what one section of a document, such as an organization, declares again. */
export class Duplicates {
  readonly #section: Member;
  readonly #byFile = new Map<string, Duplicate[]>();

  /** @param section the key of the section, such as `acme` */
  constructor(section: Member) {
    this.#section = section;
  }

  add(again: TreePosition, first: TreePosition, detail: ProblemDetail): void {
    const { file } = first.source;
    this.#byFile.set(file, [...(this.#byFile.get(file) ?? []), { again, detail }]);
  }

  /** Reports each of them, or the two files if they have most of the section in common. */
  report(problems: Problems): void {
    for (const [file, found] of this.#byFile) {
      if (file !== this.#section.source.file && found.length > MOST_SINGLE)
        reportCopy(this.#section, file, found, problems);
      else for (const { again, detail } of found) problems.error(again, detail);
    }
  }
}

function reportCopy(section: Member, file: string, found: readonly Duplicate[], problems: Problems): void {
  const { key } = section;
  problems.error(section, {
    code: "duplicate_organization",
    message: `${file} declares the organization ${key} too: ${String(found.length)} of its fields and resources are in both files`,
    hint: "Remove one of the two files if it is a copy, such as an old export, or move it out of the folder.",
    address: key,
  });
}
