/**
 * The text of a Pulumi program.
 *
 * Premise: people continue to edit the program by hand, so it looks hand-written. An organization is a variable whose id the
 * other resources use, the id of a project is a named constant, and one function reads all secrets.
 */
import { someValue, Secret, SECRET_PLACEHOLDER } from "../../model/json.ts";
import type { Declaration, ProgramProvider } from "./declaration.ts";
import { bracketed, literal, quoted, type Comments } from "./literal.ts";

/** The words of the language, and the names that a program uses itself. */
export const TYPESCRIPT_NAMES: readonly string[] =
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval undefined config missingSecret secret".split(
    " ",
  );

/** Resources with the same parent, with the lines above them. */
export interface Section {
  /** Lines of a comment. */
  readonly heading: readonly string[];
  /** What the resources are in, if it is no resource of the program itself, and the name of its id in the program. */
  readonly place?: { readonly variable: string; readonly id: string | number };
  readonly declarations: readonly { readonly declaration: Declaration; readonly variable: string | undefined }[];
}

const MISSING_SECRET_FUNCTION = `const config = new Config();

/**
 * A secret, which the service never returns. Until you set it with \`pulumi config set --secret NAME\`, it counts as unchanged
 * and is not sent. After you have set it, the next \`pulumi up\` sends it.
 */
function missingSecret(name: string): Output<string> {
  return config.getSecret(name) ?? secret(${quoted(SECRET_PLACEHOLDER)});
}
`;

/** The TypeScript of a program. */
export function programText(sections: readonly Section[], comments: Comments, provider: ProgramProvider): string {
  const all = sections.flatMap(({ declarations }) => declarations);
  const titles = [...new Set(all.map(({ declaration }) => declaration.title))].toSorted();
  const hasSecrets = all.some(({ declaration }) => someValue(declaration.args, (value) => value instanceof Secret));
  const imports = [
    "// Written by `driftline export --pulumi`. You can edit it freely.",
    ...(hasSecrets ? ['import { Config, type Output, secret } from "@pulumi/pulumi";'] : []),
    `import ${bracketed("{}", titles)} from "driftline/${provider === "packaged" ? "packaged" : "pulumi"}";`,
  ];
  const bodies = sections.map(({ heading: [title, ...notes], place, declarations }) =>
    [
      ...(title === undefined ? [] : [`// ${title}`]),
      ...(place === undefined ? [] : [`const ${place.variable} = ${JSON.stringify(place.id)};`]),
      ...notes.map((note) => `// ${note}`),
      ...declarations.map(({ declaration, variable }) => statement(declaration, variable, comments)),
    ].join("\n"),
  );
  return `${[imports.join("\n"), ...(hasSecrets ? [MISSING_SECRET_FUNCTION.trimEnd()] : []), ...bodies].join("\n\n")}\n`;
}

function statement(
  { exported, title, parent, args }: Declaration,
  variable: string | undefined,
  comments: Comments,
): string {
  const own = Object.entries(args).map(([key, value]) => `${key}: ${literal(value, comments, "  ")}`);
  const parentArgument = parent === undefined ? [] : [`${parent.property}: ${parent.variable}`];
  // An organization is protected, because deleting it deletes everything in it.
  const [before, after] = variable === undefined ? ["", ");"] : [`const ${variable} = `, ", { protect: true });"];
  const start = `${before}new ${title}(${quoted(exported.address)}, `;
  return `${start}${bracketed("{}", [...parentArgument, ...own], { reserved: start.length + after.length })}${after}`;
}
