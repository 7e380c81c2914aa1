/** The text of a program in Pulumi YAML, which is also the file of its project. */
import { leavesOf, Secret, type ValueObject } from "../../model/json.ts";
import { SECRET_PLACEHOLDER } from "../../model/secret-values.ts";
import { yamlNode, yamlText } from "../../edit/yaml/yaml-text.ts";
import { uniqueIdentifiers } from "../names.ts";
import type { ExportSession } from "../session.ts";
import type { ExportFile } from "../types.ts";
import type { Declaration } from "./declaration.ts";
import type { Language, Section } from "./language.ts";
import { projectConfig, projectHead, type NamedProject, yamlProjectFiles } from "./project.ts";

export const YAML: Language = {
  secrets: {
    expression: (name) => `\${${name}}`,
    hint: "as secrets of the configuration",
    addsRequired: true,
    // Pulumi calls the function, such as fn::readFile. Older versions also read Fn::.
    commands: /^fn::/i,
  },
  // The name of Pulumi's own variables.
  names: ["pulumi"],
  program: yamlProgram,
  projectFiles: yamlProjectFiles,
};

function yamlProgram(sections: readonly Section[], session: ExportSession, project: NamedProject): ExportFile {
  const nameKey = uniqueIdentifiers([
    ...YAML.names,
    ...sections.flatMap(({ declarations }) => declarations.flatMap(({ variable }) => variable ?? [])),
  ]);
  const comments = new Map(session.comments);
  const resources = sections.flatMap(({ heading, declarations }) =>
    declarations.map((declaration, index): readonly [string, ValueObject] => {
      const { exported, title, variable } = declaration;
      const resource = {
        type: `driftline:${title}`,
        name: exported.address,
        properties: propertiesOf(declaration),
        // An organization is protected, because deleting it deletes everything in it.
        ...(variable === undefined ? {} : { options: { protect: true } }),
      };
      if (index === 0 && heading.length > 0) comments.set(resource, heading.join("\n"));
      return [variable ?? nameKey(exported.address, "resource"), resource];
    }),
  );
  const tree = {
    ...projectHead(project),
    runtime: "yaml",
    ...projectConfig(project, secretSettings(resources, session)),
    resources: Object.fromEntries(resources),
  };
  const text = yamlText(yamlNode(tree, comments));
  return { name: "Pulumi.yaml", text: `# Written by \`driftline export --pulumi\`. You can edit it freely.\n${text}` };
}

/**
 * The settings of the secrets. Until one is set, its placeholder counts as unchanged and is not sent. The engine allows no default
 * of a value that is declared as secret. The one that is set with --secret is, and so is the property that holds it.
 */
function secretSettings(resources: readonly (readonly [string, ValueObject])[], { secrets }: ExportSession): object {
  const names = resources
    .flatMap(([, resource]) => leavesOf(resource))
    .flatMap(({ value }) => (value instanceof Secret ? (secrets.get(value) ?? []) : []));
  const settings = names.map((name) => {
    const description = `A secret. Set it with pulumi config set --secret ${name}`;
    return [name, { type: "string", description, default: SECRET_PLACEHOLDER }] as const;
  });
  return Object.fromEntries(settings);
}

/** The arguments, after the id of the parent. That of a resource is an expression, whose text is written as it is. */
function propertiesOf({ parent, args }: Declaration): ValueObject {
  if (parent === undefined) return args;
  const { property, variable, id } = parent;
  return { [property]: variable.endsWith(".id") ? new Secret(`\${${variable}}`) : id, ...args };
}
