import { allKinds } from "../../kinds/registry.ts";
import { fieldsNotShown } from "../resources.ts";
import { collectOrganizations } from "../organization.ts";
import { slugOf, uniqueIdentifiers } from "../names.ts";
import { createExportSession, type ExportSession } from "../session.ts";
import type {
  ExportedResource,
  ExportedOrganization,
  ExportedProject,
  ExportOrganization,
  ExportResult,
} from "../types.ts";
import { toDeclaration, type Declaration, type ParentReference } from "./declaration.ts";
import { importFile, type RowsOf } from "./import-file.ts";
import { quoted } from "./literal.ts";
import { programText, type Section } from "./program.ts";
import { projectFiles, type ProjectOptions } from "./project.ts";

export interface ProgramOptions extends ProjectOptions {
  readonly rowsOf: RowsOf;
  /** See `ExportOptions`. */
  readonly isSecret?: ((text: string) => boolean) | undefined;
}

/** Names that the program itself uses. */
const RESERVED_NAMES = ["config", "missingSecret", "secret"];

type NameVariable = (key: string, fallback: string) => string;

/**
 * Exports live organizations as a Pulumi project: a TypeScript program and a file for `pulumi import --file`. After the import
 * the program changes nothing. Secrets are not exported: the program reads each one from the stack's configuration, and uses a
 * placeholder until it is set.
 *
 * @example
 * const { files } = exportProgram([{ organization, lists: {}, projects: [] }], { version: "0.1.0", url, rowsOf: () => [] });
 */
export function exportProgram(organizations: readonly ExportOrganization[], options: ProgramOptions): ExportResult {
  const session = createExportSession(
    { ids: true, isSecret: options.isSecret },
    { hint: "as config.requireSecret(...)", addsRequired: true },
  );
  const exported = collectOrganizations(organizations, session);
  const nameVariable = uniqueIdentifiers(RESERVED_NAMES);
  const sections = exported.flatMap((one) => sectionsOf(one, nameVariable, session));
  const declarations = sections.flatMap((section) => section.declarations.map(({ declaration }) => declaration));
  const [first] = exported;
  const name = first !== undefined && exported.length === 1 ? first.organization.name : "driftline-export";
  const files = [
    { name: "index.ts", text: programText(sections, session.comments) },
    { name: "import.json", text: importFile(declarations, options.rowsOf) },
    ...projectFiles(slugOf(name, "driftline-export"), options),
  ];
  return { files, diagnostics: session.diagnostics };
}

function sectionsOf(
  { organization, resources, projects }: ExportedOrganization,
  nameVariable: NameVariable,
  session: ExportSession,
): readonly Section[] {
  const organizationDeclaration = toDeclaration(organization, undefined, session);
  if (organizationDeclaration === undefined) return [];
  const variable = nameVariable(organization.name, "organization");
  const parent = { property: "organizationId", variable: `${variable}.id`, id: organization.live.id };
  const own: Section = {
    heading: [],
    declarations: [
      { declaration: organizationDeclaration, variable },
      ...declarationsOf(resources, parent, session).map((declaration) => ({ declaration, variable: undefined })),
    ],
  };
  return [own, ...projects.flatMap((project) => projectSection(project, nameVariable, session))];
}

function projectSection(
  { id, name, key, resources }: ExportedProject,
  nameVariable: NameVariable,
  session: ExportSession,
): readonly Section[] {
  if (resources.length === 0) return [];
  const variable = nameVariable(key, "project");
  // A project is not a resource, so the program names it by its id on the service.
  const number = /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
  const declarations = declarationsOf(resources, { property: "projectId", variable, id: number }, session);
  const notes = allKinds.flatMap((kind) => fieldsNotShown(kind.name, resources) ?? []).map((note) => `// ${note}`);
  const heading = [`// Project ${quoted(name)}`, `const ${variable} = ${JSON.stringify(number)};`, ...notes];
  return [{ heading, declarations: declarations.map((declaration) => ({ declaration, variable: undefined })) }];
}

function declarationsOf(
  resources: readonly ExportedResource[],
  parent: ParentReference,
  session: ExportSession,
): readonly Declaration[] {
  return resources.flatMap((resource) => toDeclaration(resource, parent, session) ?? []);
}
