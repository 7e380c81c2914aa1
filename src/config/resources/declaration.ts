import type { Kind, ScopeType } from "../../kinds/kind.ts";
import type { Member, TreePosition } from "../tree/tree.ts";

/** A scope as it is declared, put together from every document that speaks of it. */
export interface ScopeDeclaration {
  readonly type: Exclude<ScopeType, "service">;
  readonly address: string;
  /** The key under which it is declared. */
  readonly name: string;
  /** The key where it was declared first. */
  readonly place: TreePosition;
  /** Its own keys: API fields, `lifecycle`, `exclusive`; for a project `id`, `name` and `exclusive`. */
  readonly own: Map<string, Member>;
  readonly resources: Map<string, ResourceDeclaration>;
  /** Of an organization, by address. */
  readonly projects: Map<string, ScopeDeclaration>;
}

/** A resource as it is declared under a collection. */
export interface ResourceDeclaration {
  readonly address: string;
  readonly kind: Kind;
  readonly scope: ScopeDeclaration;
  /** The key under which it is declared, with what stands there. */
  readonly member: Member;
}

/** Everything that the documents declare. */
export interface Declarations {
  readonly service: Map<string, Member>;
  readonly organizations: Map<string, ScopeDeclaration>;
}
