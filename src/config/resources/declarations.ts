/** What is declared, before it is validated. */
import type { Kind, ScopeType } from "../../kinds/kind.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { Problems } from "../problems.ts";
import type { Member, TreePosition } from "../tree/tree.ts";

/** A declared scope, merged from all documents that mention it. */
export interface ScopeDeclaration {
  readonly type: Exclude<ScopeType, "service">;
  readonly address: string;
  /** The key under which it is declared. */
  readonly name: string;
  /** The keys that declare it, in the order of the documents. */
  readonly keys: Member[];
  /** Its own keys: API fields, `lifecycle`, `exclusive`; for a project `id`, `name` and `exclusive`. */
  readonly own: Map<string, Member>;
  readonly resources: Map<string, ResourceDeclaration>;
  /** The collections that are written down without a value. */
  readonly valueless: Map<KindName, Member>;
  /** The projects of an organization, by address. */
  readonly projects: Map<string, ScopeDeclaration>;
}

/** A resource that is declared under a collection. */
export interface ResourceDeclaration {
  readonly address: string;
  readonly kind: Kind;
  readonly scope: ScopeDeclaration;
  /** The key under which it is declared, and its value. */
  readonly member: Member;
}

/** All declarations of the documents. */
export interface Declarations {
  /** The files with `undeclared: report`. */
  readonly reporting: Set<string>;
  readonly service: Map<string, Member>;
  readonly organizations: Map<string, ScopeDeclaration>;
}

/** A declaration with all that its checks need: its place in the graph, its fields, and where its problems go. */
export interface ResourceDraft {
  readonly address: string;
  readonly kind: Kind;
  /** The address of its scope. */
  readonly scope: string;
  readonly scopeType: ScopeType;
  /** The key under which it is declared. */
  readonly name: string;
  /** The position of that key. */
  readonly place: TreePosition;
  /** Its fields and `lifecycle`, by key. */
  readonly members: ReadonlyMap<string, Member>;
  /** Keys that may appear beside its fields but do not belong to the kind. */
  readonly otherKeys: readonly string[];
  /** Takes those of this resource. */
  readonly problems: Problems;
}

/** What a check of free-form values has to know of a declaration. */
export type CheckedDraft = Pick<ResourceDraft, "kind" | "problems">;
