/**
 * Removes secrets from all output.
 *
 * Terms: a form is one way to write a secret: unchanged, escaped for JSON, a JSON Pointer, Python, HTML or a URL, or in base64.
 * Premise: services quote requests, so a secret that was sent can come back in any text and in any form. What was cut or changed
 * first is no form any more.
 * Algorithm: all forms of all secrets go into one pattern, the longest first. If a secret is a part of another one, the
 * longer one is replaced completely.
 */
import { ExactNumber, isJsonArray, isJsonObject, type Json } from "../../model/json/json.ts";
import { SENSITIVE, isMasked, isSecretWord, withoutUrlTokens } from "../../model/secret-values.ts";
import { pointer } from "../../model/pointer.ts";
import { jsonEscape, visible } from "../../model/text/quote.ts";

/** Replaces a secret in a text. It has no quotes or colons, so JSON, YAML and Markdown around it stay valid. */
export const REDACTED = "[redacted]";

/** Shorter secrets are not replaced inside texts. */
const SHORTEST_IN_TEXT = 4;

export interface Redactor {
  /**
   * Redacts a value from now on. An empty value is ignored. A value of fewer than 4 characters is redacted only if a
   * whole JSON string equals it. Replacing `1` or `no` inside texts would break messages and machine output, and the
   * gaps would reveal it.
   */
  readonly add: (secret: string) => void;
  /**
   * Redacts all forms of all secrets, and text that looks like a secret: bearer tokens, private keys, credentials and
   * tokens in URLs.
   */
  readonly text: (text: string) => string;
  /** Whether the text holds a secret that was added. A text that merely looks like a secret does not count. */
  readonly holds: (text: string) => boolean;
  /** Replaces every value whose key is the name of a secret, and redacts all other strings and keys like `text`. */
  readonly json: (value: Json) => Json;
}

