/** The members of a kind's descriptor that have several parts. */
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ValueObject } from "../model/json/json.ts";
import type { OperationName } from "./all-operations.ts";

/** Something that is wrong with declared values on every service, and the path to the value: a field, then the keys below it. */
export type ValueProblem = Pick<Diagnostic, "code" | "message" | "hint"> & { readonly keys: readonly string[] };

/**
 * How an export treats a field, instead of writing every value that is not the default.
 * - `never`: the service sets it by itself, so an exported value would soon be wrong.
 * - `always`: the default is exported as well, because it says who may do what, or null is a state of its own.
 * - `empty_at_first`: it has no documented default, and a create leaves it empty. An empty value is not exported.
 * - a list to which others add elements elsewhere, with the reason: left out, or declared in part with ids and all fields.
 */
export type FieldExport = "never" | "always" | "empty_at_first" | { readonly shared: string };

export interface ExportRules {
  /** The fields that are not treated as all others. */
  readonly fields?: Readonly<Record<string, FieldExport>>;
  /** What the declared values refer to that only their own project has. An export without ids lists it. */
  readonly projectReferences?: (values: ValueObject) => readonly ProjectReference[];
  /** Set if `init` asks whether the files are to declare all objects, because each of them gives somebody access. */
  readonly asksComplete?: true;
}

/** The id of something that only one project has, and that driftline does not manage. */
export interface ProjectReference {
  /** What it is: `cohort`. */
  readonly what: string;
  /** Its number, or the name of an SQL variable. */
  readonly id: string;
  /** The path to the id: a field, then the keys below it. */
  readonly keys: readonly string[];
  /** If the id is in a text there: the part of it that ends with the id. */
  readonly part?: string;
}

/** One API call, without the ids of its scope. `body` may hold secret expressions. */
export interface Call {
  readonly operation: OperationName;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: ValueObject;
}

export type NodeType = "map" | "node" | "nodes";

/** What is known of the nodes in a free-form field. A node is an object that names its kind. */
export interface NodeTable {
  /** By kind: its keys, in the order in which an export writes them. Undefined for a node that is not known completely. */
  readonly keys: Readonly<Record<string, readonly string[] | undefined>>;
  /** By key of such a node, for keys that hold settings: the names of those settings. */
  readonly settings: Readonly<Record<string, readonly string[]>>;
  /** By key of a node: the texts that its value may be, or whether it is a mapping, another node, or a list of nodes. */
  readonly values: Readonly<Record<string, readonly string[] | NodeType>>;
}
