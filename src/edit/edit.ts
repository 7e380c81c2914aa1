import type { Position } from "../model/diagnostic.ts";
import type { Value, ValueObject } from "../model/json/json.ts";

/** Comments above mappings, by mapping. The address of a page stands beside the first member, which is the id of its object. */
export type Comments = ReadonlyMap<ValueObject, string>;

/** What an edit is made for: a change, a resource, or an object that is imported. */
export interface EditSource {
  readonly address: string;
}

/** A change of a value in a configuration, or of a declaration as a whole. */
export interface Edit<Source extends EditSource = EditSource> {
  /** Position of the key of a resource, or of a scope. */
  readonly at: Position;
  /** JSON Pointer below it; "" for the resource itself. Mappings that are missing on the way are made. */
  readonly path: string;
  /** What the configuration declares there now, with expressions resolved; undefined if it declares nothing. */
  readonly declared?: Value | undefined;
  /** Undefined removes what is declared. */
  readonly value: Value | undefined;
  /** Another key for the resource itself, which keeps all that is declared of it. */
  readonly key?: string | undefined;
  /** The order of the keys of the resource: a new one goes behind those that are before it. */
  readonly order?: readonly string[] | undefined;
  /** Whether a new member goes before the others, as an id does. */
  readonly first?: boolean | undefined;
  /** Whether the members of `value` are added to those that are declared there, by their names if those are sorted. Each must be new. */
  readonly add?: boolean | undefined;
  /** Comments above mappings in `value`, by mapping. */
  readonly comments?: Comments | undefined;
  /** The page of a new object, in the place of the page that stands beside `value`; "" for none. */
  readonly page?: string | undefined;
  /** The reason not to make it, if that is known already. Then only its place in the file is found. */
  readonly refusal?: string | undefined;
  readonly source: Source;
}

/** An edit that driftline does not make, so that a person has to. */
export interface ManualEdit<Source extends EditSource = EditSource> {
  readonly edit: Edit<Source>;
  /** The end of a sentence. */
  readonly reason: string;
  /** Where the value is that cannot be changed. */
  readonly at: Position;
  /** The alias or the anchor of that value itself, as it is written: `*shared`, `&shared`. */
  readonly reference?: string | undefined;
}
