import { isUuid } from "../../model/uuid.ts";
import { ApiError } from "../errors/errors.ts";
import { decoded, type Redactor } from "../redact/redact.ts";
import { errorBeforeSending, type Origin } from "../errors/from-response.ts";
import type { ParameterType } from "../operations/index.ts";

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
  // A user without a password is a token.
  for (const secret of url.password === "" ? [url.username] : [url.password, decoded(url.password)])
    redactor.add(secret);
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

export type Query = Readonly<Record<string, string | number | boolean>>;

const MAX_PARAMETER_LENGTH = 400;

/**
 * Builds the path of a request, with the trailing slash that request URLs carry (document, Conventions 2).
 *
 * @throws ApiError `invalid` if a parameter is missing or could change the route. Nothing is sent then.
 */
export function requestPath(origin: Origin, given: Readonly<Record<string, string>>): string {
  const { operation } = origin;
  const segments = operation.path.split("/").map((segment) => {
    if (!segment.startsWith(":")) return segment;
    const name = segment.slice(1);
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const type = operation.params[name] ?? "string";
    const problem = parameterProblem(value, type);
    if (problem !== undefined || value === undefined) {
      throw errorBeforeSending(origin, {
        kind: "invalid",
        code: "invalid_parameter",
        problem: `the path parameter ${name} ${problem ?? "is missing"}`,
        hint: parameterHint(type),
      });
    }
    return encodeURIComponent(value);
  });
  return `${segments.join("/")}/`;
}

/** `?a=1&b=2`, or an empty text. */
export function queryString(query: Query): string {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}

/** Why a path parameter cannot be sent. */
export function parameterProblem(value: string | undefined, type: ParameterType): string | undefined {
  if (value === undefined) return "is missing";
  if (type === "uuid" && !isUuid(value)) return "is not a UUID";
  if (type === "integer" && !/^\d{1,18}$/u.test(value)) return "is not an integer";
  if (value === "" || value.length > MAX_PARAMETER_LENGTH) return "is empty or too long";
  // Some servers and proxies resolve dots and slashes before routing, even encoded ones.
  const changesRoute = /^\.{1,2}$|[/\\]|[\p{Cc}\p{Cs}]|%(2f|5c|2e)/iu.test(value);
  return changesRoute ? "has characters that ids do not have" : undefined;
}

/** What to give as a path parameter. */
export function parameterHint(type: ParameterType): string {
  const form = type === "string" ? "" : `, which is ${type === "uuid" ? "a UUID" : "an integer"}`;
  return `Use the value that the service shows${form}.`;
}
