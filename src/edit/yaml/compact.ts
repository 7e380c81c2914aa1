/** Which collections stand on one line. */
import { isMap, isPair, isScalar, isSeq, visit, type Node, type YAMLSeq } from "yaml";

/** The most characters of a collection on one line, without its indentation: a filter with a few values. */
const MAX_LINE = 90;

/**
 * Puts lists of scalars, and mappings of those, on one line if they fit. Returns the length of what may stand on the line of the
 * collection around it, which a mapping may not.
 */
export function compact(node: Node): number | undefined {
  if (isScalar(node)) {
    const text = String(node.value);
    // An expression would need quotes between braces.
    return /\n|\$\{/u.test(text) || typeof node.comment === "string" ? undefined : text.length;
  }
  if (!isMap<Node, Node>(node) && !isSeq<Node>(node)) return undefined;
  const parts = node.items.flatMap((item): readonly (Node | null)[] =>
    isPair<Node, Node>(item) ? [item.key, item.value] : [item],
  );
  const length = parts
    .map((part) => (part === null ? 2 : compact(part)))
    .reduce<number>((sum, one) => sum + (one ?? Infinity) + 2, 2);
  if (length > MAX_LINE || typeof node.commentBefore === "string") return undefined;
  node.flow = true;
  if (isMap(node)) return undefined;
  withoutPadding(node);
  return length;
}

/** The same for a resource, or for a collection of them: a resource keeps its lines, unless it has one field. */
export function compactResources(node: Node): void {
  if (!isMap<Node, Node>(node)) return void compact(node);
  const values = node.items.flatMap(({ value }) => (value === null ? [] : [value]));
  const areResources = values.every((value) => isMap(value));
  for (const value of values) (areResources ? compactResources : compact)(value);
  if (!areResources && node.items.length === 1) compact(node);
}

/** Writes `[a, b]` wherever a list of scalars is on one line. */
export function withoutPaddings(node: Node): void {
  visit(node, { Seq: (_, list) => void (list.items.every(isScalar) && withoutPadding(list)) });
}

/** Writes `[a, b]`, as formatters do. The library has one setting for lists and mappings, which are `{ a: b }`. */
function withoutPadding(list: YAMLSeq): void {
  const write = list.toString.bind(list);
  list.toString = (context, ...others) => write(context && { ...context, flowCollectionPadding: "" }, ...others);
}
