import type { KindSource } from "./kind-schema.ts";
import { DESCRIPTIONS } from "./pulumi-schema.ts";
import { HEADER, type Source } from "./source.ts";

const WIDTH = 120;

/** `src/pulumi/resources/types.ts`: the arguments and the outputs of the resource classes. */
export function argumentsFile({ kinds }: Source): string {
  const all = Object.entries(kinds);
  const fields = all.flatMap(([, { title }]) => [`${title}Computed`, `${title}Fields`]).toSorted();
  const parts = [...new Set(["Inputs", ...all.flatMap(([, kind]) => [...argumentsOf(kind), ...outputsOf(kind)])])];
  return `// ${HEADER}
${statement("import type", fields, "../../generated/pulumi.ts")}
${statement("import type", parts.toSorted(), "./args.ts")}

${all.map(([, kind]) => argumentsType(kind)).join("\n")}
/** The arguments of each class, by kind. */
export interface ArgumentsOf {
${all.map(([name, { title }]) => `  readonly ${name}: ${title}Args;\n`).join("")}}

/** The values of the outputs of each class, by kind. */
export interface OutputsOf {
${all.map(([name, kind]) => `  readonly ${name}: ${[`${kind.title}Fields`, `${kind.title}Computed`, ...outputsOf(kind)].join(" & ")};\n`).join("")}}
`;
}

/** The two families of resource classes: for dynamic resources, and for the packaged provider. */
const FAMILIES = {
  pulumi: { factory: "dynamicClass", lookup: "own", about: "Every kind as a Pulumi resource." },
  packaged: {
    factory: "packagedClass",
    lookup: "packaged",
    about: "Every kind as a resource of the packaged provider, which Pulumi has to find first: see docs/pulumi.md.",
  },
} as const;

/** `src/pulumi/index.ts` and `packaged.ts`: the modules that programs import, with a resource class for each kind, and enumerations. */
export function classesFile(
  { kinds }: Source,
  entry: keyof typeof FAMILIES,
  enumerations: readonly string[] = [],
): string {
  const { factory, lookup, about } = FAMILIES[entry];
  const types = Object.values(kinds).map(({ title }) => `${title}Args`);
  return `// ${HEADER}
/**
 * ${about}
 *
 * @example
 * import { Domain, Organization } from "driftline/${entry}";
 *
 * const acme = new Organization("acme", { name: "Acme Inc", adopt: true }, { protect: true });
 * new Domain("corp", { organizationId: acme.id, domain: "acme.com", jitProvisioningEnabled: true });
 */
import { ${lookup}Lookup, ${lookup}Output } from "./resources/lookups.ts";
import { ${factory} } from "./resources/resource.ts";

export type { Other } from "../model/program-types.ts";
${entry === "packaged" ? 'export { Provider, type ProviderArgs } from "./resources/packaged-provider.ts";\n' : ""}export type * from "../generated/query-nodes.ts";
${enumerations.length === 0 ? "" : `${statement("export", enumerations.toSorted(), "../generated/pulumi-enums.ts")}\n`}${statement("export type", types.toSorted(), "./resources/types.ts")}

${Object.entries(kinds)
  .map(([name, kind]) => `/** ${aboutClass(kind)} */\nexport class ${kind.title} extends ${factory}("${name}") {}\n`)
  .join("\n")}
${Object.entries(DESCRIPTIONS)
  .map(
    ([name, description]) =>
      `/** ${description} */\nexport const ${name} = ${lookup}Lookup("${name}");\n/** ${description} Its arguments may be outputs. */\nexport const ${name}Output = ${lookup}Output("${name}");\n`,
  )
  .join("\n")}`;
}

/** `src/pulumi/dynamic.ts`: a provider for each kind, under its name in Pulumi states. */
export function dynamicFile({ kinds }: Source): string {
  const entries = Object.entries(kinds).map(
    ([name, { title }]) =>
      `export const ${title.charAt(0).toLowerCase()}${title.slice(1)} = (): Provider => new Provider(kinds.${name}, undefined, log);\n`,
  );
  return `// ${HEADER}
/**
 * Every Pulumi state contains the text \`require("driftline/dynamic").<kind>()\`, which loads this module. So the module and its
 * names never disappear, and it reads what every earlier release has written. No module that it imports may use a top-level
 * await, or it could not be required.
 */
import { kinds } from "../kinds/registry.ts";
import { logOfProcess } from "./plugin/engine-log.ts";
import { KindProvider as Provider } from "./provider/kind-provider.ts";
import { callFunction } from "./provider/functions.ts";
import type { StackConfig } from "./provider/calls.ts";
import { sessionOf } from "./provider/session.ts";
import type { FunctionName } from "./properties/functions.ts";
import type { Properties } from "./properties/properties.ts";

export type { Provider };

const log = logOfProcess();

/** Answers a look-up of the program, whose process this is then. An argument may be undefined. */
export const lookUp = (name: FunctionName, args: object, config: StackConfig): Promise<object> =>
  callFunction(() => sessionOf(config), name, JSON.parse(JSON.stringify(args)) as Properties);

${entries.join("")}`;
}

function argumentsType(kind: KindSource): string {
  const { title } = kind;
  return `/** Arguments of ${title}. ${kind.description} */
export type ${title}Args = ${[`Inputs<${title}Fields>`, ...argumentsOf(kind)].join(" & ")};
`;
}

function aboutClass(kind: KindSource): string {
  const guarded = isOutermost(kind) ? ["Never deleted without `confirmDelete`."] : [];
  return [kind.description, ...guarded, kind["x-note"] ?? []].flat().join(" ");
}

/** The arguments of a class besides its fields: its scope, and the person that it is about. */
function argumentsOf(kind: KindSource): readonly string[] {
  const place = isOutermost(kind) ? ["Adoptable", "Deletable"] : [`In${placeOf(kind)}`];
  return [...place, ...(kind["x-keyed-by"] === undefined ? [] : ["ByEmail"])];
}

function outputsOf(kind: KindSource): readonly string[] {
  const place = isOutermost(kind) ? [] : [`Of${placeOf(kind)}`];
  return [...place, ...(kind["x-keyed-by"] === undefined ? [] : ["OfPerson"])];
}

/** All other objects belong to one of such a kind, so its deletion must be confirmed. */
function isOutermost(kind: KindSource): boolean {
  return kind["x-scopes"].includes("service");
}

function placeOf({ "x-scopes": scopes }: KindSource): string {
  if (scopes.length > 1) return "Either";
  return scopes.includes("project") ? "Project" : "Organization";
}

/** An import or export of names, in the repository's format. */
function statement(verb: string, names: readonly string[], from: string): string {
  const line = `${verb} { ${names.join(", ")} } from "${from}";`;
  if (line.length <= WIDTH) return line;
  return `${verb} {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";`;
}
