/** The value that a program exports, as a tree. A position in it is a JSON Pointer. */
import { pointer } from "../../model/pointer.ts";
import type { Problems } from "../problems.ts";
import type { Member, Node, Source } from "../tree/tree.ts";

const MAX_DEPTH = 200;

interface ProgramConversion {
  readonly source: Source;
  readonly problems: Problems;
  /** The objects that are being converted, to detect cycles. */
  readonly open: Set<object>;
  failed: boolean;
}

/** Converts the export of a program into a tree. It reports a value that is not JSON and returns undefined. */
export function fromProgram(value: unknown, source: Source, problems: Problems): Node | undefined {
  const conversion: ProgramConversion = { source, problems, open: new Set(), failed: false };
  const node = toNode(value, "", conversion);
  return conversion.failed ? undefined : node;
}

function toNode(value: unknown, mark: string, conversion: ProgramConversion): Node {
  const place = { source: conversion.source, mark };
  if (
    typeof value === "number" &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  ) {
    return reportNotJson(`JSON cannot represent ${value} exactly`, mark, conversion);
  }
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number") {
    return { type: "scalar", ...place, value };
  }
  if (typeof value !== "object") return reportNotJson(`${describeType(value)} is not a JSON value`, mark, conversion);
  if (conversion.open.has(value)) return reportNotJson("the value contains itself", mark, conversion);
  if (conversion.open.size >= MAX_DEPTH)
    return reportNotJson(`more than ${MAX_DEPTH} levels of nesting`, mark, conversion);
  conversion.open.add(value);
  const node = Array.isArray(value) ? toListNode(value, mark, conversion) : toMapNode(value, mark, conversion);
  conversion.open.delete(value);
  return node;
}

function toListNode(items: readonly unknown[], mark: string, conversion: ProgramConversion): Node {
  // Array.from also visits the holes of a sparse array.
  const nodes = Array.from(items, (item, index) => toNode(item, `${mark}/${index}`, conversion));
  return { type: "list", source: conversion.source, mark, items: nodes };
}

function toMapNode(value: object, mark: string, conversion: ProgramConversion): Node {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return reportNotJson(`${describeType(value)} is not a JSON value`, mark, conversion);
  const members = new Map<string, Member>();
  for (const [key, item] of Object.entries(value)) {
    // A program may leave a field undefined under some condition. The field is then not declared.
    if (item === undefined) continue;
    const at = mark + pointer(key);
    members.set(key, { key, source: conversion.source, mark: at, value: toNode(item, at, conversion) });
  }
  return { type: "map", source: conversion.source, mark, members };
}

function describeType(value: unknown): string {
  if (value === undefined) return "undefined";
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  return value instanceof Date ? "a Date" : `an instance of ${value.constructor?.name ?? "a class"}`;
}

function reportNotJson(message: string, mark: string, conversion: ProgramConversion): Node {
  conversion.failed = true;
  const place = { source: conversion.source, mark };
  const hint = message.startsWith("a Date") ? "Use toISOString()." : undefined;
  conversion.problems.error(place, { code: "not_json", message, hint });
  return { type: "broken", ...place };
}
