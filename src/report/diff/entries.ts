import { pointer, type Json } from "../../model/json.ts";
import type { ShownChange } from "../../model/plan.ts";
import { distinguish } from "../escape.ts";
import { pathText } from "../value.ts";
import { diffField, type ElementDiff, type ValueDiff } from "./value-diff.ts";

/** A difference at one path of a change: what a report shows under that path. */
export type Entry = Difference & {
  /** The path as a reader sees it. No other entry of the change looks the same. */
  readonly label: string;
  /** Whether it is a field as a whole. There, null stands for a field that is not set; below, it is a value. */
  readonly isField: boolean;
};

type Difference = {
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

/** Returns the differences of all fields, each at its own path, in the order of the planned values. */
export function entriesOfChange({ kind, fields }: ShownChange): readonly Entry[] {
  const entries = fields.flatMap((field) =>
    entriesOfDiff(diffField(kind, field), field.path).map((entry) => ({
      ...entry,
      label: pathText(entry.path),
      isField: entry.path === field.path,
    })),
  );
  const show = distinguish(entries.map(({ label }) => label));
  return entries.map((entry) => ({ ...entry, label: show(entry.label) }));
}

function entriesOfDiff(diff: ValueDiff, path: string): readonly Difference[] {
  switch (diff.type) {
    case "object":
      return diff.members.flatMap((member): readonly Difference[] => {
        const inner = path + pointer(member.key);
        if (member.type === "changed") return entriesOfDiff(member.diff, inner);
        const [prior, planned] = member.type === "added" ? [undefined, member.planned] : [member.prior, undefined];
        return [{ type: "value", path: inner, prior, planned }];
      });
    case "list":
      return entriesOfList(diff.elements, path);
    case "replaced":
      return [{ ...diff, type: "value", path }];
    case "text":
      // An empty text has no words and no lines that could be compared.
      return [{ ...diff, type: diff.prior === "" || diff.planned === "" ? "value" : "text", path }];
    default:
      return [{ ...diff, path }];
  }
}

function entriesOfList(elements: readonly ElementDiff[], path: string): readonly Difference[] {
  const whole = elements.filter((element) => element.type !== "changed");
  const changed = elements.flatMap((element) =>
    element.type === "changed" ? entriesOfDiff(element.diff, path + pointer(element.to)) : [],
  );
  return whole.length === 0 ? changed : [{ type: "list", path, elements: whole }, ...changed];
}
