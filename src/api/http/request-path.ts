import { isUuid } from "../../model/uuid.ts";
import { errorBeforeSending, type Origin } from "../errors/from-response.ts";
import type { ParameterType } from "../operations/index.ts";

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
