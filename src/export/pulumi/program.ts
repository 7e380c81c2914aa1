/**
 * The text of a Pulumi program.
 *
 * Premise: whoever gets it goes on with it by hand. So it is what they would have written: an organization is a variable whose
 * id the others use, a project's number has a name, and secrets have one place where they come from.
 */
import { Secret, isValueObject, type Value } from "../../model/json.ts";
import { SECRET_PLACEHOLDER } from "../../model/sensitive.ts";
import type { Declaration } from "./declaration.ts";
import { bracketed, literal, quoted, type Comments } from "./literal.ts";

/** Resources that share a place, with what is said of it before them. */
export interface Section {
  readonly heading: readonly string[];
  readonly declarations: readonly { readonly declaration: Declaration; readonly variable: string | undefined }[];
}

const MISSING_SECRET_FUNCTION = `const config = new Config();

/**
 * A secret that the service does not give back. Until it is told (\`pulumi config set --secret NAME\`) it counts as unchanged
 * and is never sent; once it is told, the next \`pulumi up\` sends it.
 */
function untold(name: string): Output<string> {
  return config.getSecret(name) ?? secret(${quoted(SECRET_PLACEHOLDER)});
}
`;

export function programText(sections: readonly Section[], comments: Comments): string {
  const all = sections.flatMap(({ declarations }) => declarations);
  const titles = [...new Set(all.map(({ declaration }) => declaration.title))].toSorted();
  const hasSecrets = all.some(({ declaration }) => holdsSecret(declaration.args));
  const imports = [
    "// Written by `driftline export --pulumi`. From here on it is yours.",
    ...(hasSecrets ? ['import { Config, type Output, secret } from "@pulumi/pulumi";'] : []),
    `import ${bracketed("{", titles, "}", "")} from "driftline/pulumi";`,
  ];
  const bodies = sections.map(({ heading, declarations }) =>
    [...heading, ...declarations.map(({ declaration, variable }) => statement(declaration, variable, comments))].join(
      "\n",
    ),
  );
  return `${[imports.join("\n"), ...(hasSecrets ? [MISSING_SECRET_FUNCTION.trimEnd()] : []), ...bodies].join("\n\n")}\n`;
}

function statement(
  { exported, title, place, args }: Declaration,
  variable: string | undefined,
  comments: Comments,
): string {
  const own = Object.entries(args).map(([key, value]) => `${key}: ${literal(value, comments, "  ")}`);
  const located = place === undefined ? [] : [`${place.property}: ${place.variable}`];
  // What holds all the others is not to be deleted by a slip.
  const [before, after] = variable === undefined ? ["", ");"] : [`const ${variable} = `, ", { protect: true });"];
  const start = `${before}new ${title}(${quoted(exported.address)}, `;
  return `${start}${bracketed("{", [...located, ...own], "}", "", { reserved: start.length + after.length })}${after}`;
}

function holdsSecret(value: Value): boolean {
  if (value instanceof Secret) return true;
  if (Array.isArray(value)) return value.some((item: Value) => holdsSecret(item));
  return isValueObject(value) && Object.values(value).some((item) => holdsSecret(item));
}
