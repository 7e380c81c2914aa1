/**
 * Secrets that give themselves away wherever they come up.
 *
 * Terms: a canary is a secret of a test; a form is a spelling under which it can turn up.
 * Premise: what is under test hides spellings that it has thought of, so these are worked out on their own, without its code.
 * Algorithm: every form of every canary is searched for in what was written, and in what that says once entities, JSON and URL
 * escapes are taken out of it. A long canary is also found by any {@link WINDOW} characters of it, as texts are cut and wrapped.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

export type Canaries = Readonly<Record<string, string>>;

/** Secrets with characters that break encoders and patterns. None is part of a text that driftline itself writes. */
export const CANARIES = {
  plain: "canary-Zq7xKw2mVt9pRb4n",
  json: 'canary"Jx\\8q/wK\tz\u00fc\u20ac"end4T',
  url: "canary U%20z?&=+#/9w$Kq;:@,m3",
  pattern: "canary.*(P[^7z]+w)|{2}$\\d^Kq9",
  markup: "canary<b>M&z|7`w`*_Kq_*~x</b>8r",
  lines: "canary-first-line-Lz8Qw\ncanary-second-line-Ny3Tk\n",
  pem: [
    "-----BEGIN RSA PRIVATE KEY-----",
    "MIIEGTd7FguoV8FWnFbB0JxXujr4qqaaABvvLOzAxzXMcU1vsHiQMaRiNTN9Ox98",
    "whGcTZc1UWb5fxzpF7STG7nVLe3lARUsRJlNONwktN9ugkZeESG61she/QAqq0==",
    "-----END RSA PRIVATE KEY-----\n",
  ].join("\n"),
  number: "7493018265",
} as const satisfies Canaries;

/** So many characters of a canary are one that was cut. */
const WINDOW = 10;

/** The spellings of a secret, by what they are called. */
export function canaryForms(secret: string): ReadonlyMap<string, string> {
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const url = encodeURIComponent(secret);
  const forms: [string, string][] = [
    ["plain", secret],
    ["JSON", json],
    ["JSON in ASCII", ascii],
    ["JSON with escaped slashes", json.replaceAll("/", "\\/")],
    ["JSON in JSON", JSON.stringify(json).slice(1, -1)],
    ["URL", url],
    ["URL in lower case", url.replaceAll(/%../g, (escape) => escape.toLowerCase())],
    ["form", new URLSearchParams([["", secret]]).toString().slice(1)],
    ["HTML", secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")],
    ["hex", Buffer.from(secret).toString("hex")],
    ...base64(secret),
  ];
  return new Map(forms.filter(([name, form]) => name === "plain" || form.length >= 8));
}

/** Base64 of a text in which the secret begins at any of three places; what its neighbours have a part in is left out. */
function base64(secret: string): readonly [string, string][] {
  return [0, 1, 2].flatMap((before): [string, string][] => {
    const bits = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const whole = bits.subarray(0, bits.length - (bits.length % 3)).toString("base64");
    const form = whole.slice(before === 0 ? 0 : 4);
    const url = form.replaceAll("+", "-").replaceAll("/", "_");
    return [
      [`base64 after ${String(before)}`, form],
      [`base64url after ${String(before)}`, url],
    ];
  });
}

/** The canaries that a text shows, each with how: `plain as JSON: ...what stands around it...`. */
export function leaksIn(text: string, canaries: Canaries): readonly string[] {
  const readings = readingsOf(text);
  return Object.entries(canaries).flatMap(([name, secret]) => {
    for (const [form, spelled] of [...canaryForms(secret), ...windows(secret)]) {
      for (const reading of readings) {
        const at = reading.indexOf(spelled);
        if (at >= 0) return [`${name} as ${form}: ...${reading.slice(Math.max(0, at - 60), at + 60)}...`];
      }
    }
    return [];
  });
}

/** The canaries that files below a folder show, in their content or their name. */
export async function leaksBelow(folder: string, canaries: Canaries): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const text = entry.isFile() ? await readFile(path, "latin1") : "";
    const asUtf8 = Buffer.from(text, "latin1").toString("utf8");
    return leaksIn(`${entry.name}\n${asUtf8}`, canaries).map((leak) => `${relative(folder, path)}: ${leak}`);
  });
  return (await Promise.all(found)).flat();
}

/** Single lines of a secret, and pieces of what is long enough to be known by them. */
function windows(secret: string): readonly [string, string][] {
  return secret
    .split("\n")
    .filter((line) => line.length >= 2 * WINDOW && !line.startsWith("-----"))
    .flatMap((line) =>
      Array.from({ length: line.length - WINDOW + 1 }, (_, from): [string, string] => [
        "a piece",
        line.slice(from, from + WINDOW),
      ]),
    );
}

/** The text, and what it says with one or two layers of escapes taken out. */
function readingsOf(text: string): readonly string[] {
  const plain = text.replaceAll(/[\u200b-\u200d\u2060]|\p{Cc}\[[0-9;]*m/gu, "");
  const html = plain
    .replaceAll(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(lt|gt|quot|amp);/g, (_entity, name: string) => ENTITIES[name] ?? "");
  const once = unescaped(plain);
  return [...new Set([text, plain, html, once, unescaped(once), unescaped(html), percentDecoded(plain)])];
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_escape, code: string | undefined, sign: string) =>
    code === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function percentDecoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  return spaced.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
