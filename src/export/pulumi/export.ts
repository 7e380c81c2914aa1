import { kinds } from "../../kinds/registry.ts";
import { rowIds } from "../../kinds/rows.ts";
import { escapeInvisibleJson } from "../../model/text/invisible.ts";
import type { Json, JsonObject } from "../../model/json/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { markSecrets, SECRET_SIGNATURE, SIGNATURE } from "../../pulumi/properties/mark-secrets.ts";
import { outputs } from "../../pulumi/properties/outputs.ts";
import { MARK } from "../../pulumi/properties/properties.ts";
import { identityOf, packagedType } from "../../pulumi/properties/provider-text.ts";
import { collectOrganizations } from "../organization.ts";
import { ExportSession } from "../session.ts";
import type { ExportedOrganization, ExportedResource, ExportFile, ExportOrganization, ExportResult } from "../types.ts";
import { PULUMI_SECRETS, toDeclaration, type Declaration } from "./declaration.ts";

export interface ImportOptions {
  /** What manages the resources of a program: Pulumi's process of dynamic providers, or driftline's own provider. */
  readonly provider: "dynamic" | "packaged";
  /** Returns the lists of rows that may contain an object. */
  readonly rowsOf: (live: LiveObject) => readonly (readonly JsonObject[])[];
  /** See `ExportOptions`. */
  readonly isSecret?: ((text: string) => boolean) | undefined;
}

/**
 * Exports live organizations as a file for `pulumi import --file`: every resource with the inputs and outputs that the provider would
 * have stored. The import reads nothing from the service, and writes the program. Engines accept outputs since version 3.254.
 * Secrets are not exported: {@link UNKNOWN_SECRET} stands in the place of each.
 *
 * Dynamic resources have no schema, so Pulumi writes no program of them. A second file lists them.
 */
export function exportImports(
  organizations: readonly ExportOrganization[],
  { provider, rowsOf, isSecret }: ImportOptions,
): ExportResult {
  const session = new ExportSession({ ids: true, allFields: true, sharedFields: false, isSecret }, PULUMI_SECRETS);
  const declarations = collectOrganizations(organizations, session).flatMap((one) => declarationsOf(one, session));
  const rows = createRowLookup(rowsOf);
  const stateOf = provider === "packaged" ? packagedState : dynamicState;
  const resources = declarations.map((declaration) => stateOf(declaration, rows(declaration.exported.live)));
  const imports = { name: "import.json", text: `${text({ resources }, 2)}\n` };
  return {
    files: provider === "packaged" ? [imports] : [imports, constructorList(declarations)],
    diagnostics: session.diagnostics,
  };
}

/** The resources of an organization. Nothing in it is declared if it cannot be. */
function declarationsOf(
  { organization, resources, projects, idOnly }: ExportedOrganization,
  session: ExportSession,
): readonly Declaration[] {
  const declare = (all: readonly ExportedResource[], place: JsonObject): readonly Declaration[] =>
    all.flatMap((one) => toDeclaration(one, place, session) ?? []);
  const ofOrganization = idOnly ? [] : declare([organization], {});
  if (!idOnly && ofOrganization.length === 0) return [];
  const inProjects = projects.flatMap((project) => {
    const isNumber = /^[1-9]\d*$/.test(project.id) && Number.isSafeInteger(Number(project.id));
    return declare(project.resources, { projectId: isNumber ? Number(project.id) : project.id });
  });
  return [...ofOrganization, ...declare(resources, { organizationId: organization.live.id }), ...inProjects];
}

/** The constructors that a program of dynamic resources needs, as comments. */
function constructorList(declarations: readonly Declaration[]): ExportFile {
  const titles = [...new Set(declarations.map(({ title }) => title))].toSorted();
  const lines = [
    'The arguments of each are its "inputs" in import.json.',
    `import { ${titles.join(", ")} } from "driftline/pulumi";`,
    ...declarations.map(
      ({ exported, title, id }) => `new ${title}(${text(exported.address)}, { ... }); // ${text(id)}`,
    ),
  ];
  return { name: "constructors.ts", text: lines.map((line) => `// ${line}\n`).join("") };
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
  const { type, text: code } = identityOf(title);
  const provider = { __provider: code };
  const state = outputs(kinds[exported.kind], inputs, row, IMPORTED);
  return { type, name: exported.address, id, inputs: { ...inputs, ...provider }, outputs: { ...state, ...provider } };
}

/** What a read for an import answers. It is the provider's own state, so its ids have no place. */
function packagedState({ exported, title, id, inputs }: Declaration, row: JsonObject | undefined): ImportedState {
  const kind = kinds[exported.kind];
  const [declared = {}, state = {}] = [inputs, outputs(kind, inputs, row, IMPORTED)].map((props) =>
    markSecrets(kind, props, secret),
  );
  return { type: packagedType(title), name: exported.address, id, inputs: declared, outputs: state };
}

/** A secret as the file has it. The engine encrypts it in the state. */
function secret(value: Json): JsonObject {
  return { [SIGNATURE]: SECRET_SIGNATURE, plaintext: JSON.stringify(value) };
}

function text(value: unknown, indent?: number): string {
  return escapeInvisibleJson(JSON.stringify(value, null, indent));
}

/** Finds rows by id. Each list is indexed once. */
function createRowLookup(rowsOf: ImportOptions["rowsOf"]): (live: LiveObject) => JsonObject | undefined {
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
