/** Hints for what a person probably meant, which several checks give. */
import { isEmail } from "../model/email.ts";
import { type Node, shorten, shownNode, writtenText } from "./tree/tree.ts";

/** The hint for a text or a number where a mapping is expected: as the value of the field that was probably meant. */
export function mappingHint(node: Node, field: string | undefined): string | undefined {
  const text = writtenText(shownNode(node));
  if (text === undefined) return undefined;
  const glued = gluedKeyHint(text);
  if (glued !== undefined) return glued;
  return field === undefined ? undefined : `Write { ${field}: ${field === "id" ? shorten(text) : asYaml(text)} }.`;
}

/** The hint for `name:Acme`, which YAML reads as one text; undefined for other texts. */
export function gluedKeyHint(text: string): string | undefined {
  const [, key, value] = /^([A-Za-z_]\w*):((?!\/\/)\S.*)$/u.exec(text) ?? [];
  return key === undefined ? undefined : `Write a space after the colon: ${key}: ${shorten(value)}`;
}

/** A text as it is written inside of brackets in YAML. */
export function asYaml(text: string): string {
  const short = shorten(text);
  const isPlain =
    !/^(?:true|false|null)$/iu.test(short) && /^\p{L}(?:[\p{L}\p{N}_ @./+-]*[\p{L}\p{N}_])?$/u.test(short);
  return isPlain ? short : JSON.stringify(short);
}

/** The hint for an e-mail address that is one without the blanks in it. */
export function blankHint(text: string): string | undefined {
  const bare = text.replaceAll(/\s/gu, "");
  return bare !== text && isEmail(bare) ? `Remove the blank: ${shorten(bare)}` : undefined;
}

/** What to do about a block that stands twice under one name. */
export const COPIED = "Remove one of them. If it is a copy, give it a key and a name of its own, and take out its id.";
