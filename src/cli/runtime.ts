import type { Clock } from "../api/client.ts";
import type { Redactor } from "../api/redact.ts";

/** The world of a command: nothing in the command line's code reads a global. */
export interface Runtime {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Whether somebody can be asked. */
  readonly interactive: boolean;
  readonly color: { readonly stdout: boolean; readonly stderr: boolean };
  /** Results. Secrets are taken out of whatever is written. */
  readonly out: (text: string) => void;
  /** Progress and diagnostics. */
  readonly err: (text: string) => void;
  /** Overwrites the last such line; only where stderr is a terminal. */
  readonly status: (text: string) => void;
  /** Asks on the terminal; undefined where the input ended. */
  readonly ask: (question: string) => Promise<string | undefined>;
}
