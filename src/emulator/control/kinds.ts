import type { PluginGroup } from "../records/plugin.ts";
import type { Id, Row } from "../store/table.ts";
import type { Store } from "../store/store.ts";

/** The kinds of objects that can be looked at and changed from outside. */
export type EmulatedKind =
  | "organization"
  | "domain"
  | "invite"
  | "member"
  | "batch_export"
  | "pipeline_destination"
  | "pipeline_frontend_app"
  | "pipeline_import_app"
  | "insight";

/** An object as the store holds it: all fields, secrets and internal ones too. */
export interface StoredObject {
  readonly id: Id;
  readonly [field: string]: unknown;
}

/** Where a kind's objects are, seen as rows of any shape. */
interface AnyTable {
  get(id: Id): Row | undefined;
  remove(id: Id): boolean;
  all(): readonly Row[];
  /** Puts a row back in its own table; what it holds is the caller's responsibility. */
  put(row: Row): Row;
}

/** The group that a plugin kind stands for. */
export const GROUPS: Readonly<Partial<Record<EmulatedKind, PluginGroup>>> = {
  pipeline_destination: "pipeline_destinations",
  pipeline_frontend_app: "pipeline_frontend_apps",
  pipeline_import_app: "pipeline_import_apps",
};

/** The table that holds a kind; the three plugin kinds share one. */
export function tableOf(store: Store, kind: EmulatedKind): AnyTable {
  const tables = {
    organization: store.organizations,
    domain: store.domains,
    invite: store.invites,
    member: store.members,
    batch_export: store.batchExports,
    pipeline_destination: store.plugins,
    pipeline_frontend_app: store.plugins,
    pipeline_import_app: store.plugins,
    insight: store.insights,
  } satisfies Record<EmulatedKind, unknown>;
  return tables[kind];
}

/** The objects of a kind. */
export function objectsOf(store: Store, kind: EmulatedKind): readonly StoredObject[] {
  const group = GROUPS[kind];
  const objects = tableOf(store, kind).all().map(toObject);
  return group === undefined ? objects : objects.filter((object) => object["group"] === group);
}

/** A row as an object of its own, so that nobody changes the store by accident. */
export function toObject(row: Row): StoredObject {
  return { ...structuredClone(row) };
}

const KINDS: ReadonlySet<string> = new Set<EmulatedKind>([
  "organization",
  "domain",
  "invite",
  "member",
  "batch_export",
  "pipeline_destination",
  "pipeline_frontend_app",
  "pipeline_import_app",
  "insight",
]);

/** Whether a text names a kind. */
export function isKind(text: string): text is EmulatedKind {
  return KINDS.has(text);
}
