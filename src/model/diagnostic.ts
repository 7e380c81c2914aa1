import { type CommandWords, type Hint, hintFields } from "./command.ts";

/** A problem that is reported to the user, with its position and a hint. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** Stable, machine-readable, snake_case; messages may be reworded, codes may not. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Does what the hint says, and stands at its end. */
  readonly command?: CommandWords | undefined;
  readonly address?: string | undefined;
  readonly file?: string | undefined;
  /** Starts at 1. A value that a TypeScript configuration computes has no place in it, and a `pointer` instead. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** JSON Pointer into the configuration's tree. */
  readonly pointer?: string | undefined;
}

/** The position of a part of the configuration. */
export type Position = Pick<Diagnostic, "file" | "line" | "column" | "pointer">;

/** What a warning says. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly hint?: Hint | undefined;
}

/** A warning about what is declared at an address. */
export function warningAt(
  { address, position }: { readonly address: string; readonly position?: Position | undefined },
  { code, message, hint }: Warning,
): Diagnostic {
  return { severity: "warning", code, message, ...hintFields(hint), address, ...position };
}

/**
 * The document that `validate` prints with `--format json`, and every other command that fails before it has a plan.
 * schemas/diagnostics.schema.json describes it.
 */
export interface DiagnosticsDocument {
  readonly type: "driftline.diagnostics";
  readonly schema_version: 1;
  readonly tool_version: string;
  /** The command that was run, such as `plan`. */
  readonly command: string;
  readonly exit_code: number;
  /** Always empty. It exists for readers that loop over the changes of every document. */
  readonly changes: readonly [];
  readonly diagnostics: readonly Diagnostic[];
}
