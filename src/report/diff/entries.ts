import { pointer, type Json } from "../../model/json.ts";
import type { FieldChange } from "../../model/change.ts";
import type { KindName } from "../../model/kind-name.ts";
import { diffField, type ElementDiff, type ValueDiff } from "./value-diff.ts";

/** A difference at one path of a field: what a report shows under that path. */
export type Entry = {
  /** JSON Pointer from the resource on. Indexes of list elements are those of the planned list. */
  readonly path: string;
} & (
  | { readonly type: "text"; readonly prior: string; readonly planned: string }
  | { readonly type: "set"; readonly removed: readonly Json[]; readonly added: readonly Json[] }
  /** Elements that a list gains or loses, or that are at another place. */
  | { readonly type: "list"; readonly elements: readonly WholeElement[] }
  /** A value that is replaced as a whole. A side that is undefined has no such member. */
  | { readonly type: "value"; readonly prior: Json | undefined; readonly planned: Json | undefined }
);

/** An element of a list that has no counterpart at its place. */
export type WholeElement = Exclude<ElementDiff, { readonly type: "changed" }>;

/** Returns the differences of a field, each at its own path, in the order of the planned value. */
export function entriesOfField(kind: KindName, field: FieldChange): readonly Entry[] {
  return entriesOfDiff(diffField(kind, field), field.path);
}

function entriesOfDiff(diff: ValueDiff, path: string): readonly Entry[] {
  switch (diff.type) {
    case "object":
      return diff.members.flatMap((member): readonly Entry[] => {
        const inner = path + pointer(member.key);
        if (member.type === "changed") return entriesOfDiff(member.diff, inner);
        const [prior, planned] = member.type === "added" ? [undefined, member.planned] : [member.prior, undefined];
        return [{ type: "value", path: inner, prior, planned }];
      });
    case "list":
      return entriesOfList(diff.elements, path);
    case "replaced":
      return [{ ...diff, type: "value", path }];
    default:
      return [{ ...diff, path }];
  }
}

function entriesOfList(elements: readonly ElementDiff[], path: string): readonly Entry[] {
  const whole = elements.filter((element) => element.type !== "changed");
  const changed = elements.flatMap((element) =>
    element.type === "changed" ? entriesOfDiff(element.diff, path + pointer(element.to)) : [],
  );
  return whole.length === 0 ? changed : [{ type: "list", path, elements: whole }, ...changed];
}
