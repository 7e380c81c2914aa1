/** How a name is read, so that two that look alike are equal. */
import { domainToUnicode } from "node:url";
import { TAKEN_FOR } from "../../model/text/confusable.ts";
import { own } from "../../model/json/json.ts";

/** Addresses are compared in lower case. */
const SMALL = new Map(Array.from(TAKEN_FOR, ([letter, ascii]) => [letter.toLowerCase(), ascii.toLowerCase()]));

/** Latin letters that are read as others. */
const READ_AS: Readonly<Record<string, string>> = { rn: "m", vv: "w", cl: "d", "0": "o", "1": "l", i: "l" };

/** What an e-mail address, or a domain, is read as. Two that look alike have one form. */
export function asRead(name: string): string {
  const at = name.lastIndexOf("@") + 1;
  const domain = name.slice(at);
  const text = (name.slice(0, at) + (domainToUnicode(domain) || domain)).normalize("NFKC").toLowerCase();
  return text
    .replaceAll(/\P{ASCII}/gu, (letter) => SMALL.get(letter) ?? letter)
    .replaceAll(/rn|vv|cl|[01i]/gu, (letters) => own(READ_AS, letters) ?? letters);
}
