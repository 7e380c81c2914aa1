import { ApiError } from "../errors/errors.ts";
import type { Redactor } from "../redact/redact.ts";

/**
 * The base URL of a service. Credentials in it become secrets and are not sent: the key is what identifies.
 *
 * @throws ApiError `invalid`
 */
export function serviceUrl(text: string, redactor: Redactor): URL {
  const problem = urlProblem(text);
  if (problem !== undefined) {
    throw new ApiError({
      kind: "invalid",
      operation: "",
      method: "",
      path: "",
      status: null,
      code: "invalid_url",
      attr: null,
      hint: "It should look like https://analytics.example.com",
      effect: "no",
      message: `the URL of the service ${problem}`,
    });
  }
  const url = new URL(text);
  // A user without a password is a token.
  for (const secret of url.password === "" ? [url.username] : [url.password, decoded(url.password)])
    redactor.add(secret);
  url.username = "";
  url.password = "";
  return url;
}

/** Why a text cannot be the base URL of a service; undefined where it can. Says nothing of what is in it: that may be secret. */
export function urlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) return "is not one of http or https";
  // The parser leaves line breaks and tabs out: the rest may name another host.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return "holds characters that cannot be seen";
  return url.search === "" && url.hash === "" ? undefined : "has a query or fragment, which no request would carry";
}

/** Whether a key can stand in a header: visible ASCII only. */
export function isValidKey(key: string): boolean {
  return /^[\u0021-\u007e]+$/u.test(key);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A base URL without credentials, query and a slash at its end: what a service is known by. */
export function publicUrlOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