/** Creates a redactor without secrets. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  const forms = new Set<string>();
  let pattern: RegExp | undefined;

  const known = (input: string): string => {
    if (forms.size === 0) return input;
    pattern ??= patternOf(forms);
    return input.replace(pattern, (found) => (DIGEST.test(found) ? found : REDACTED));
  };
  const text = (input: string): string => redactLookalikes(known(input));

  const json = (value: Json): Json => {
    if (typeof value === "string") return secrets.has(value) ? REDACTED : text(value);
    if (typeof value === "number" || typeof value === "boolean" || value instanceof ExactNumber) {
      const written = value instanceof ExactNumber ? value.text : String(value);
      return secrets.has(written) && written.length >= SHORTEST_IN_TEXT ? REDACTED : value;
    }
    if (value === null) return value;
    if (isJsonArray(value)) return value.map(json);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [text(key), isSecretEntry(key, item) ? SENSITIVE : json(item)]),
    );
  };

  return {
    add: (secret) => {
      if (secret === "" || secrets.has(secret)) return;
      secrets.add(secret);
      for (const form of secretEncodings(secret)) if (form.length >= SHORTEST_IN_TEXT) forms.add(form);
      pattern = undefined;
    },
    text,
    holds: (input) => known(input) !== input,
    json,
  };
}

/** Our own digests are kept, because users must be able to type them. A secret of a few digits could occur in one. */
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Redacts text that looks like a secret: a token after "Bearer", a private key, credentials and tokens in a URL. */
function redactLookalikes(text: string): string {
  // Most texts have none of these, and are asked in a fast way.
  if (!/bearer|authorization|-----BEGIN |:\/\/|[?&;#][\w.-]+=/i.test(text)) return text;
  return withoutUrlTokens(text, REDACTED)
    .replaceAll(/(\bauthorization\W{1,8}basic\s+)[\w+/=-]+/giu, `$1${REDACTED}`)
    .replaceAll(/\b(bearer\s+)[\w.~+/=-]+/giu, `$1${REDACTED}`)
    .replaceAll(/(-----BEGIN [A-Z ]*PRIVATE KEY-----)(?!\s*\[redacted\]).*?(?:(?=-----END )|$)/gsu, `$1${REDACTED}`)
    .replaceAll(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/?#@[\]]*:)(?!\[redacted\]@)[^\s/?#]+(?=@)/giu, `$1${REDACTED}`);
}

function patternOf(forms: ReadonlySet<string>): RegExp {
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((form) => {
    const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
    // A few digits often occur inside other numbers and ids.
    return /^\d{1,7}$/u.test(form) ? `(?<![0-9A-Za-z])${literal}(?![0-9A-Za-z])` : literal;
  });
  return new RegExp(["sha256:[0-9a-f]{64}(?![0-9a-f])", ...escaped].join("|"), "gu");
}

/** Whether the key is the name of a secret. Null and booleans are not: plugins describe their settings with `secret: true`. */
function isSecretEntry(key: string, value: Json): boolean {
  return value !== null && typeof value !== "boolean" && isSecretWord(key);
}

/** Adds every value whose key is the name of a secret, because services quote requests. */
export function registerSecretsByName(redactor: Redactor, value: Json): void {
  if (isJsonArray(value)) for (const item of value) registerSecretsByName(redactor, item);
  if (!isJsonObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    const text = item instanceof ExactNumber ? item.text : item;
    if (typeof text !== "string" && typeof text !== "number") registerSecretsByName(redactor, item);
    else if (isSecretEntry(key, item) && !isMasked(text)) redactor.add(String(text));
  }
}

/** Shorter parts of a secret are too common to be redacted alone. */
const SHORTEST_PART = 8;

/** Lists every form in which a secret can occur in a text. */
function secretEncodings(secret: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const part of [secret, ...parts(secret)]) {
    // Documents name keys by JSON Pointers, and a service may have a secret as a key.
    const key = pointer(part).slice(1);
    const quoted = [part, key, ...pythonForms(part), ...htmlForms(part)].flatMap((form) => [form, ...jsonForms(form)]);
    const plain = [...quoted, ...htmlForms(JSON.stringify(part).slice(1, -1))];
    for (const form of [...plain, ...urlForms(part), ...base64Forms(part)]) forms.add(form);
  }
  forms.delete("");
  return forms;
}

/**
 * The lines of a secret, such as a private key: services quote single lines, so each line is a secret too. And all of them in lower
 * case, as services store hosts and addresses.
 */
function parts(secret: string): readonly string[] {
  const plain = [secret, secret.trim(), ...secret.split(/\r\n|\r|\n/u).map((line) => line.trim())];
  return plain.flatMap((part) => [part, part.toLowerCase()]).filter((part) => part.length >= SHORTEST_PART);
}

function jsonForms(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  // Encoders differ in how they write the slash and characters beyond ASCII.
  const ascii = escaped.replaceAll(/[\u0080-\uffff]/g, jsonEscape);
  // Messages quote values from outside with more escapes than JSON.
  const forms = [escaped, ascii, escaped.replaceAll("/", "\\/"), visible(escaped), visible(secret)];
  // JSON inside a JSON string, as services write it into messages.
  return [...forms, ...forms.map((form) => JSON.stringify(form).slice(1, -1))];
}

/** As Python's `repr` writes a text, which escapes quotes only if it has both, and its `ascii` and the bytes of the text. */
function pythonForms(secret: string): readonly string[] {
  const hex = (code: number, letter: string, digits: number): string =>
    `\\${letter}${code.toString(16).padStart(digits, "0")}`;
  const escape = (code: number): string =>
    code < 0x100 ? hex(code, "x", 2) : code < 0x10000 ? hex(code, "u", 4) : hex(code, "U", 8);
  const text = secret
    .replaceAll("\\", "\\\\")
    .replaceAll(/[\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1))
    .replaceAll(/\p{Cc}/gu, (character) => escape(character.charCodeAt(0)));
  const ascii = text.replaceAll(/[^ -~]/gu, (character) => escape(character.codePointAt(0) ?? 0));
  const bytes = text.replaceAll(/[^ -~]/gu, (character) => [...Buffer.from(character)].map(escape).join(""));
  return [text, ascii, bytes].flatMap((form) => [form, form.replaceAll("'", String.raw`\'`)]);
}

/** The text, and as HTML has it. Encoders differ in the quotes, and in characters beyond ASCII. */
function htmlForms(text: string): readonly string[] {
  const tags = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  if (tags === text && !/["'`]|[^ -~]/u.test(text)) return [text];
  const quotes = [
    ['"', "'"],
    ["&quot;", "'"],
    ["&quot;", "&#x27;"],
    ["&quot;", "&#39;"],
    ["&quot;", "&apos;"],
    ["&#34;", "&#39;"],
  ] as const;
  const forms = quotes.map(([double, single]) => tags.replaceAll('"', double).replaceAll("'", single));
  const numeric = (prefix: string, base: number) => (character: string) =>
    `&#${prefix}${(character.codePointAt(0) ?? 0).toString(base)};`;
  const ascii = [numeric("", 10), numeric("x", 16)];
  return [text, ...forms, ...forms.flatMap((form) => ascii.map((entity) => form.replaceAll(/[^ -~]|`/gu, entity)))];
}

function urlForms(secret: string): readonly string[] {
  const component = encoded(secret);
  const strict = component.replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const forms = [
    component,
    strict,
    component.replaceAll("%20", "+"),
    strict.replaceAll("%20", "+"),
    component.replaceAll("%2F", "/"),
  ];
  return [...forms, ...forms.map((form) => form.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()))];
}

function encoded(secret: string): string {
  // encodeURIComponent throws on a lone surrogate. The buffer replaces it first.
  return encodeURIComponent(Buffer.from(secret, "utf8").toString("utf8"));
}

/**
 * The parts of a base64 text that contain the secret. They depend on the position of the secret in a group of three
 * bytes. Characters that share bits with neighbouring bytes are left out.
 */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const aligned = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const text = whole.toString("base64").replaceAll("=", "");
    const from = before === 0 ? 0 : before + 1;
    const to = whole.length % 3 === 0 ? text.length : text.length - 1;
    return text.slice(from, to);
  });
  const exact = bytes.toString("base64");
  const forms = [exact, exact.replaceAll("=", ""), ...aligned.filter((form) => form.length >= SHORTEST_PART)];
  return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}

type Environment = Readonly<Record<string, string | undefined>>;

const PROXIES: ReadonlySet<string> = new Set(["http_proxy", "https_proxy", "all_proxy"]);

/** Registers the secrets that requests need: the key, and credentials of proxies. */
export function registerRequestSecrets(env: Environment, redactor: Redactor): void {
  redactor.add(env["DRIFTLINE_API_KEY"]?.trim() ?? "");
  for (const [name, value = ""] of Object.entries(env))
    if (PROXIES.has(name.toLowerCase())) for (const secret of credentialsIn(value)) redactor.add(secret);
}

function credentialsIn(proxy: string): readonly string[] {
  const found = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^:]*?)(?::(.*))?@[^@]*$/isu.exec(proxy) ?? [];
  const [, username = "", password = ""] = found;
  const asUrlHasThem = Object.assign(new URL("http://proxy"), { username, password });
  return [{ username, password }, asUrlHasThem].flatMap(credentialsOf);
}

/**
 * The password of a URL, or a user without one, which is a token; and both together as a header encodes them. With and
 * without percent-encoding.
 */
export function credentialsOf({ username, password }: Pick<URL, "username" | "password">): readonly string[] {
  const secret = password === "" ? username : password;
  return secret === "" ? [] : [secret, decoded(secret), `${decoded(username)}:${decoded(password)}`];
}

/** The text without percent-encoding; unchanged if it has none that is valid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
