/** Why an operation failed, in the terms on which a caller decides what to do next. */
export type ErrorKind =
  | "auth"
  | "scope"
  | "not_found"
  | "invalid"
  | "throttled"
  | "server"
  | "timeout"
  | "network"
  | "protocol"
  | "incomplete"
  | "interrupted"
  | "write_in_read_mode";

export interface ApiErrorFields {
  readonly kind: ErrorKind;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly attr: string | null;
  readonly hint: string;
  readonly effect: "no" | "maybe";
  /** The scope that the service says the key is missing. */
  readonly missingScope?: string | undefined;
  /** One line, without secrets. */
  readonly message: string;
}

/** An operation that did not succeed. Nothing in it is taken from a body unredacted. */
export class ApiError extends Error implements ApiErrorFields {
  override readonly name = "ApiError";
  readonly kind: ErrorKind;
  /** Name of the operation, `domains.create`. */
  readonly operation: string;
  readonly method: string;
  /** Path as it was sent, without the base URL's own and without the query. */
  readonly path: string;
  /** Null where no answer arrived. */
  readonly status: number | null;
  /** The service's own error code, or that of the failure below it such as `ECONNREFUSED`. */
  readonly code: string | null;
  /** The field that the service complains about. */
  readonly attr: string | null;
  /** One line of what to do. */
  readonly hint: string;
  /**
   * Whether the request can have taken effect, over all of its tries. `no`: it certainly did not arrive or was refused.
   * `maybe`: nothing clear came back. Says the same of reads, whose effect is none: look at `method` where that matters.
   */
  readonly effect: "no" | "maybe";
  /** The scope that the service says the key is missing. Only errors of the kind `scope` have one. */
  readonly missingScope: string | undefined;

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.kind = fields.kind;
    this.operation = fields.operation;
    this.method = fields.method;
    this.path = fields.path;
    this.status = fields.status;
    this.code = fields.code;
    this.attr = fields.attr;
    this.hint = fields.hint;
    this.effect = fields.effect;
    this.missingScope = fields.missingScope;
  }
}

/** The same error, with some fields replaced. */
export function withFields(error: ApiError, fields: Partial<ApiErrorFields>): ApiError {
  const { kind, operation, method, path, status, code, attr, hint, effect, missingScope, message } = error;
  const all = { kind, operation, method, path, status, code, attr, hint, effect, missingScope, message };
  return new ApiError({ ...all, ...fields });
}

/** Text from outside as one harmless line: no control characters, no direction overrides, cut at `limit` characters. */
export function oneLine(text: string, limit: number): string {
  const [first = ""] = text.trim().split(/[\r\n\u2028\u2029]/u, 1);
  const clean = first.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "").trim();
  const characters = [...clean];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join("")}…` : clean;
}

/** Whether a service may have objected to a query that is beyond the document; deployed ones answer 500 to an unknown order. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.kind === "invalid" || error.status === 500);
}
