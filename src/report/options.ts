import type { CommandWords } from "../model/command.ts";

/** The form of a report. */
export type Format = "text" | "json" | "markdown" | "html";

/** What the caller decides about a report. */
export interface RenderOptions {
  /** Whether to use ANSI colours (text only). */
  readonly color: boolean;
  /** Whether the terminal shows links (text only). */
  readonly hyperlinks?: boolean | undefined;
  /** Columns of the terminal, from 60 to 200 (text only); the default is 100. */
  readonly width?: number | undefined;
  /** Whether unmanaged objects are listed instead of only counted. */
  readonly unmanaged?: boolean | undefined;
  /**
   * Whether all details are listed: equal changes, equal warnings and skipped changes one by one, warnings with their places and
   * without a limit, and live keys that are neither declared nor compared.
   */
  readonly verbose?: boolean | undefined;
  /** When the report was made, for its header (HTML only). */
  readonly madeAt?: Date | undefined;
  /** The commit of the configuration, for its header (HTML only). */
  readonly commit?: string | undefined;
  /** One more line at the end, such as "12 requests". */
  readonly footer?: string | undefined;
  /** Whether the effects of a plan are shown, if it has them (not in JSON, which has all). Default: they are. */
  readonly effect?: boolean | undefined;
  /** How much of the text is wanted: all of it, no details of changes, or only the last line. Default: all of it. */
  readonly detail?: "summary" | "line" | undefined;
  /** Whether each outcome was reported as it became known, so that only the rest is missing (text only). */
  readonly outcomesAlreadyPrinted?: boolean | undefined;
  /** Adds the arguments of the run to a command that the report suggests. By default the command stays as it is. */
  readonly toRunnable?: ((words: CommandWords) => CommandWords) | undefined;
  /** The file that the plan was saved in (text only). */
  readonly savedAs?: string | undefined;
  /**
   * Whether the fields of a drift are shown as its acceptance changes the files: from the declared value to the live one. By default
   * they are shown as an apply would change the service. Not in JSON.
   */
  readonly accepts?: boolean | undefined;
  /** False if the caller reports the next steps itself, as a prompt does. */
  readonly showsNextSteps?: boolean | undefined;
}
