/** What an error says. Programs may throw anything. */
export function errorReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The hint of an error that driftline itself has made. */
export const BUG_HINT = "This is a bug in driftline. Please report it with the command that you ran.";
