import { kinds } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { rowIds, outputs } from "../../pulumi/properties/outputs.ts";
import { MARK } from "../../pulumi/properties/properties.ts";
import { identityOf, packagedType } from "../../pulumi/properties/provider-text.ts";
import type { Declaration } from "./declaration.ts";
import { escapeInvisibleJson } from "../../model/invisible.ts";

/** Returns the lists of rows that may contain an object. */
export type RowsOf = (live: LiveObject) => readonly (readonly JsonObject[])[];

/**
 * The file for `pulumi import --file`: every resource with the inputs and outputs that the provider would have stored. The
 * import reads nothing from the service, and afterwards nothing differs. Engines accept outputs since version 3.254. Earlier
 * engines try to read the resources, which dynamic providers do not support.
 */
export function importFile(declarations: readonly Declaration[], rowsOf: RowsOf): string {
  const rows = createRowLookup(rowsOf);
  // The mark lets a resource that is later renamed in the program keep its object.
  const mark = { [MARK]: "imported" };
  const resources = declarations.map(({ exported, title, id, inputs }) => {
    const { type, text } = identityOf(title);
    const state = outputs(kinds[exported.kind], inputs, rows(exported.live), mark);
    const own = { __provider: text };
    return { type, name: exported.address, id, inputs: { ...inputs, ...own }, outputs: { ...state, ...own } };
  });
  return `${escapeInvisibleJson(JSON.stringify({ resources }, null, 2))}\n`;
}

/**
 * The same for the packaged provider, which reads the resources itself: types, names, and ids that begin with the place, as in
 * `2/5`.
 */
export function packagedImportFile(declarations: readonly Declaration[]): string {
  const resources = declarations.map(({ exported, title, id, parent }) => ({
    type: packagedType(title),
    name: exported.address,
    id: parent === undefined ? id : `${String(parent.id)}/${id}`,
  }));
  return `${escapeInvisibleJson(JSON.stringify({ resources }, null, 2))}\n`;
}

/** Finds rows by id. Each list is indexed once. */
function createRowLookup(rowsOf: RowsOf): (live: LiveObject) => JsonObject | undefined {
  const indexes = new Map<readonly JsonObject[], ReadonlyMap<string, JsonObject>>();
  const byId = (rows: readonly JsonObject[]): ReadonlyMap<string, JsonObject> => {
    const index = indexes.get(rows) ?? new Map(rows.flatMap((row) => rowIds(row).map((id) => [id, row] as const)));
    indexes.set(rows, index);
    return index;
  };
  return (live) =>
    rowsOf(live)
      .map((rows) => byId(rows).get(live.id))
      .find((row) => row !== undefined);
}
