import { invalid } from "./errors.ts";
import { toUtc } from "../store/time.ts";
import { typeName } from "./body.ts";
import type { Json, JsonObject } from "../json.ts";

/** Reads one value. `lenient` is how deployed servers read: strings are trimmed, "yes" is a boolean, "8" a number. */
type Read<Value> = (value: Json, attr: string, lenient: boolean) => Value;

/** One writable field. */
export interface Field<Value> {
  readonly read: Read<Value>;
  readonly required: boolean;
}

/** The writable fields of a resource, in the order in which they are checked. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** What reading a body gives: the fields that were sent, and nothing that is not writable. */
export type Values<Shape extends Fields> = {
  readonly [Name in keyof Shape]?: Shape[Name] extends Field<infer Value> ? Value : never;
};

/** How a body is read. */
interface Reading {
  readonly lenient: boolean;
  /** Required fields may be left out, as in a PATCH. */
  readonly partial: boolean;
}

/**
 * Reads the writable fields of a body; everything else in it is ignored, read-only fields too.
 * @throws ApiError 400 for the first field that is missing or wrong
 */
export function readFields<Shape extends Fields>(body: JsonObject, shape: Shape, reading: Reading): Values<Shape> {
  const values: Record<string, unknown> = {};
  for (const [name, writable] of Object.entries(shape)) {
    const value = body[name];
    if (value !== undefined) values[name] = writable.read(value, name, reading.lenient);
    else if (writable.required && !reading.partial) throw invalid("required", "This field is required.", name);
  }
  // Each value was just read by the field of its name, which the type system cannot follow through a loop.
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

/** The same field, but a create call has to have it. */
export function required<Value>(inner: Field<Value>): Field<Value> {
  return { ...inner, required: true };
}

/** The same field, but null is a value of its own. */
export function nullable<Value>(inner: Field<Value>): Field<Value | null> {
  return { ...inner, read: (value, attr, lenient) => (value === null ? null : inner.read(value, attr, lenient)) };
}

/** A string of at most `max` characters; `blank` says whether it may be empty. */
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

/** One of some values. */
export function choice<Value extends string | number>(values: readonly Value[]): Field<Value> {
  return field((value, attr, lenient) => {
    const found = values.find((known) => known === value || (lenient && String(known) === value));
    if (found !== undefined) return found;
    const shown = typeof value === "object" ? JSON.stringify(value) : String(value);
    throw invalid("invalid_choice", `"${shown}" is not a valid choice.`, attr);
  });
}

/** A date and time, kept in UTC. */
export function dateTime(): Field<string> {
  return field((value, attr) => {
    const utc = typeof value === "string" ? toUtc(value) : undefined;
    if (utc !== undefined) return utc;
    throw invalid("invalid_input", "Datetime has wrong format. Use YYYY-MM-DDThh:mm:ss with an offset.", attr);
  });
}

/** An address of a person. */
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

/** Any JSON, null included: the service does not look inside. */
export function free(): Field<Json> {
  return { required: false, read: (value) => value };
}
