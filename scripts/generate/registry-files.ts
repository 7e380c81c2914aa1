import { SCOPES, type KindSource } from "./kind-schema.ts";
import { HEADER, type Source } from "./source.ts";

/** `src/kinds/all-kinds.ts`: the behaviour of every kind. */
export function allKindsFile({ kinds }: Source): string {
  const names = Object.keys(kinds);
  const folders = new Map<string, string[]>();
  for (const name of names) {
    const folder = folderOf(name, kinds[name]?.["x-resource"]);
    folders.set(folder, [...(folders.get(folder) ?? []), camel(name)]);
  }
  const imports = [...folders].map(
    ([folder, exports]) => `import { ${exports.join(", ")} } from "./${folder}/kind.ts";`,
  );
  return `// ${HEADER}
import type { KindName } from "../generated/kind-names.ts";
import type { Kind } from "./kind.ts";
${imports.join("\n")}

/** The behaviour of each kind. */
export const kinds: Readonly<Record<KindName, Kind>> = {
${names.map((name) => `  ${name === camel(name) ? name : `${name}: ${camel(name)}`},\n`).join("")}};
`;
}

/** `src/kinds/all-operations.ts`: the operations of every kind that is a resource of the interface. */
export function allOperationsFile({ kinds }: Source): string {
  // By scope, then by name: the order in which commands list the operations.
  const sorted = Object.entries(kinds).toSorted(
    ([a, one], [b, other]) => scopeRank(one) - scopeRank(other) || (a < b ? -1 : 1),
  );
  const unique = [...new Set(sorted.flatMap(([name, { "x-resource": resource = name }]) => resource ?? []))];
  const imports = unique.map(
    (name) => `import { operations as ${camel(name)} } from "./${kebab(name)}/operations.ts";`,
  );
  return `// ${HEADER}
${imports.join("\n")}

/** By reference, because the declaration of the inferred type repeats every operation. */
type Operations = ${unique.map((name) => `typeof ${camel(name)}`).join(" &\n  ")};

/** The operations of every kind, as the interface document shows them. */
export const documentedOperations: Operations = {
${unique.map((name) => `  ...${camel(name)},\n`).join("")}};

/** The name of an operation, such as \`domains.update\`. */
export type OperationName = keyof typeof documentedOperations;
`;
}

/** Every organization is in the service, and every project in an organization. */
function scopeRank({ "x-scopes": scopes }: KindSource): number {
  return Math.min(...scopes.map((scope) => SCOPES.indexOf(scope)));
}

/** Kinds that are one resource of the interface share its folder. */
function folderOf(name: string, resource: string | null | undefined): string {
  return kebab(resource ?? name);
}

function kebab(name: string): string {
  return name.replaceAll("_", "-");
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
