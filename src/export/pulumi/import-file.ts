import { kinds } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { rowIds, outs } from "../../pulumi/properties/outs.ts";
import { MARK } from "../../pulumi/properties/properties.ts";
import { identityOf } from "../../pulumi/properties/provider-text.ts";
import type { Declaration } from "./declaration.ts";
import { withCodes } from "./literal.ts";

/** The rows of the service in which an object was seen. */
export type RowsOf = (live: LiveObject) => readonly (readonly JsonObject[])[];

/**
 * What `pulumi import --file` takes: every resource with its inputs and outputs as the provider would have left them, so that
 * nothing is read and nothing differs. The engine takes outputs since 3.254; earlier ones try to read, which resources of
 * dynamic providers cannot.
 */
export function importFile(declarations: readonly Declaration[], rowsOf: RowsOf): string {
  const rows = createRows(rowsOf);
  // What is renamed in the program afterwards takes over from the name that it was imported by.
  const mark = { [MARK]: "imported" };
  const resources = declarations.map(({ exported, title, id, inputs }) => {
    const { type, text } = identityOf(title);
    const state = outs(kinds[exported.kind], inputs, rows(exported.live), mark);
    const own = { __provider: text };
    return { type, name: exported.address, id, inputs: { ...inputs, ...own }, outputs: { ...state, ...own } };
  });
  return `${withCodes(JSON.stringify({ resources }, null, 2))}\n`;
}

/** Rows by id: a list is gone through once. */
function createRows(rowsOf: RowsOf): (live: LiveObject) => JsonObject | undefined {
  const known = new Map<readonly JsonObject[], ReadonlyMap<string, JsonObject>>();
  const byId = (rows: readonly JsonObject[]): ReadonlyMap<string, JsonObject> => {
    const found = known.get(rows) ?? new Map(rows.flatMap((row) => rowIds(row).map((id) => [id, row] as const)));
    known.set(rows, found);
    return found;
  };
  return (live) =>
    rowsOf(live)
      .map((rows) => byId(rows).get(live.id))
      .find((row) => row !== undefined);
}
