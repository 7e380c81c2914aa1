import type { Json, JsonObject } from "../../../../src/model/json.ts";
import type { ElementDiff, ValueDiff } from "../../../../src/report/diff/value-diff.ts";

/** The planned value, made from the prior one and the difference. A set keeps its common elements first. */
export function applied(prior: Json, diff: ValueDiff): Json {
  switch (diff.type) {
    case "replaced":
    case "text":
      return diff.planned;
    case "set": {
      const rest = [...(prior as readonly Json[])];
      for (const item of diff.removed) {
        const index = rest.findIndex((one) => JSON.stringify(one) === JSON.stringify(item));
        rest.splice(index, 1);
      }
      return [...rest, ...diff.added];
    }
    case "object": {
      const values = new Map(Object.entries(prior as JsonObject));
      for (const member of diff.members) {
        if (member.type === "removed") values.delete(member.key);
        else if (member.type === "added") values.set(member.key, member.planned);
        else values.set(member.key, applied(values.get(member.key) ?? null, member.diff));
      }
      return Object.fromEntries(values);
    }
    case "list":
      return appliedList(prior as readonly Json[], diff.elements);
  }
}

function appliedList(prior: readonly Json[], elements: readonly ElementDiff[]): Json {
  const gone = new Set(elements.flatMap((element) => ("from" in element ? [element.from] : [])));
  const placed = new Map<number, Json>();
  for (const element of elements) {
    if (element.type === "added") placed.set(element.to, element.planned);
    if (element.type === "moved") placed.set(element.to, prior[element.from] ?? null);
    if (element.type === "changed") placed.set(element.to, applied(prior[element.from] ?? null, element.diff));
  }
  const kept = prior.filter((_, index) => !gone.has(index));
  const length = kept.length + placed.size;
  return Array.from({ length }, (_, index) => (placed.has(index) ? placed.get(index) : kept.shift()) ?? null);
}
