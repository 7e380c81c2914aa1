/** The text of a program in Pulumi YAML, which is also the file of its project. */
import { isValueObject, Secret, SECRET_PLACEHOLDER, type Value, type ValueObject } from "../../model/json.ts";
import { yamlNode, yamlText } from "../../edit/yaml/yaml-text.ts";
import type { ExportFile } from "../types.ts";
import { secretName, type Declaration } from "./declaration.ts";
import type { Comments } from "./literal.ts";
import { uniqueIdentifiers } from "../names.ts";
import type { Section } from "./program.ts";
import { projectConfig, projectHead, type NamedProject } from "./project.ts";

/** The name of Pulumi's own variables. */
export const YAML_NAMES: readonly string[] = ["pulumi"];

export function yamlProgram(sections: readonly Section[], comments: Comments, project: NamedProject): ExportFile {
  const nameKey = uniqueIdentifiers([
    ...YAML_NAMES,
    ...sections.flatMap(({ declarations }) => declarations.flatMap(({ variable }) => variable ?? [])),
  ]);
  const written = new Map<ValueObject, string>();
  const secrets = new Set<string>();
  const resources = sections.flatMap(({ heading, declarations }) =>
    declarations.map(({ declaration, variable }, index): [string, Value] => {
      const properties = toExpressions(withParent(declaration), { comments, written, secrets }) as ValueObject;
      const resource = {
        type: `driftline:${declaration.title}`,
        name: declaration.exported.address,
        properties,
        // An organization is protected, because deleting it deletes everything in it.
        ...(variable === undefined ? {} : { options: { protect: true } }),
      };
      if (index === 0 && heading.length > 0) written.set(resource, heading.join("\n"));
      return [variable ?? nameKey(declaration.exported.address, "resource"), resource];
    }),
  );
  const tree = {
    ...projectHead(project),
    runtime: "yaml",
    ...projectConfig(project, secretSettings(secrets)),
    resources: Object.fromEntries(resources),
  };
  const text = yamlText(yamlNode(tree, written));
  return { name: "Pulumi.yaml", text: `# Written by \`driftline export --pulumi\`. You can edit it freely.\n${text}` };
}

/**
 * The settings of the secrets. Until one is set, its placeholder counts as unchanged and is not sent. The engine allows no default
 * of a value that is declared as secret. The one that is set with --secret is, and so is the property that holds it.
 */
function secretSettings(names: ReadonlySet<string>): object {
  const settings = [...names].map((name) => {
    const description = `A secret. Set it with pulumi config set --secret ${name}`;
    return [name, { type: "string", description, default: SECRET_PLACEHOLDER }] as const;
  });
  return Object.fromEntries(settings);
}

function withParent({ parent, args }: Declaration): ValueObject {
  if (parent === undefined) return args;
  const id =
    typeof parent.id === "number" || !parent.variable.endsWith(".id") ? parent.id : expression(parent.variable);
  return { [parent.property]: id, ...args };
}

/** An expression of Pulumi. A secret is the only value whose text is written as it is. */
function expression(text: string): Secret {
  return new Secret(`\${${text}}`);
}

interface Written {
  readonly comments: Comments;
  /** The comments, by the objects that are written. */
  readonly written: Map<ValueObject, string>;
  /** The names of all secrets. */
  readonly secrets: Set<string>;
}

/** The value with its secrets as expressions that read them from the configuration of the stack. */
function toExpressions(value: Value, context: Written): Value {
  if (value instanceof Secret) {
    if (!value.expression.startsWith("${secret:")) return value;
    context.secrets.add(secretName(value));
    return expression(secretName(value));
  }
  if (Array.isArray(value)) return value.map((item: Value) => toExpressions(item, context));
  if (!isValueObject(value)) return value;
  const made = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toExpressions(item, context)]));
  const comment = context.comments.get(value);
  if (comment !== undefined) context.written.set(made, comment);
  return made;
}
