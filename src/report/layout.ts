/** How a report is written. */
export type Format = "text" | "json" | "markdown";

/** What a report does not know by itself. */
export interface RenderOptions {
  /** Whether ANSI colours are wanted (text only). */
  readonly color: boolean;
  /** Columns of the terminal; 100 where nobody knows. */
  readonly width?: number | undefined;
  /** Whether unmanaged objects are listed rather than only counted. */
  readonly unmanaged?: boolean | undefined;
  /** One more line at the end, such as "12 requests". */
  readonly footer?: string | undefined;
  /** False where the caller says itself what to do next, as a prompt does. */
  readonly next?: boolean | undefined;
}

const WIDTH = 100;
/** Nothing can be laid out in less. */
const NARROWEST = 60;

/** Columns to lay text out in. */
export function columns(options: RenderOptions): number {
  return Math.max(NARROWEST, options.width ?? WIDTH);
}

/** What stands under a change is this far in. */
export const INDENT = " ".repeat(8);

/** A column is as wide as its longest text, but longer texts than this stick out rather than push everything aside. */
const WIDEST = 48;

/** Width of the column that holds these texts. They have to be sanitized before. */
export function columnOf(texts: readonly string[], widest: number = WIDEST): number {
  return texts.reduce((width, { length }) => (length <= widest ? Math.max(width, length) : width), 0);
}
