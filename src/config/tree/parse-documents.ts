import { type Document, type LineCounter, parseAllDocuments } from "yaml";

/**
 * The documents of a YAML text, with their errors; none if it has only comments. An edit relies on the same positions and values as the
 * load, so both call this.
 *
 * @param options the counter gets the starts of the lines; an edit also needs the tokens of the text
 */
export function parseDocuments(
  text: string,
  options: { readonly lineCounter?: LineCounter; readonly keepSourceTokens?: true } = {},
): readonly Document.Parsed[] {
  const parsed = parseAllDocuments(text, {
    version: "1.2",
    schema: "core",
    merge: true,
    // Duplicate keys are reported during conversion, with both positions.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    ...options,
  });
  return Array.isArray(parsed) ? parsed : [];
}
