import type { KindSource } from "./kind-schema.ts";
import { HEADER, type Source } from "./source.ts";

const WIDTH = 120;

/** `src/pulumi/resources/types.ts`: the arguments of the resource classes, and their outputs. */
export function argumentsFile({ kinds }: Source): string {
  const all = Object.values(kinds);
  const fields = all.flatMap(({ title }) => [`${title}Computed`, `${title}Fields`]).toSorted();
  const parts = [...new Set(["Inputs", ...all.flatMap((kind) => [...argumentsOf(kind), ...outputsOf(kind)])])];
  return `// ${HEADER}
${statement("import type", fields, "../../generated/pulumi.ts")}
${statement("import type", parts.toSorted(), "./args.ts")}
import type { Outputs } from "./resource.ts";

${all.map((kind) => typesOf(kind)).join("\n")}`;
}

/** The two families of resource classes: for dynamic resources, and for the packaged provider. */
const FAMILIES = {
  classes: { base: "DriftlineResource", entry: "pulumi", about: "Every kind as a Pulumi resource." },
  packaged: {
    base: "PackagedResource",
    entry: "packaged",
    about: "Every kind as a resource of the packaged provider, which Pulumi has to find first: see docs/pulumi.md.",
  },
} as const;

/** `src/pulumi/resources/classes.ts` and `packaged.ts`: a resource class for each kind. */
export function classesFile({ kinds }: Source, family: keyof typeof FAMILIES): string {
  const { base } = FAMILIES[family];
  const types = Object.values(kinds).flatMap(({ title }) => [`${title}Args`, `${title}Outputs`]);
  return `// ${HEADER}
import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { KindName } from "../../model/kind-name.ts";
${statement("import type", types.toSorted(), "./types.ts")}
import { ${base}, type ResourceClass } from "./resource.ts";

${Object.entries(kinds)
  .map(([name, kind]) => classOf(name, kind, base))
  .join("\n")}
/** The class of each kind. */
export const ${family}: Readonly<Record<KindName, ResourceClass>> = {
${Object.entries(kinds)
  .map(([name, { title }]) => `  ${name}: ${title},\n`)
  .join("")}};
`;
}

/** `src/pulumi/index.ts` and `packaged.ts`: the modules that programs import. */
export function indexFile({ kinds }: Source, family: keyof typeof FAMILIES): string {
  const { entry, about } = FAMILIES[family];
  const titles = Object.values(kinds)
    .map(({ title }) => title)
    .toSorted();
  const types = titles.map((title) => `${title}Args`);
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
${statement("export type", types, "./resources/types.ts")}
${statement("export", titles, `./resources/${family}.ts`)}
`;
}

/** `src/pulumi/dynamic.ts`: a provider for each kind, under its name in Pulumi states. */
export function dynamicFile({ kinds }: Source): string {
  const entries = Object.entries(kinds).map(
    ([name, { title }]) =>
      `export const ${title.charAt(0).toLowerCase()}${title.slice(1)} = (): Provider => createProvider(kinds.${name});\n`,
  );
  return `// ${HEADER}
/**
 * Every Pulumi state contains the text \`require("driftline/dynamic").<kind>()\`, which loads this module. So the module and its
 * names never disappear, and it reads what every earlier release has written. No module that it imports may use a top-level
 * await, or it could not be required.
 */
import { kinds } from "../kinds/registry.ts";
import { createProvider } from "./provider/adapter.ts";
import type { Provider } from "./provider/provider.ts";

export type { Provider };

${entries.join("")}`;
}

function typesOf(kind: KindSource): string {
  const { title } = kind;
  const outputs = [`${title}Fields`, `${title}Computed`, ...outputsOf(kind)].join(" & ");
  const line = `export type ${title}Outputs = Outputs<${outputs}>;`;
  return `/** Arguments of ${title}. ${kind.description} */
export type ${title}Args = ${[`Inputs<${title}Fields>`, ...argumentsOf(kind)].join(" & ")};

/** Outputs of ${title}. */
${line.length > WIDTH ? line.replace("Outputs<", "Outputs<\n  ").replace(">;", "\n>;") : line}
`;
}

function classOf(name: string, kind: KindSource, base: string): string {
  const { title } = kind;
  return `/** ${aboutClass(kind)} */
export class ${title} extends ${base} {
  constructor(name: string, args: ${title}Args, options?: CustomResourceOptions) {
    super("${name}", name, args, options);
  }
}
export interface ${title} extends ${title}Outputs {}
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
