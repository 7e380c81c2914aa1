import { ApiError } from "../../api/errors/errors.ts";
import { ChangeError, isKnownFailure } from "../change-error.ts";

/**
 * Runs the steps after a successful write. If one of them fails, the change is unverified, because the write itself was
 * accepted. A step with an unknown outcome stays unknown.
 */
export async function runAfterWrite<T>(id: string, written: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChangeError && (error.status === "unverified" || error.status === "unknown")) throw error;
    if (!isKnownFailure(error)) throw error;
    const code = error instanceof ApiError ? (error.code ?? error.kind) : error.code;
    const reason = isRefusedWrite(error) ? `the service refused the next request: ${error.message}` : error.message;
    throw new ChangeError("unverified", code, `${written}: ${reason}`, { hint: error.hint, id });
  }
}

function isRefusedWrite(error: ApiError | ChangeError): boolean {
  return error instanceof ApiError && error.method !== "GET" && error.tookEffect === "no" && error.status !== null;
}
