/**
 * Keeping secrets out of whatever is shown.
 *
 * Terms: a form is a spelling under which a secret can turn up: as it is, escaped for JSON or a URL, in base64.
 * Premise: services quote what they were sent, so a secret that was sent can come back in any text, in any of its forms.
 * Algorithm: every form of every added secret goes into one pattern, longest first, so that a secret which is part of another
 * one never leaves the rest of it standing.
 */
import { isJsonObject, ExactNumber, SENSITIVE, type Json } from "../../model/json.ts";
import { isMasked, isSecretName } from "../../model/sensitive.ts";
import { secretEncodings } from "./secret-encodings.ts";

/** Stands in a text in place of a secret. Brackets only, so that JSON, YAML and Markdown around it stay whole. */
export const REDACTED = "[redacted]";

/** Shorter secrets are not looked for in running text. */
const SHORTEST_IN_TEXT = 4;

export interface Redactor {
  /**
   * Makes a value unprintable from now on. An empty one is ignored. One of fewer than 4 characters is concealed where a
   * whole JSON string equals it, but not inside texts: `1` or `no` would take digits and syllables out of every message and
   * machine output, which breaks them and, by the gaps, gives the value away.
   */
  add(secret: string): void;
  /** The text without any form of any secret, and without what is one by its looks: bearer tokens, private keys. */
  text(text: string): string;
  /** The text without any form of any secret that was added, and nothing else changed: for files that have to say what is. */
  known(text: string): string;
  /** The value with everything under a secret's name replaced, and every other string and key cleaned as by `text`. */
  json(value: Json): Json;
}

/** A redactor that knows no secret yet. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  const forms = new Set<string>();
  let pattern: RegExp | undefined;

  const known = (input: string): string => {
    if (forms.size === 0) return input;
    pattern ??= patternOf(forms);
    return input.replace(pattern, (found) => (DIGEST.test(found) ? found : REDACTED));
  };
  const text = (input: string): string => withoutTokens(known(input));

  const json = (value: Json): Json => {
    if (typeof value === "string") return secrets.has(value) ? REDACTED : text(value);
    if (typeof value === "number" || typeof value === "boolean" || value instanceof ExactNumber) {
      const written = value instanceof ExactNumber ? value.text : String(value);
      return secrets.has(written) && written.length >= SHORTEST_IN_TEXT ? REDACTED : value;
    }
    if (value === null) return value;
    if (isArray(value)) return value.map(json);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [text(key), concealedBy(key, item) ? SENSITIVE : json(item)]),
    );
  };

  return {
    add: (secret) => {
      if (secret === "") return;
      secrets.add(secret);
      for (const form of secretEncodings(secret)) if (form.length >= SHORTEST_IN_TEXT) forms.add(form);
      pattern = undefined;
    },
    text,
    known,
    json,
  };
}

/** Digests of ours are kept whole: a secret of a few digits must not tear a hash that has to be typed. */
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Without what is a secret whoever it belongs to: a token after "Bearer", a private key, credentials in a URL. */
function withoutTokens(text: string): string {
  return text
    .replaceAll(/\b(bearer\s+)[\w.~+/=-]+/giu, `$1${REDACTED}`)
    .replaceAll(/(-----BEGIN [A-Z ]*PRIVATE KEY-----)(?!\s*\[redacted\]).*?(?:(?=-----END )|$)/gsu, `$1${REDACTED}`)
    .replaceAll(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/?#@[\]]*:)(?!\[redacted\]@)[^\s/?#@]+(?=@)/giu, `$1${REDACTED}`);
}

function patternOf(forms: ReadonlySet<string>): RegExp {
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((form) => {
    const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
    // A few digits are part of many a number and id that is no secret.
    return /^\d{1,7}$/u.test(form) ? `(?<![0-9A-Za-z])${literal}(?![0-9A-Za-z])` : literal;
  });
  return new RegExp(["sha256:[0-9a-f]{64}(?![0-9a-f])", ...escaped].join("|"), "gu");
}

/**
 * Names are compared in one spelling: `X-Api-Key`, `apiKey` and `api_key` are the same. Null hides nothing, nor does a flag:
 * plugins say `secret: true` of their settings.
 */
function concealedBy(key: string, value: Json): boolean {
  if (value === null || typeof value === "boolean") return false;
  const spelled = key.replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2").replaceAll(/[-.\s]/gu, "_");
  return isSecretName(key) || isSecretName(spelled);
}

/** Makes unprintable what stands under the name of a secret: services quote what they were sent. */
export function registerSecretsByName(redactor: Redactor, value: Json): void {
  if (isArray(value)) for (const item of value) registerSecretsByName(redactor, item);
  if (!isJsonObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    const text = item instanceof ExactNumber ? item.text : item;
    if (typeof text !== "string" && typeof text !== "number") registerSecretsByName(redactor, item);
    else if (concealedBy(key, item) && !isMasked(text)) redactor.add(String(text));
  }
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
