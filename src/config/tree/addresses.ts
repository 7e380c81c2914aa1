import { collections } from "../../model/kind-name.ts";
import { isObject } from "../../model/json.ts";
import { parseDocuments } from "./parse-documents.ts";

const COLLECTIONS: ReadonlySet<string> = new Set(Object.values(collections));

/** The addresses of all resources that a YAML or JSON text declares, without a check of it. None if it cannot be read. */
export function addressesIn(text: string): readonly string[] {
  if (!/^\s*\{|^["']?driftline["']?:/mu.test(text)) return [];
  try {
    return parseDocuments(text).flatMap((document) => {
      const value: unknown = document.toJS();
      const organizations = isObject(value) && "driftline" in value ? value["organizations"] : undefined;
      return entriesOf(organizations).flatMap(([key, organization]) => [
        key,
        ...inScope(key, organization),
        ...entriesOf(membersOf(organization, "projects")).flatMap(([name, project]) =>
          inScope(`${key}/projects/${name}`, project),
        ),
      ]);
    });
  } catch {
    return [];
  }
}

function inScope(scope: string, value: unknown): readonly string[] {
  return entriesOf(value).flatMap(([collection, resources]) =>
    COLLECTIONS.has(collection) ? entriesOf(resources).map(([name]) => `${scope}/${collection}/${name}`) : [],
  );
}

function membersOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}
