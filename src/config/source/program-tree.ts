import type { Problems } from "../problems.ts";
import type { Member, Node, Source } from "../tree/tree.ts";

const DEEPEST = 200;

interface Walk {
  readonly source: Source;
  readonly problems: Problems;
  /** What is being walked, to notice a cycle. */
  readonly open: Set<object>;
  failed: boolean;
}

/** The tree of what a program exported; undefined (reported) if it holds anything but JSON. */
export function fromProgram(value: unknown, source: Source, problems: Problems): Node | undefined {
  const walk: Walk = { source, problems, open: new Set(), failed: false };
  const node = toNode(value, "", walk);
  return walk.failed ? undefined : node;
}

function toNode(value: unknown, mark: string, walk: Walk): Node {
  const place = { source: walk.source, mark };
  if (
    typeof value === "number" &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  ) {
    return refuse(`${value} cannot be said exactly in JSON`, mark, walk);
  }
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number") {
    return { type: "scalar", ...place, value };
  }
  if (typeof value !== "object") return refuse(`${nameOf(value)} is not a value of JSON`, mark, walk);
  if (walk.open.has(value)) return refuse("the value contains itself", mark, walk);
  if (walk.open.size >= DEEPEST) return refuse(`more than ${DEEPEST} levels of nesting`, mark, walk);
  walk.open.add(value);
  const node = Array.isArray(value) ? listOf(value, mark, walk) : mapOf(value, mark, walk);
  walk.open.delete(value);
  return node;
}

function listOf(items: readonly unknown[], mark: string, walk: Walk): Node {
  // Array.from visits the holes of a sparse array, too.
  const nodes = Array.from(items, (item, index) => toNode(item, `${mark}/${index}`, walk));
  return { type: "list", source: walk.source, mark, items: nodes };
}

function mapOf(value: object, mark: string, walk: Walk): Node {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return refuse(`${nameOf(value)} is not a value of JSON`, mark, walk);
  const members = new Map<string, Member>();
  for (const [key, item] of Object.entries(value)) {
    // What a conditional left out is not declared.
    if (item === undefined) continue;
    const at = `${mark}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    members.set(key, { key, source: walk.source, mark: at, value: toNode(item, at, walk) });
  }
  return { type: "map", source: walk.source, mark, members };
}

function nameOf(value: unknown): string {
  if (value === undefined) return "undefined";
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  return value instanceof Date ? "a Date" : `an instance of ${value.constructor?.name ?? "a class"}`;
}

function refuse(message: string, mark: string, walk: Walk): Node {
  walk.failed = true;
  const place = { source: walk.source, mark };
  const hint = message.startsWith("a Date") ? "use toISOString()" : undefined;
  walk.problems.error(place, { code: "not_json", message, hint });
  return { type: "broken", ...place };
}
