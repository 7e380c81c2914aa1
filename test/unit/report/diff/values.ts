import { isJsonArray, type Json, type JsonObject } from "../../../../src/model/json/json.ts";
import { pointer, pointerKeys } from "../../../../src/model/pointer.ts";
import type { ValueDifference } from "../../../../src/report/diff/value-diff.ts";

/** The planned value at a path, made from the prior one and the differences. A set keeps its common elements first. */
export function applied(prior: Json, differences: readonly ValueDifference[], path: string): Json {
  const own = differences.find((one) => one.path === path);
  if (own?.type === "value" || own?.type === "text") return own.planned ?? null;
  if (own?.type === "set") return appliedSet(prior as readonly Json[], own);
  if (isJsonArray(prior)) {
    const placed = own === undefined ? prior : appliedElements(prior, own);
    return placed.map((item, index) => applied(item, differences, path + pointer(index)));
  }
  if (!differences.some((one) => one.path.startsWith(`${path}/`))) return prior;
  return appliedMembers(prior as JsonObject, differences, path);
}

function appliedMembers(prior: JsonObject, differences: readonly ValueDifference[], path: string): Json {
  const values = new Map(Object.entries(prior));
  for (const one of differences.filter((other) => other.path.startsWith(`${path}/`))) {
    const [key = ""] = pointerKeys(one.path.slice(path.length));
    const isWhole = one.path === path + pointer(key) && one.type === "value";
    if (isWhole && one.planned === undefined) values.delete(key);
    else if (isWhole && one.prior === undefined) values.set(key, one.planned ?? null);
  }
  return Object.fromEntries([...values].map(([key, item]) => [key, applied(item, differences, path + pointer(key))]));
}

function appliedSet(
  prior: readonly Json[],
  { removed, added }: Extract<ValueDifference, { readonly type: "set" }>,
): readonly Json[] {
  const rest = [...prior];
  for (const item of removed) {
    const index = rest.findIndex((one) => JSON.stringify(one) === JSON.stringify(item));
    rest.splice(index, 1);
  }
  return [...rest, ...added];
}

function appliedElements(
  prior: readonly Json[],
  { elements }: Extract<ValueDifference, { readonly type: "list" }>,
): readonly Json[] {
  const gone = new Set(elements.flatMap((element) => ("from" in element ? [element.from] : [])));
  const placed = new Map<number, Json>();
  for (const element of elements) {
    if (element.type === "added") placed.set(element.to, element.planned);
    if (element.type === "moved") placed.set(element.to, prior[element.from] ?? null);
  }
  const kept = prior.filter((_, index) => !gone.has(index));
  const length = kept.length + placed.size;
  return Array.from({ length }, (_, index) => (placed.has(index) ? placed.get(index) : kept.shift()) ?? null);
}
