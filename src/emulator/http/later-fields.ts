import { invalid } from "./errors.ts";
import { isObject, parseJson, type Json, type JsonObject } from "../json.ts";
import type { Answer, Call } from "./call.ts";
import type { ServedRoute } from "./route.ts";

/** A field that the service got after the documents of this emulator were written. */
export interface LaterField {
  /** What an object has if nobody has written it. Undefined: the field is shown only where it was written. */
  readonly value?: Json;
  /** What a write of it does. `ignored` is how the service treats fields that only it sets. */
  readonly write: "kept" | "ignored" | "refused";
}

/** The later fields of the service, by the segment of their routes, such as `batch_exports`. */
export interface LaterFields {
  readonly fields: Map<string, Readonly<Record<string, LaterField>>>;
  /** What was written, by segment and id. */
  readonly values: Map<string, JsonObject>;
}

/** Returns the fields of a service that has none. */
export function noLaterFields(): LaterFields {
  return { fields: new Map(), values: new Map() };
}

/** Answers a call of a service that has later fields. @param answer answers it without them */
export function withLaterFields(call: Call, route: ServedRoute | undefined, answer: () => Answer): Answer {
  const { fields } = call.service.laterFields;
  const family = route?.path
    .split("/")
    .toReversed()
    .find((segment) => fields.has(segment));
  const own = family === undefined ? undefined : fields.get(family);
  if (family === undefined || own === undefined) return answer();
  const sent = parseJson(call.text);
  const body = isObject(sent) ? sent : {};
  const refused = Object.keys(body).find((name) => own[name]?.write === "refused");
  if (refused !== undefined) {
    const error = invalid("invalid_input", "Unknown field.", refused);
    return { status: error.status, body: error.body };
  }
  return shown(call, family, own, body, answer());
}

/** Keeps what was written, and adds the fields to the objects of an answer. */
function shown(
  { service: { laterFields } }: Call,
  family: string,
  fields: Readonly<Record<string, LaterField>>,
  sent: JsonObject,
  answer: Answer,
): Answer {
  const { body, status } = answer;
  if (!isObject(body) || status >= 300) return answer;
  const rowKey = (row: JsonObject): string => `${family} ${JSON.stringify(row["id"])}`;
  const kept = Object.entries(sent).filter(([name]) => fields[name]?.write === "kept");
  if (kept.length > 0) {
    const before = laterFields.values.get(rowKey(body));
    laterFields.values.set(rowKey(body), { ...before, ...Object.fromEntries(kept) });
  }
  const standard = Object.fromEntries(
    Object.entries(fields).flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
  );
  const grown = (row: Json): Json =>
    isObject(row) && row["id"] !== undefined ? { ...row, ...standard, ...laterFields.values.get(rowKey(row)) } : row;
  const { results } = body;
  return { ...answer, body: Array.isArray(results) ? { ...body, results: results.map(grown) } : grown(body) };
}
