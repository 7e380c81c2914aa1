import { styleText } from "node:util";
import type { RenderOptions } from "../options.ts";

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
