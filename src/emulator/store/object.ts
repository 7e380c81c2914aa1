import type { Id, Row } from "./table.ts";

/** An object as stored: all fields, including secrets and internal fields. */
export interface StoredObject {
  readonly id: Id;
  readonly [field: string]: unknown;
}

/** Copies a row, so that a caller cannot change the store by accident. */
export function toObject(row: Row): StoredObject {
  return { ...structuredClone(row) };
}
