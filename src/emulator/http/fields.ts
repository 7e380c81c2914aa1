import { invalid } from "./errors.ts";
import { isUuid } from "../store/ids.ts";
import { toUtc } from "../store/time.ts";
import { typeName } from "./body.ts";
import type { Json, JsonObject } from "../json.ts";

/** Reads one value. Deployed servers are `lenient`: strings are trimmed, "yes" is a boolean and "8" is a number. */
type Read<Value> = (value: Json, attr: string, lenient: boolean) => Value;

/** One writable field. */
export interface Field<Value> {
  readonly read: Read<Value>;
  readonly required: boolean;
}

/** The writable fields of a resource, in the order in which they are checked. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values that were read from a body: the writable fields that were sent. */
export type Values<Shape extends Fields> = {
  readonly [Name in keyof Shape]?: Shape[Name] extends Field<infer Value> ? Value : never;
};

/** The options for reading a body. */
interface ReadOptions {
  readonly lenient: boolean;
  /** Required fields may be missing, as in a PATCH. */
  readonly partial: boolean;
}

/**
 * Reads the writable fields of a body. All other fields are ignored, including read-only fields.
 * @throws ApiError 400 for the first field that is missing or wrong
 */
export function readFields<Shape extends Fields>(body: JsonObject, shape: Shape, reading: ReadOptions): Values<Shape> {
  const values: Record<string, unknown> = {};
  for (const [name, writable] of Object.entries(shape)) {
    const value = body[name];
    if (value !== undefined) values[name] = writable.read(value, name, reading.lenient);
    else if (writable.required && !reading.partial) throw invalid("required", "This field is required.", name);
  }
  // Each value was read by the field with its name, but the type system cannot infer that through a loop.
  return values as Values<Shape>;
}

function field<Value>(read: Read<Value>): Field<Value> {
  return {
    required: false,
    read(value, attr, lenient) {
      if (value === null) throw invalid("null", "This field may not be null.", attr);
      return read(value, attr, lenient);
    },
  };
}

/** Makes a field required in create calls. */
export function required<Value>(inner: Field<Value>): Field<Value> {
  return { ...inner, required: true };
}

/** Makes null a valid value of a field. */
export function nullable<Value>(inner: Field<Value>): Field<Value | null> {
  return { ...inner, read: (value, attr, lenient) => (value === null ? null : inner.read(value, attr, lenient)) };
}

/** A string of at most `max` characters. It may be empty if `blank` is set. */
export function text(options: { readonly max?: number; readonly blank?: boolean } = {}): Field<string> {
  return field((value, attr, lenient) => {
    if (typeof value !== "string" && !(lenient && typeof value === "number")) {
      throw invalid("invalid_input", "Not a valid string.", attr);
    }
    const result = lenient ? String(value).trim() : String(value);
    if (result.trim() === "" && options.blank !== true) {
      throw invalid("blank", "This field may not be blank.", attr);
    }
    if (options.max !== undefined && result.length > options.max) {
      throw invalid("max_length", `Ensure this field has no more than ${options.max} characters.`, attr);
    }
    return result;
  });
}

const TRUE: ReadonlySet<Json> = new Set(["true", "True", "1", "yes", "on", 1]);
const FALSE: ReadonlySet<Json> = new Set(["false", "False", "0", "no", "off", 0]);

/** A UUID. */
export function uuid(): Field<string> {
  return field((value, attr) => {
    if (typeof value === "string" && isUuid(value)) return value.toLowerCase();
    throw invalid("invalid_input", "Must be a valid UUID.", attr);
  });
}

/** True or false. */
export function flag(): Field<boolean> {
  return field((value, attr, lenient) => {
    if (typeof value === "boolean") return value;
    if (lenient && TRUE.has(value)) return true;
    if (lenient && FALSE.has(value)) return false;
    throw invalid("invalid_input", "Must be a valid boolean.", attr);
  });
}

/** A whole number. */
export function integer(): Field<number> {
  return field((value, attr, lenient) => {
    const number = lenient && typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number)) return number;
    throw invalid("invalid_input", "A valid integer is required.", attr);
  });
}

/** One of a list of values. */
export function choice<Value extends string | number>(values: readonly Value[]): Field<Value> {
  return field((value, attr, lenient) => {
    const found = values.find((known) => known === value || (lenient && String(known) === value));
    if (found !== undefined) return found;
    const shown = typeof value === "object" ? JSON.stringify(value) : String(value);
    throw invalid("invalid_choice", `"${shown}" is not a valid choice.`, attr);
  });
}

/** A date and time, stored in UTC. */
export function dateTime(): Field<string> {
  return field((value, attr) => {
    const utc = typeof value === "string" ? toUtc(value) : undefined;
    if (utc !== undefined) return utc;
    throw invalid("invalid_input", "Datetime has wrong format. Use YYYY-MM-DDThh:mm:ss with an offset.", attr);
  });
}

/** An e-mail address. */
export function email(): Field<string> {
  const inner = text({ max: 254 });
  return field((value, attr, lenient) => {
    const address = inner.read(value, attr, lenient);
    if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) return address;
    throw invalid("invalid_input", "Enter a valid email address.", attr);
  });
}

/** A list, each element read by `element`. */
export function list<Value>(element: Field<Value>): Field<readonly Value[]> {
  return field((value, attr, lenient) => {
    if (!Array.isArray(value)) {
      throw invalid("not_a_list", `Expected a list of items but got type "${typeName(value)}".`, attr);
    }
    return value.map((item: Json) => element.read(item, attr, lenient));
  });
}

/** Any JSON value, including null. The service does not validate it. */
export function free(): Field<Json> {
  return { required: false, read: (value) => value };
}
