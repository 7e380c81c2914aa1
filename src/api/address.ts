import { ApiError } from "./errors.ts";
import type { Redactor } from "./redact.ts";

/**
 * The base URL of a service. Credentials in it become secrets and are not sent: the key is what identifies.
 *
 * @throws ApiError `invalid`
 */
export function serviceUrl(text: string, redactor: Redactor): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
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
      message: "the URL of the service is not one of http or https",
    });
  }
  // A user without a password is a token.
  for (const secret of url.password === "" ? [url.username] : [url.password, decoded(url.password)])
    redactor.add(secret);
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  return url;
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
