/** What shows that a value is a secret, or stands for one. */
import { isJsonObject, type Json, someValue } from "./json/json.ts";

/** Takes the place of a secret value in every document. */
export const SENSITIVE = { sensitive: true } as const;

/** Whether a value is {@link SENSITIVE}. */
export function isSensitive(value: Json): boolean {
  return isJsonObject(value) && value["sensitive"] === true && Object.keys(value).length === 1;
}

/** Whether a value holds {@link SENSITIVE}. */
export function holdsSensitive(value: Json): boolean {
  return someValue(value, (one) => isSensitive(one as Json));
}

/**
 * Names under which services store secrets. A body may hold a secret that no schema describes (servers have returned
 * passwords in plain text), so values in messages, plans and files are concealed by name as well.
 */
const SECRET_NAME =
  /secret|password|passwd|passphrase|private_?key|access_?key|api_?key|api_?token|auth_?token|access_?token|refresh_?token|credential|authorization|^token$|_token$/i;

/** Whether the value under a key of this name must be concealed. */
export function isSecretName(key: string): boolean {
  return SECRET_NAME.test(key);
}

/** Like {@link isSecretName}, for a name in any case: `X-Api-Key`, `apiKey` and `api_key` are the same. */
export function isSecretWord(key: string): boolean {
  const snakeCase = key.replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2").replaceAll(/[-.\s]/gu, "_");
  return isSecretName(key) || isSecretName(snakeCase);
}

/** `?name=value` and `&name=value`, also with an entity, and behind `#`, where OAuth puts a token. An expression is no value. */
const QUERY_VALUE = /([?&;#]([\w.-]{1,100})=)(?!\$\{|\[redacted\])[^\s&#"'<>`\\]+/gu;

/** The text with another one for each token in the query of a URL, or in its fragment. */
export function withoutUrlTokens(text: string, other: string): string {
  return text.replaceAll(QUERY_VALUE, (found, start: string, name: string) =>
    name === "key" || isSecretWord(name) ? start + other : found,
  );
}

/** Whether a text is a URL with a token in its query, or with a password. */
export function isSecretUrl(text: string): boolean {
  const [url, password = ""] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^\s:/?#@]*:([^\s/?#@]+)@)?\S*$/iu.exec(text) ?? [];
  return url !== undefined && ((password !== "" && !password.startsWith("${")) || withoutUrlTokens(url, "") !== url);
}

/** Words that end the names of secrets in an environment. Fields of a service end so as well, and are none. */
const SECRET_VARIABLE = /(?:^|_)(?:key|pat|pwd|pass|pin|dsn|webhook|webhook_url)$/i;

/** Whether a variable of this name, of the environment or of the command line, is a secret wherever it is taken. */
export function isSecretVariable(name: string): boolean {
  return isSecretName(name) || SECRET_VARIABLE.test(name);
}

/** The least length of a secret, in characters. A shorter value may be an ordinary word, even under the name SECRET. */
export const SHORTEST_SECRET = 8;

/**
 * The variables with the name of a secret, as names and values. Most of them are for other programs, and their values may be
 * words such as "postgres". So a value is a secret only where something may have taken it out of the environment.
 */
export function environmentSecrets(
  env: Readonly<Record<string, string | undefined>>,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    isSecretVariable(name) && value.length >= SHORTEST_SECRET ? [[name, value] as const] : [],
  );
}

/** Three stars anywhere, or nothing but a word for a mask. */
const MASK = /[*•]{3}|^x{4,}$|^[<[(]?(?:redacted|masked|hidden|secret|removed)[>\])]?$/i;

/** Whether a value is a mask that services return instead of a secret. It is never compared and never written back. */
export function isMasked(value: unknown): value is string {
  return typeof value === "string" && MASK.test(value);
}

/**
 * Takes the place of an unknown secret in an exported Pulumi program and its state. It equals any value of the service
 * and is never sent. It must never change, because states contain it.
 */
export const UNKNOWN_SECRET = "*** not given back by the service ***";
