import type { RenderOptions } from "./options.ts";

/** Makes a text a link to a page, if there is one. */
export type Linker = (text: string, page: string | undefined) => string;

/** A text is a link only on a terminal that has links. OSC 8 is the escape sequence for it. */
export function linker({ hyperlinks = false }: Pick<RenderOptions, "hyperlinks">): Linker {
  return (text, page) => (hyperlinks && page !== undefined ? `\u001B]8;;${page}\u0007${text}\u001B]8;;\u0007` : text);
}

/** The text as it is read. Node's own function takes some addresses for text. */
export function withoutLinks(text: string): string {
  // oxlint-disable-next-line no-control-regex -- it is what a link is made of
  return text.replaceAll(/\u001B\]8;;[^\u0007]*\u0007/gu, "");
}
