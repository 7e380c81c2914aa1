/** Whether a document has the shape that schemas/plan.schema.json describes; members that it does not know are left alone. */
import { allKinds } from "../kinds/registry.ts";
import { isObject } from "../model/json.ts";
import type { PlanDocument } from "../model/plan.ts";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const anything: Check = (value) => value !== undefined;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && words.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    Object.entries(members).every(([key, check]) => check(Object.hasOwn(value, key) ? value[key] : undefined));

const kind = oneOf(...allKinds.map(({ name }) => name));

const change = shape({
  address: text,
  kind,
  action: oneOf("create", "update", "replace", "delete", "restore", "no_op", "unknown"),
  reason: text,
  id: orNull(text),
  blocked: orNull(shape({ rule: text, lift: text })),
  fields: listOf(shape({ path: text, prior: anything, planned: anything })),
  fingerprint: orNull(text),
  modified: maybe(shape({ at: orNull(text), by: orNull(text) })),
});

const diagnostic = shape({
  severity: oneOf("error", "warning"),
  code: text,
  message: text,
  hint: maybe(text),
  address: maybe(text),
  file: maybe(text),
  line: maybe(count),
  column: maybe(count),
  pointer: maybe(text),
});

const counts = ["create", "update", "replace", "delete", "restore", "no_op", "unknown", "blocked", "unmanaged"];

const plan = shape({
  type: oneOf("driftline.plan", "driftline.drift"),
  hash: text,
  config_hash: text,
  tool_version: text,
  url: text,
  options: shape({ prune: flag, only: listOf(text), rotate: listOf(text) }),
  summary: shape(Object.fromEntries(counts.map((name) => [name, count]))),
  changes: listOf(change),
  unmanaged: listOf(shape({ kind, scope: text, id: text, key: orNull(text) })),
  diagnostics: listOf(diagnostic),
});

/** Whether what a file holds is a plan, or a drift, in every part. */
export function isPlanDocument(value: unknown): value is PlanDocument {
  return plan(value);
}
