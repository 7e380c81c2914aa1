import type { Kind } from "../kinds/kind.ts";
import { kindOfCollection } from "../kinds/registry.ts";

/** Where something stands in a document. */
export interface Place {
  /** The type of the scope around it; undefined for what is in no organization. */
  readonly scope?: "organization" | "project";
  /** The kind of the resource around it, which is declared in that scope. */
  readonly kind?: Kind;
  /** The address of that resource, or else of the scope. */
  readonly address?: string;
  /** The keys below all of that. */
  readonly keys: readonly string[];
}

export function placeAt(path: readonly string[]): Place {
  const [top, organization, section, project, ...inProject] = path;
  if (top !== "organizations" || organization === undefined) return { keys: path };
  return section === "projects" && project !== undefined
    ? inScope("project", `${organization}/projects/${project}`, inProject)
    : inScope("organization", organization, path.slice(2));
}

function inScope(scope: "organization" | "project", address: string, keys: readonly string[]): Place {
  const [collection = "", name, ...inResource] = keys;
  const kind = name === undefined ? undefined : kindOfCollection(scope, collection);
  if (kind === undefined) return { scope, address, keys };
  return { scope, kind, address: `${address}/${collection}/${name}`, keys: inResource };
}
