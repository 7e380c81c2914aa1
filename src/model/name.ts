/** A part of an address. White space includes line breaks. \p{C} matches control and invisible characters. */
export const NAME_PATTERN = String.raw`^[^/\s\p{C}]+$`;

const NAME = new RegExp(NAME_PATTERN, "u");

export function isName(text: string): boolean {
  return NAME.test(text);
}

export const NAME_HINT = "Use letters, digits, dots, dashes and underscores.";
