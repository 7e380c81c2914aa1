import type { ClientOptions, Clock } from "../api/client.ts";
import type { Redactor } from "../api/redact/redact.ts";

/** The world of a command: nothing in the command line's code reads a global. */
export interface Runtime {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Takes what is to be said when a second interrupt stops the process at once; undefined where that is nothing. */
  readonly onStop: (say: (() => void) | undefined) => void;
  /** Whether results are written to a terminal, which acts upon what it is sent. */
  readonly terminal: boolean;
  /** Whether somebody can be asked. */
  readonly interactive: boolean;
  readonly color: { readonly stdout: boolean; readonly stderr: boolean };
  /** Results. Secrets are taken out of whatever is written. */
  readonly out: (text: string) => void;
  /**
   * What is without secrets already, as it is: JSON of values that are (redacted.ts), since taken out of its text they would
   * tear numbers and hashes, and what has to be exact.
   */
  readonly raw: (stream: "stdout" | "stderr", text: string) => void;
  /** Progress and diagnostics. */
  readonly err: (text: string) => void;
  /** Whether progress and diagnostics are lines of JSON. */
  readonly lines?: boolean;
  /** Overwrites the last such line; only where stderr is a terminal. */
  readonly status: (text: string) => void;
  /** In place of connections of its own. */
  readonly dispatcher?: ClientOptions["dispatcher"];
  /** Asks on the terminal; undefined where the input ended. */
  readonly ask: (question: string) => Promise<string | undefined>;
}
