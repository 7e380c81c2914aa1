import { ApiError } from "../errors/errors.ts";
import { credentialsOf, type Redactor } from "../redact/redact.ts";

/**
 * Parses the base URL of a service. Credentials in it are registered as secrets and removed, because only the key
 * authenticates.
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
      code: "invalid_url",
      hint: "Use a URL such as https://analytics.example.com.",
      tookEffect: "no",
      message: `the URL of the service ${problem}`,
    });
  }
  const url = new URL(text);
  for (const secret of credentialsOf(url)) redactor.add(secret);
  url.username = "";
  url.password = "";
  return url;
}

/**
 * Why a text cannot be the base URL of a service, or undefined. Never quotes the text, because it may contain a secret.
 */
export function urlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) return "is not an http or https URL";
  // The URL parser drops line breaks and tabs, so the rest could name another host.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return "contains invisible characters";
  return url.search === "" && url.hash === ""
    ? undefined
    : "has a query or a fragment, which requests would not contain";
}

/** Whether a key is valid in a header: visible ASCII only. */
export function isValidKey(key: string): boolean {
  return /^[\u0021-\u007e]+$/u.test(key);
}

/** A base URL without credentials, query and trailing slash. It identifies a service. */
export function publicUrlOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
