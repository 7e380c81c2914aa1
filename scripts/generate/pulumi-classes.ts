import type { KindSource } from "./kind-schema.ts";
import { HEADER, type Source } from "./source.ts";

const WIDTH = 120;

/** `src/pulumi/resources/classes.ts`: a resource class for each kind, with its arguments. */
export function classesFile({ kinds }: Source): string {
  const all = Object.values(kinds);
  const fields = all.flatMap(({ title }) => [`${title}Computed`, `${title}Fields`]).toSorted();
  const parts = [...new Set(["Inputs", ...all.flatMap((kind) => [...argumentsOf(kind), ...outputsOf(kind)])])];
  return `// ${HEADER}
import type { CustomResourceOptions } from "@pulumi/pulumi";
${statement("import type", fields, "../../generated/pulumi.ts")}
import type { KindName } from "../../model/kind-name.ts";
${statement("import type", parts.toSorted(), "./args.ts")}
import { DriftlineResource, type Outputs } from "./resource.ts";

${Object.entries(kinds)
  .map(([name, kind]) => classOf(name, kind))
  .join("\n")}
/** A resource class whose arguments were checked elsewhere. */
export type ResourceClass = new (name: string, args: never, options?: CustomResourceOptions) => DriftlineResource;

/** The class of each kind. */
export const classes: Readonly<Record<KindName, ResourceClass>> = {
${Object.entries(kinds)
  .map(([name, { title }]) => `  ${name}: ${title},\n`)
  .join("")}};
`;
}

/** `src/pulumi/index.ts`: the module that programs import. */
export function indexFile({ kinds }: Source): string {
  const titles = Object.values(kinds).map(({ title }) => title);
  const names = [...titles.toSorted(), ...titles.toSorted().map((title) => `type ${title}Args`)];
  return `// ${HEADER}
/**
 * Every kind as a Pulumi resource.
 *
 * @example
 * import { Domain, Organization } from "driftline/pulumi";
 *
 * const acme = new Organization("acme", { name: "Acme Inc", adopt: true }, { protect: true });
 * new Domain("corp", { organizationId: acme.id, domain: "acme.com", jitProvisioningEnabled: true });
 */
${statement("export", names, "./resources/classes.ts")}
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

function classOf(name: string, kind: KindSource): string {
  const { title } = kind;
  const outputs = [`${title}Fields`, `${title}Computed`, ...outputsOf(kind)].join(" & ");
  const line = `export interface ${title} extends Outputs<${outputs}> {}`;
  return `/** Arguments of {@link ${title}}. */
export type ${title}Args = ${[`Inputs<${title}Fields>`, ...argumentsOf(kind)].join(" & ")};

/** ${aboutClass(kind)} */
export class ${title} extends DriftlineResource {
  constructor(name: string, args: ${title}Args, options?: CustomResourceOptions) {
    super("${name}", name, args, options);
  }
}
${line.length > WIDTH ? line.replace("Outputs<", "Outputs<\n  ").replace("> {}", "\n> {}") : line}
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
