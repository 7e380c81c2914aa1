/** The look of a piece of text. */
export type Style = "red" | "green" | "yellow" | "cyan" | "magenta" | "bold" | "dim";

/** Gives text a look, or leaves it alone where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

/** The text has to be sanitized before: what is painted is printed as it is. */
export function painter(color: boolean): Paint {
  return (style, text) => {
    const [on, off] = CODES[style];
    return color && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
}
