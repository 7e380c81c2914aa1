import { kinds } from "../../kinds/registry.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { rowIds, outputs } from "../../pulumi/properties/outputs.ts";
import { MARK } from "../../pulumi/properties/properties.ts";
import { identityOf, packagedType } from "../../pulumi/properties/provider-text.ts";
import { markSecrets, SECRET_SIGNATURE, SIGNATURE } from "../../pulumi/properties/mark-secrets.ts";
import { withoutAdopt, type Declaration, type ProgramProvider } from "./declaration.ts";
import { escapeInvisibleJson } from "../../model/invisible.ts";

/** Returns the lists of rows that may contain an object. */
export type RowsOf = (live: LiveObject) => readonly (readonly JsonObject[])[];

/**
 * The file for `pulumi import --file`: every resource with the inputs and outputs that the provider would have stored. The
 * import reads nothing from the service, and afterwards nothing differs. Engines accept outputs since version 3.254. Earlier
 * engines try to read the resources, and fail.
 */
export function importFile(declarations: readonly Declaration[], rowsOf: RowsOf, provider: ProgramProvider): string {
  const rows = createRowLookup(rowsOf);
  const stateOf = provider === "packaged" ? packagedState : dynamicState;
  const resources = declarations.map((declaration) => stateOf(declaration, rows(declaration.exported.live)));
  return `${escapeInvisibleJson(JSON.stringify({ resources }, null, 2))}\n`;
}

/** A resource in the file. */
interface ImportedState {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** The mark lets a resource that is later renamed in the program keep its object. */
const IMPORTED = { [MARK]: "imported" };

function dynamicState({ exported, title, id, inputs }: Declaration, row: JsonObject | undefined): ImportedState {
  const { type, text } = identityOf(title);
  const own = { __provider: text };
  const state = outputs(kinds[exported.kind], inputs, row, IMPORTED);
  return { type, name: exported.address, id, inputs: { ...inputs, ...own }, outputs: { ...state, ...own } };
}

/** What a read for an import answers. It is the provider's own state, so its ids have no place. */
function packagedState({ exported, title, id, inputs: all }: Declaration, row: JsonObject | undefined): ImportedState {
  const kind = kinds[exported.kind];
  const inputs = withoutAdopt(all);
  const [declared = {}, state = {}] = [inputs, outputs(kind, inputs, row, IMPORTED)].map((props) =>
    markSecrets(kind, props, secret),
  );
  return { type: packagedType(title), name: exported.address, id, inputs: declared, outputs: state };
}

/** A secret as the file has it. The engine encrypts it in the state. */
function secret(value: Json): JsonObject {
  return { [SIGNATURE]: SECRET_SIGNATURE, plaintext: JSON.stringify(value) };
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
