import type { Edit } from "../../../src/edit/edit.ts";

/** An edit of the resource whose key is at a place. */
export function editAt(line: number, column: number, edit: Omit<Edit, "at" | "source">, file?: string): Edit {
  return { at: { file, line, column }, ...edit, source: { address: "acme" } };
}
