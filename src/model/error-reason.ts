/** What an error says. Programs may throw anything. */
export function errorReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
