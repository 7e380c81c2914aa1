import { errorBeforeSending, type Origin } from "../errors/from-response.ts";
import type { Operation, ParameterType } from "../operations/index.ts";

export type Query = Readonly<Record<string, string | number | boolean>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
const MAX_LENGTH = 400;

/**
 * The path of a request, with the trailing slash that request URLs carry (document, Conventions 2).
 *
 * @throws ApiError `invalid` where a parameter is missing or could lead the request elsewhere; nothing is sent then.
 */
export function requestPath(origin: Origin, given: Readonly<Record<string, string>>): string {
  const { operation } = origin;
  const segments = operation.path.split("/").map((segment) => {
    if (!segment.startsWith(":")) return segment;
    const name = segment.slice(1);
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const problem = problemWith(value, operation.params[name] ?? "string");
    if (problem !== undefined || value === undefined) {
      throw errorBeforeSending(
        origin,
        "invalid",
        "invalid_parameter",
        `the path parameter ${name} ${problem ?? "is missing"}`,
        hintFor(operation, name),
      );
    }
    return encodeURIComponent(value);
  });
  return `${segments.join("/")}/`;
}

/** `?a=1&b=2`, or nothing. */
export function queryString(query: Query): string {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}

/** Why a path parameter cannot be sent. */
export function problemWith(value: string | undefined, type: ParameterType): string | undefined {
  if (value === undefined) return "is missing";
  if (type === "uuid" && !UUID.test(value)) return "is not a UUID";
  if (type === "integer" && !/^\d{1,18}$/u.test(value)) return "is not an integer";
  if (value === "" || value.length > MAX_LENGTH) return "is empty or too long";
  // Encoded or not, some servers and proxies resolve dots and slashes before they route.
  const leadsElsewhere = /^\.{1,2}$|[/\\]|[\p{Cc}\p{Cs}]|%(2f|5c|2e)/iu.test(value);
  return leadsElsewhere ? "has characters that no id has" : undefined;
}

function hintFor(operation: Operation, name: string): string {
  const type = operation.params[name] ?? "string";
  return type === "string"
    ? `Give the ${name} as the service shows it.`
    : `Give the ${name} as the service shows it, as a ${type === "uuid" ? "UUID" : "number"}.`;
}
