import type { Kind, ScopeType } from "../../kinds/kind.ts";
import type { ProblemDetail, Problems } from "../problems.ts";
import type { Member, Node, TreePosition } from "../tree/tree.ts";
import { Secret } from "../../model/json.ts";

/** A resource on its way from what is declared to what is meant. */
export interface ResourceDraft {
  readonly address: string;
  readonly kind: Kind;
  readonly scope: string;
  readonly scopeType: ScopeType;
  /** The key under which it is declared. */
  readonly name: string;
  /** Of that key. */
  readonly place: TreePosition;
  readonly members: ReadonlyMap<string, Member>;
  /** Keys that stand next to its fields but are no business of the kind's. */
  readonly otherKeys: readonly string[];
  readonly problems: Problems;
}

/** Reports an error of the resource. */
export function failAt(draft: ResourceDraft, place: TreePosition, remark: Omit<ProblemDetail, "address">): undefined {
  return draft.problems.error(place, { ...remark, address: draft.address });
}

/** Refuses a secret where its value would have to be known before the moment of sending. */
export function rejectSecrets(node: Node, what: string, problems: Problems, address?: string): boolean {
  const [first] = secretsIn(node);
  if (first === undefined) return false;
  const message = `a secret cannot be used in ${what}`;
  const hint = "its value has to be known without the secret; use ${var:...} or ${env:...}";
  problems.error(first, { code: "secret_not_allowed", message, hint, address });
  return true;
}

/** A scalar that holds a secret. */
export interface SecretNode extends TreePosition {
  readonly value: Secret;
}

const NONE: readonly SecretNode[] = [];

/** Every secret in the tree. */
export function secretsIn(node: Node): readonly SecretNode[] {
  if (node.source.isLiteral) return NONE;
  const found: SecretNode[] = [];
  collectSecrets(node, found);
  return found;
}

function collectSecrets(node: Node, found: SecretNode[]): void {
  if (node.type === "map") for (const { value } of node.members.values()) collectSecrets(value, found);
  else if (node.type === "list") for (const item of node.items) collectSecrets(item, found);
  else if (node.type === "scalar" && node.value instanceof Secret)
    found.push({ source: node.source, mark: node.mark, value: node.value });
}

/** Whether something in the tree was reported already. */
export function isBroken(node: Node | undefined): boolean {
  if (node?.type === "list") return node.items.some(isBroken);
  if (node?.type === "map") return [...node.members.values()].some(({ value }) => isBroken(value));
  return node?.type === "broken";
}
