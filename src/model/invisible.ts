/** What cannot be seen, or makes text look like other text: controls, format characters, half characters. Not line feeds. */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Whether a text holds what has to be written as a code wherever people look at it. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

/** A text on its way to where nobody writes codes, without what cannot be seen. */
export function stripInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, "");
}

/** A text of YAML with codes in place of what cannot be seen; whatever holds any has to stand in double quotes. */
export function escapeInvisible(yaml: string): string {
  return yaml.replaceAll(INVISIBLE, (found) => {
    const code = found.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    return code > 0xff_ff ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
  });
}
