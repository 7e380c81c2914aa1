import { isObject, parseJson, type Json, type JsonObject } from "../json.ts";
import type { Context } from "hono";
import type { EmulatedKind } from "../resources/registry.ts";

/** Reads the body as JSON. Returns null if there is no body. */
export async function readBody(http: Context): Promise<Json | Error> {
  const text = await http.req.text();
  if (text === "") return null;
  const type = http.req.header("content-type") ?? "";
  if (!/^application\/json\b/i.test(type)) return new Error("The content type of a body has to be application/json.");
  return parseJson(text) ?? new Error("The body is not JSON.");
}

/** Reads the kind from the path. @throws Error if the kind does not exist */
export function readKind(http: Context, isKind: (text: string) => text is EmulatedKind): EmulatedKind {
  const kind = http.req.param("kind") ?? "";
  if (!isKind(kind)) throw new Error(`There is no kind "${kind}".`);
  return kind;
}

/** Reads the id from the path. Insights and plugins have numbers. All other ids are texts, and so are short ids. */
export function readId(http: Context): string | number {
  const id = http.req.param("id") ?? "";
  return /^\d+$/.test(id) ? Number(id) : id;
}

/** Returns a predicate for objects whose fields equal those of the query. Values are compared as text. */
export function queryPredicate(http: Context): (object: Readonly<Record<string, unknown>>) => boolean {
  const wanted = Object.entries(http.req.query());
  return (object) =>
    wanted.every(([field, text]) => {
      const value = object[field];
      return (typeof value === "string" ? value : JSON.stringify(value)) === text;
    });
}

/** Returns the value if it is an object. @throws Error */
export function expectObject(value: Json): JsonObject {
  if (!isObject(value)) throw new Error("An object is expected in the body.");
  return value;
}
