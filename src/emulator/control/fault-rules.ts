import { asText, isObject, type Json, type JsonObject } from "../json.ts";
import type { Fault, FaultHandle, FaultRule } from "../faults/fault.ts";

/** The types of the fields of a fault. A question mark means that the field is optional. */
type FaultFieldTypes = Readonly<Record<string, "number" | "number?" | "text" | "text?" | "moment" | "status">>;

const FAULTS: Readonly<Record<Fault["type"], FaultFieldTypes>> = {
  "drop-before": {},
  "process-then-drop": {},
  "delay-before": { ms: "number" },
  "delay-after": { ms: "number" },
  "half-body": {},
  "half-headers": {},
  "headers-only": {},
  "half-chunked": {},
  bytes: { text: "text" },
  "hang-up": {},
  "slow-drip": { bytes: "number?", ms: "number?" },
  "html-502": {},
  "process-first": {},
  status: { status: "status" },
  answer: { status: "number", text: "text", contentType: "text?" },
  redirect: { location: "text" },
  "content-type": { value: "text" },
  throttle: { retryAfter: "moment" },
  "wrong-next-host": { origin: "text" },
  "clamp-limit": { limit: "number" },
  "move-row": {},
  "duplicate-row": {},
  "short-page": {},
  "lying-count": { by: "number" },
  "stale-read": {},
  "ignore-field": { field: "text" },
  "drop-field": { field: "text" },
  "mask-field": { field: "text", mask: "text?" },
  "duplicate-create": {},
};
const RULE_FIELDS = ["method", "path", "nth", "times", "fault"];

/**
 * Reads a rule from JSON. The form is that of the library, except that a pattern is
 * `{ "pattern": "...", "flags": "i" }`, a date is a text, and a delay has milliseconds.
 * @throws Error with a description of the problem
 */
export function readFaultRule(value: Json): FaultRule {
  if (!isObject(value)) throw new Error("A rule is an object.");
  const unknown = Object.keys(value).find((key) => !RULE_FIELDS.includes(key));
  if (unknown !== undefined) throw new Error(`A rule has no "${unknown}"; it has ${RULE_FIELDS.join(", ")}.`);
  const { method, path, nth, times, fault } = value;
  return {
    ...(method === undefined ? {} : { method: expectText(method, "method") }),
    ...(path === undefined ? {} : { path: readPattern(path) }),
    ...(nth === undefined ? {} : { nth: expectCount(nth, "nth") }),
    ...(times === undefined ? {} : { times: expectCount(times, "times") }),
    fault: readFault(fault ?? null),
  };
}

function readFault(value: Json): Fault {
  const type = isObject(value) ? asText(value["type"] ?? "") : "";
  if (!isObject(value) || !Object.hasOwn(FAULTS, type)) {
    throw new Error(`"fault" is an object whose "type" is one of ${Object.keys(FAULTS).join(", ")}.`);
  }
  const needs = Object.entries(FAULTS).find(([name]) => name === type)?.[1] ?? {};
  const unknown = Object.keys(value).find((key) => key !== "type" && !Object.hasOwn(needs, key));
  if (unknown !== undefined) throw new Error(`The fault ${type} has no "${unknown}".`);
  const fields = Object.entries(needs).map(([name, need]) => [name, readFaultField(value, name, need)] as const);
  // Every field was read with the type that the table lists, but the type system cannot infer that.
  return Object.fromEntries([["type", type], ...fields.filter(([, field]) => field !== undefined)]) as unknown as Fault;
}

function readFaultField(
  fault: JsonObject,
  name: string,
  need: FaultFieldTypes[string],
): number | string | Date | null | undefined {
  const value = fault[name];
  if (value === undefined && need.endsWith("?")) return undefined;
  if (need.startsWith("number") && typeof value === "number" && Number.isFinite(value)) return value;
  if (need.startsWith("text") && typeof value === "string") return value;
  if (need === "status" && isErrorStatus(value)) return value;
  if (need === "moment" && (value === null || typeof value === "number")) return value;
  if (need === "moment" && typeof value === "string" && !Number.isNaN(Date.parse(value))) return new Date(value);
  const expected = {
    number: "a number",
    text: "a text",
    status: "a status from 400 to 599",
    moment: "seconds, a date, or null",
  };
  throw new Error(
    `"${name}" of a fault has to be ${Object.entries(expected).find(([key]) => need.startsWith(key))?.[1]}.`,
  );
}

function isErrorStatus(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 400 && value < 600;
}

function expectText(value: Json, name: string): string {
  if (typeof value === "string") return value;
  throw new Error(`"${name}" has to be a text.`);
}

function expectCount(value: Json, name: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  throw new Error(`"${name}" has to be a whole number above 0.`);
}

function readPattern(value: Json): string | RegExp {
  if (typeof value === "string") return value;
  const { pattern, flags = "" } = isObject(value) ? value : {};
  if (typeof pattern !== "string" || typeof flags !== "string") {
    throw new Error('"path" has to be a part of the path, or { "pattern": "...", "flags": "..." }.');
  }
  return new RegExp(pattern, flags);
}

/** Renders a rule as JSON, with its numbers of hits and matches so far. */
export function renderFaultRule({ id, rule, hits, matches }: FaultHandle): JsonObject {
  const { path, fault, ...others } = rule;
  const shown = path instanceof RegExp ? { pattern: path.source.replaceAll("\\/", "/"), flags: path.flags } : path;
  const { until: _until, ...fields } = { until: undefined, ...fault };
  const plain = Object.entries(fields).map(([key, value]) => [key, value instanceof Date ? value.toJSON() : value]);
  return {
    id,
    ...others,
    ...(shown === undefined ? {} : { path: shown }),
    fault: Object.fromEntries(plain),
    hits,
    matches,
  };
}
