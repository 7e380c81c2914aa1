import { isObject } from "../../model/json/json.ts";
import { collections, type KindName, kindNames } from "../../model/kind-name.ts";
import type { Lifecycle } from "../../model/resource.ts";
import { parseDocuments } from "./parse-documents.ts";

const KINDS: ReadonlyMap<string, KindName> = new Map(kindNames.map((kind) => [collections[kind], kind]));

/** What stands at an address. */
interface DeclaredEntry {
  readonly address: string;
  readonly kind: KindName;
  readonly values: Readonly<Record<string, unknown>>;
  readonly lifecycle: Lifecycle;
}

/** All resources that a YAML or JSON text declares, without a check of it. None if it cannot be read. */
export function declaredIn(text: string): readonly DeclaredEntry[] {
  if (!/^\s*\{|^["']?driftline["']?:/mu.test(text)) return [];
  try {
    return parseDocuments(text).flatMap((document) => {
      const value: unknown = document.toJS();
      const organizations = isObject(value) && "driftline" in value ? value["organizations"] : undefined;
      return entriesOf(organizations).flatMap(([key, organization]) => [
        entryOf(key, "organization", organization),
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

function inScope(scope: string, value: unknown): readonly DeclaredEntry[] {
  return entriesOf(value).flatMap(([collection, resources]) => {
    const kind = KINDS.get(collection);
    return kind === undefined
      ? []
      : entriesOf(resources).map(([name, resource]) => entryOf(`${scope}/${collection}/${name}`, kind, resource));
  });
}

function entryOf(address: string, kind: KindName, value: unknown): DeclaredEntry {
  const values = isObject(value) ? value : {};
  const { forget, ignore, protect } = isObject(values["lifecycle"]) ? values["lifecycle"] : {};
  const ignored = Array.isArray(ignore) ? ignore.map(String) : [];
  return { address, kind, values, lifecycle: { forget: forget === true, ignore: ignored, protect: protect === true } };
}

function membersOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}
