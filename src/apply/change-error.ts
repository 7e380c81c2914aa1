import { ApiError } from "../api/errors/errors.ts";
import type { Hint } from "../model/command.ts";

/** Why a change did not end as applied. */
export class ChangeError extends Error {
  readonly status: "failed" | "skipped" | "unverified" | "unknown";
  readonly code: string;
  readonly hint: Hint;
  readonly id: string | null;
  readonly paths: readonly string[] | undefined;
  constructor(
    status: ChangeError["status"],
    code: string,
    message: string,
    { hint, id = null, paths }: ChangeErrorDetails,
  ) {
    super(message);
    this.name = "ChangeError";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.id = id;
    this.paths = paths;
  }
}

/** What is known about a failed change besides its message. */
interface ChangeErrorDetails {
  readonly hint: Hint;
  /** The object, if it exists by now. */
  readonly id?: string | null | undefined;
  /** JSON Pointers of the declared fields that the error is about. */
  readonly paths?: readonly string[] | undefined;
}

/** Whether something is known to have failed. Any other error is a defect of driftline, and says nothing about the service. */
export function isKnownFailure(error: unknown): error is ApiError | ChangeError {
  return error instanceof ApiError || error instanceof ChangeError;
}
