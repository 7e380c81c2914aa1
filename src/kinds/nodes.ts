import type { KindName } from "../model/kind-name.ts";
import type { NodeTable } from "./kind-parts.ts";
import { kinds } from "./registry.ts";

/** The nodes of each free-form field of a kind. */
export function nodesOf(kind: KindName): Readonly<Record<string, NodeTable>> {
  return kinds[kind].nodes ?? {};
}

/** Whether a field is compared whole. */
export function isWhole(kind: KindName, field: string): boolean {
  return Object.hasOwn(nodesOf(kind), field);
}
