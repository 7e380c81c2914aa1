/** The form of a report. */
export type Format = "text" | "json" | "markdown" | "html";

/** What the caller decides about a report. */
export interface RenderOptions {
  /** Whether to use ANSI colours (text only). */
  readonly color: boolean;
  /** Columns of the terminal; the default is 100. */
  readonly width?: number | undefined;
  /** Whether unmanaged objects are listed instead of only counted. */
  readonly unmanaged?: boolean | undefined;
  /** Whether live keys are listed that are neither declared nor compared. */
  readonly more?: boolean | undefined;
  /** Whether each warning is listed with its place. Otherwise equal warnings are grouped, and their number is limited. */
  readonly verbose?: boolean | undefined;
  /** One more line at the end, such as "12 requests". */
  readonly footer?: string | undefined;
  /** False if the caller reports the next steps itself, as a prompt does. */
  readonly next?: boolean | undefined;
}
