/** How a name is read, so that two that look alike are equal. */
import { domainToUnicode } from "node:url";
import { own } from "../../model/json.ts";

/** Latin letters, and the Cyrillic and Greek ones that look like them, small or as capitals. */
const LATIN = {
  a: "аα",
  b: "вβ",
  c: "сϲ",
  d: "ԁ",
  e: "еε",
  g: "ɡ",
  h: "һн",
  i: "іιı",
  j: "јϳ",
  k: "кκ",
  l: "ӏ",
  m: "мμ",
  n: "пη",
  o: "оο",
  p: "рρ",
  q: "ԛ",
  s: "ѕ",
  t: "тτ",
  u: "υ",
  v: "ѵν",
  w: "ԝω",
  x: "хχ",
  y: "уγ",
};
const FOREIGN = new Map(Object.entries(LATIN).flatMap(([latin, others]) => [...others].map((one) => [one, latin])));

/** Latin letters that are read as others. */
const READ_AS: Readonly<Record<string, string>> = { rn: "m", vv: "w", cl: "d", "0": "o", "1": "l", i: "l" };

/** What an e-mail address, or a domain, is read as. Two that look alike have one form. */
export function asRead(name: string): string {
  const at = name.lastIndexOf("@") + 1;
  const domain = name.slice(at);
  const text = (name.slice(0, at) + (domainToUnicode(domain) || domain)).normalize("NFKC").toLowerCase();
  return text
    .replaceAll(/\P{ASCII}/gu, (letter) => FOREIGN.get(letter) ?? letter)
    .replaceAll(/rn|vv|cl|[01i]/gu, (letters) => own(READ_AS, letters) ?? letters);
}
