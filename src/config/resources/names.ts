/** Whether a name can be part of an address. White space includes line breaks. \p{C} matches control and invisible characters. */
export function isName(text: string): boolean {
  return text !== "" && !/[/\s\p{C}]/u.test(text);
}

export const NAME_HINT = "Use letters, digits, dots, dashes and underscores.";
