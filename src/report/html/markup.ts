/**
 * HTML that cannot be broken out of.
 *
 * Premise: names, values and messages come from strangers, and the report is opened by people with rights.
 * Algorithm: every text that is put into {@link markup} is sanitized and escaped. Only its result is taken as it is, and that is
 * an object of a class, so no text and no value of a document can pass for it. Attributes are written in double quotes.
 */
import { own } from "../../model/json/json.ts";
import { pasteable, type Step } from "../command.ts";
import { sanitize } from "../../model/text/quote.ts";

/** A piece of HTML. Only this file makes one. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What can be put into HTML. A list is put in piece by piece. */
type MarkupPart = string | number | Markup | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/**
 * Makes HTML from a template. Invisible characters of its values become visible escapes, and no value becomes a tag.
 *
 * @example
 * markup`<code>${change.address}</code>`;
 */
export function markup(template: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(template.map((text, index) => text + textOf(parts[index] ?? "")).join(""));
}

/** Pieces of HTML with something between them. */
export function joinMarkup(pieces: readonly Markup[], between: Markup): Markup {
  return new Markup(pieces.map(({ text }) => text).join(between.text));
}

/** An address or a URL. A narrow page breaks it after a slash, a dot or an @, and not in the middle of a name. */
export function breakable(address: string): Markup {
  return joinMarkup(
    address.split(/(?<=[./@])/u).map((name) => markup`${name}`),
    markup`<wbr>`,
  );
}

/** A sentence with its command at its end. Only that becomes code that is to be copied. */
export function sentence({ text, command }: Step): Markup {
  if (command === undefined) return markup`${text}`;
  return markup`${text}${text === "" ? "" : " "}<code>${pasteable(command)}</code>`;
}

function textOf(part: MarkupPart): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return sanitize(String(part)).replaceAll(/[&<>"'`]/g, (character) => own(ENTITIES, character) ?? "");
}
