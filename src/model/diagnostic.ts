/** Something the user has to know: what is wrong, where, and what to do about it. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** Stable, machine-readable, snake_case; messages may be reworded, codes may not. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly address?: string | undefined;
  readonly file?: string | undefined;
  /** 1-based; absent for TypeScript configurations, which have a `pointer` instead. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** JSON Pointer into the configuration's tree. */
  readonly pointer?: string | undefined;
}

/** Where a piece of configuration stands. */
export type Position = Pick<Diagnostic, "file" | "line" | "column" | "pointer">;

/**
 * What a command that was asked for JSON prints where it comes to no plan, and what `validate` prints.
 * schemas/diagnostics.schema.json describes it.
 */
export interface DiagnosticsDocument {
  readonly type: "driftline.diagnostics";
  readonly schema_version: 1;
  readonly tool_version: string;
  /** The command that was run, such as `plan`. */
  readonly command: string;
  readonly exit_code: number;
  /** Nothing is planned: there for readers that go through the changes of every document. */
  readonly changes: readonly [];
  readonly diagnostics: readonly Diagnostic[];
}
