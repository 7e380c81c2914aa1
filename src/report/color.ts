import { styleText } from "node:util";
import type { RenderOptions } from "./options.ts";

/** The style of a piece of text. */
export type Style = "red" | "green" | "yellow" | "cyan" | "magenta" | "bold" | "dim" | "inverse";

/** Styles text, or returns it unchanged if colours are off. */
export type Paint = (style: Style, text: string) => string;

/** The text has to be sanitized before: it is printed as it is. */
export function painter({ color }: Pick<RenderOptions, "color">): Paint {
  return (style, text) => {
    if (!color || text === "") return text;
    // The caller has decided on colours, so the stream and the environment are not asked again.
    return styleText(style, text, { validateStream: false });
  };
}
