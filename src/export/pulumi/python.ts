/** The text of a Pulumi program in Python. It imports the SDK that `pulumi package add` makes of the packaged provider. */
import { isValueObject, Secret, SECRET_PLACEHOLDER, type Value } from "../../model/json.ts";
import type { ExportFile } from "../types.ts";
import { secretName, type Declaration } from "./declaration.ts";
import { bracketed, escapeUnprintable, type Comments } from "./literal.ts";
import { containsSecret, type Section } from "./program.ts";
import { projectFile, type NamedProject } from "./project.ts";

/** The words of the language, and the names that a program uses itself. */
export const PYTHON_NAMES: readonly string[] =
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield config driftline missingSecret pulumi".split(
    " ",
  );

const HEAD = `# Written by \`driftline export --pulumi\`. You can edit it freely.
import pulumi
import pulumi_driftline as driftline`;

const MISSING_SECRET_FUNCTION = `config = pulumi.Config()


def missing_secret(name: str) -> pulumi.Output[str]:
    """A secret, which the service never returns. Until you set it with \`pulumi config set --secret NAME\`, it counts as
    unchanged and is not sent. After you have set it, the next \`pulumi up\` sends it."""
    value = config.get_secret(name)
    return pulumi.Output.secret(${quoted(SECRET_PLACEHOLDER)}) if value is None else value`;

export function pythonProject(project: NamedProject): ExportFile {
  return projectFile(project, { runtime: { name: "python", options: { toolchain: "pip", virtualenv: "venv" } } });
}

export function pythonProgram(sections: readonly Section[], comments: Comments): string {
  const hasSecrets = sections.some(({ declarations }) =>
    declarations.some(({ declaration }) => containsSecret(declaration.args)),
  );
  const bodies = sections.map(({ heading, place, declarations }) =>
    [
      ...heading.map((line) => `# ${line}`),
      ...(place === undefined ? [] : [`${snakeCase(place.variable)} = ${JSON.stringify(place.id)}`]),
      ...declarations.map(({ declaration, variable }) => statement(declaration, variable, comments)),
    ].join("\n"),
  );
  return `${[HEAD, ...(hasSecrets ? [MISSING_SECRET_FUNCTION] : []), ...bodies].join("\n\n")}\n`;
}

function statement(
  { exported, title, parent, args }: Declaration,
  variable: string | undefined,
  comments: Comments,
): string {
  const own = Object.entries(args).map(([key, value]) => `${snakeCase(key)}=${literal(value, comments, "  ")}`);
  const parts = [
    quoted(exported.address),
    ...(parent === undefined ? [] : [`${snakeCase(parent.property)}=${snakeCase(parent.variable)}`]),
    ...own,
    // An organization is protected, because deleting it deletes everything in it.
    ...(variable === undefined ? [] : ["opts=pulumi.ResourceOptions(protect=True)"]),
  ];
  const start = `${variable === undefined ? "" : `${snakeCase(variable)} = `}driftline.${title}`;
  return `${start}${bracketed("(", parts, ")", "", { reserved: start.length })}`;
}

function literal(value: Value, comments: Comments, indent: string): string {
  if (value instanceof Secret) return `missing_secret(${quoted(secretName(value))})`;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value))
    return bracketed(
      "[",
      value.map((item: Value) => literal(item, comments, `${indent}  `)),
      "]",
      indent,
    );
  if (!isValueObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${quoted(key)}: ${literal(item, comments, `${indent}  `)}`,
  );
  return bracketed("{", members, "}", indent, { comment: comments.get(value), mark: "#" });
}

/** A text as a string literal. Python has one escape for every character. */
function quoted(text: string): string {
  return escapeUnprintable(
    JSON.stringify(text),
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`,
  );
}

/** The name that Pulumi's generator gives a property in Python: `projectId` is `project_id`. */
function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, "");
}
