/**
 * Takes secrets out of documents.
 *
 * Premise: once a value is laid out (escaped, wrapped, cut), a secret in it cannot be recognised any more. So secrets are
 * taken out of the values, before anything is rendered or hashed.
 * Algorithm: every text is redacted, unless its field has one of the names below. So a field that is added later is redacted, too.
 */
import type { Redactor } from "../api/redact/redact.ts";
import { isObject, type Json } from "../model/json/json.ts";
import { withFewNames } from "../model/text/plural.ts";
import { cut, LONGEST_MESSAGE } from "../model/text/quote.ts";
import type { PlanSource } from "../model/plan.ts";
import { withoutSecretValues } from "./secret-variables.ts";

/** Words of driftline, which machines compare. */
const WORDS = ["kind", "action", "status", "rule", "severity", "code", "removable", "type", "shape", "left_out"];
/** What a user types or opens. */
const TYPED = ["address", "scope", "options", "not_read", "file", "url"];
const HASHES = ["hash", "config_hash", "fingerprint", "tool_version"];
/** The times of an effect. */
const TIMES = ["range", "interval"];
/** What apply needs, and no document shows. */
const INTERNAL = ["work"];

const KEPT: ReadonlySet<string> = new Set([...WORDS, ...TYPED, ...HASHES, ...TIMES, ...INTERNAL]);

/** Returns a plan, a change, an outcome, diagnostics or effects without secrets. */
export function redacted<T>(value: T, redactor: Redactor): T {
  return redactedValue(value, redactor) as T;
}

/** Returns the same object if it holds no secret: there may be 100,000 of them. */
function redactedValue(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactedValue(item, redactor));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, item]) => [key, redactedField(key, item, redactor)] as const);
  return fields.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(fields);
}

function redactedField(key: string, value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string" && /^(?:message|hint)$/u.test(key)) return withoutExcess(redactor.text(value));
  if (KEPT.has(key) || value === undefined) return value;
  // The values of fields, in which the name of a key shows a secret as well.
  if (key === "prior" || key === "planned" || key === "value") return redactor.json(value as Json);
  if (key === "source") return withoutSecretValues(value as PlanSource, [], redactor);
  // A link with a gap leads nowhere.
  if (key === "link") return redactor.text(value as string) === value ? value : undefined;
  return redactedValue(value, redactor);
}

/** All people are named in a document, however many they are. */
function withoutExcess(text: string): string {
  return withFewNames(text, "").length > LONGEST_MESSAGE ? cut(text, LONGEST_MESSAGE) : text;
}
