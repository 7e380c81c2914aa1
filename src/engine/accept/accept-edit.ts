import type { Edit, EditSource } from "../../edit/edit.ts";
import type { PreparedFile } from "../../edit/files.ts";
import type { Change } from "../../model/change.ts";
import type { Json } from "../../model/json/json.ts";

/** An edit of a file that makes it say what is live. */
export type AcceptEdit = Edit<AcceptSource>;

/** An edit that accepts the live value of a field. */
export type FieldEdit = Edit<FieldSource>;

export type AcceptSource = FieldSource | RemovalSource | AdditionSource | MovedSource;

interface ChangeSource extends EditSource {
  readonly change: Change;
}

/** The live value of a field. */
export interface FieldSource extends ChangeSource {
  readonly type: "field";
  /** JSON Pointer into the resource. */
  readonly path: string;
  readonly live: Json;
  /** What the configuration has to accept, and where; without a value if the key is removed. */
  readonly accepted: { readonly path: string; readonly value: Json | undefined };
}

/** That an object is gone: its declaration is removed. */
interface RemovalSource extends ChangeSource {
  readonly type: "removal";
}

/** An object that nothing declared. */
interface AdditionSource extends ChangeSource {
  readonly type: "addition";
  /** The address of the new declaration. */
  readonly added: string;
}

/** That a person has another e-mail address. */
interface MovedSource extends ChangeSource {
  readonly type: "moved";
  /** Address of the change about the member that had none declared. */
  readonly member: string;
}

/** What an edit accepts, as a report names it: the address with the path of a field, or that of the declaration. */
export function acceptedName(source: AcceptSource): string {
  if (source.type === "addition") return source.added;
  return source.type === "field" ? source.address + source.path : source.address;
}

/** What declares objects that nothing declares. */
export interface Additions {
  /** Edits of the files that were loaded. */
  readonly edits: readonly AcceptEdit[];
  readonly newFiles: readonly PreparedFile<AcceptSource>[];
}

/** The addresses of undeclared objects that these files declare. */
export function declaredBy(files: readonly PreparedFile<AcceptSource>[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ edits }) => edits.flatMap(({ source }) => addressesOf(source))));
}

/** The addresses of undeclared objects that an edit declares. */
export function addressesOf(source: AcceptSource): readonly string[] {
  if (source.type === "moved") return [source.member];
  return source.type === "addition" ? [source.address] : [];
}
