/**
 * The text of a Pulumi program.
 *
 * Premise: people continue to edit the program by hand, so it looks hand-written. An organization is a variable whose id the
 * other resources use, the id of a project is a named constant, and one function reads all secrets.
 */
import { someValue, Secret } from "../../model/json.ts";
import { SECRET_PLACEHOLDER } from "../../model/secret-values.ts";
import type { Declaration, ProgramProvider } from "./declaration.ts";
import { bracketed, literal, stringLiteral } from "./literal.ts";
import type { Comments } from "../../edit/edit.ts";
import type { Language, Section } from "./language.ts";
import { projectFiles } from "./project.ts";

/** The words of the language, and the names that a program uses itself. */
const NAMES: readonly string[] =
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval undefined config missingSecret secret".split(
    " ",
  );

export const TYPESCRIPT: Language = {
  secrets: {
    expression: (name) => `missingSecret(${stringLiteral(name)})`,
    hint: "as config.requireSecret(...)",
    addsRequired: true,
  },
  names: NAMES,
  program: (sections, { comments }, { provider }) => ({
    name: "index.ts",
    text: programText(sections, comments, provider),
  }),
  projectFiles,
};

const MISSING_SECRET_FUNCTION = `const config = new Config();

/**
 * A secret, which the service never returns. Until you set it with \`pulumi config set --secret NAME\`, it counts as unchanged
 * and is not sent. After you have set it, the next \`pulumi up\` sends it.
 */
function missingSecret(name: string): Output<string> {
  return config.getSecret(name) ?? secret(${stringLiteral(SECRET_PLACEHOLDER)});
}
`;

function programText(sections: readonly Section[], comments: Comments, provider: ProgramProvider): string {
  const all = sections.flatMap(({ declarations }) => declarations);
  const titles = [...new Set(all.map(({ title }) => title))].toSorted();
  const hasSecrets = all.some(({ args }) => someValue(args, (value) => value instanceof Secret));
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
      ...declarations.map((declaration) => statement(declaration, comments)),
    ].join("\n"),
  );
  return `${[imports.join("\n"), ...(hasSecrets ? [MISSING_SECRET_FUNCTION.trimEnd()] : []), ...bodies].join("\n\n")}\n`;
}

function statement({ exported, title, parent, variable, args }: Declaration, comments: Comments): string {
  const own = Object.entries(args).map(([key, value]) => `${key}: ${literal(value, comments, "  ")}`);
  const parentArgument = parent === undefined ? [] : [`${parent.property}: ${parent.variable}`];
  // An organization is protected, because deleting it deletes everything in it.
  const [before, after] = variable === undefined ? ["", ");"] : [`const ${variable} = `, ", { protect: true });"];
  const start = `${before}new ${title}(${stringLiteral(exported.address)}, `;
  return `${start}${bracketed("{}", [...parentArgument, ...own], { reserved: start.length + after.length })}${after}`;
}
