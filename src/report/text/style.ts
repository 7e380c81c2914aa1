import { styleText } from "node:util";
import type { RenderOptions } from "../options.ts";
import { textWidth } from "../width.ts";

/** The style of a piece of text. */
export type Style = "red" | "green" | "yellow" | "cyan" | "magenta" | "bold" | "dim" | "inverse";

/** Styles text, or returns it unchanged if colours are off. */
export type Paint = (style: Style, text: string) => string;

/** The text has to be sanitized before: it is printed as it is. */
export function painter(color: boolean): Paint {
  return (style, text) => {
    if (!color || text === "") return text;
    // The caller has decided on colours, so the stream and the environment are not asked again.
    return styleText(style, text, { validateStream: false });
  };
}

const DEFAULT_WIDTH = 100;
const MIN_WIDTH = 60;
const MAX_WIDTH = 200;

/** The number of columns to lay text out in. */
export function columns({ width = DEFAULT_WIDTH }: Pick<RenderOptions, "width">): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width));
}

/** The indent of the lines below a change. */
export const INDENT = " ".repeat(8);

/** A column is as wide as its longest text. Texts longer than this stick out, so that the other rows keep their place. */
const MAX_COLUMN = 48;

/** The width of the column that holds these texts. They have to be sanitized before. */
export function columnWidth(texts: readonly string[], limit: number = MAX_COLUMN): number {
  return texts.map(textWidth).reduce((width, own) => (own <= limit ? Math.max(width, own) : width), 0);
}
