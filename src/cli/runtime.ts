import type { ClientOptions, Clock } from "../api/client.ts";
import type { Redactor } from "../api/redact/redact.ts";
import type { Invocation } from "./invocation.ts";

/** The part of the process that a command reads. Commands never read globals. */
export interface Environment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP that is caught. */
  readonly signal: AbortSignal;
  /**
   * For a command that has to wind something up, such as requests in flight: from now on the first signal aborts `signal` and
   * prints the notice. Before, any signal ends the process.
   */
  readonly catchSignals: (notice: string) => void;
  /** Replaces the client's own connections, in tests. */
  readonly dispatcher?: ClientOptions["dispatcher"];
}

/** How a question is asked. */
export interface QuestionForm {
  /** Whether the answer is a secret. The terminal shows nothing of it. */
  readonly hidden?: boolean;
}

/** The output channels of a command, and its prompt. */
export interface Output {
  /** Whether stdout is a terminal. */
  readonly terminal: boolean;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** The columns of the terminal on stderr; undefined if stderr is not a terminal. */
  readonly errColumns?: number | undefined;
  readonly color: { readonly stdout: boolean; readonly stderr: boolean };
  /** Whether stdout is a terminal that shows links. */
  readonly hyperlinks?: boolean;
  /** The width of stdout in columns, if it is a terminal; else what the variable COLUMNS says. */
  readonly columns?: number | undefined;
  /** Whether only the final line and errors are printed. */
  readonly quiet?: boolean;
  /** Whether everything on stderr is a line of JSON. */
  readonly jsonLines?: boolean;
  /** Writes text to stdout. Secrets are redacted. */
  readonly out: (text: string) => void;
  /** Writes progress and diagnostics to stderr. Secrets are redacted. */
  readonly err: (text: string) => void;
  /**
   * Writes a JSON document as it is. Its values are redacted already: redacting the text would damage numbers, hashes
   * and constants.
   */
  readonly raw: (stream: "stdout" | "stderr", text: string) => void;
  /** Replaces the status line. Absent if stderr is no terminal. */
  readonly status?: ((text: string) => void) | undefined;
  /** Asks on the terminal. Returns undefined if the input ended, or if the run was interrupted. */
  readonly ask: (question: string, form?: QuestionForm) => Promise<string | undefined>;
  /** Sets what is reported if a second interrupt stops the process at once. */
  readonly onStop: (report: (() => void) | undefined) => void;
}

/** Everything that a command line needs from its process. */
export interface Process extends Environment, Output {}

/** Everything that a command needs. */
export interface Runtime extends Process {
  readonly invocation: Invocation;
}
