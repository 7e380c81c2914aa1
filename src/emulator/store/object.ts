import type { Id, Row } from "./table.ts";

/** An object as the store holds it: all fields, secrets and internal ones too. */
export interface StoredObject {
  readonly id: Id;
  readonly [field: string]: unknown;
}

/** A row as an object of its own, so that nobody changes the store by accident. */
export function toObject(row: Row): StoredObject {
  return { ...structuredClone(row) };
}
