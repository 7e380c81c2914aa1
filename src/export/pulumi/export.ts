import { allKinds } from "../../kinds/registry.ts";
import { fieldsNotShown } from "../resources.ts";
import { collectOrganizations } from "../organization.ts";
import { slugOf, uniqueIdentifiers } from "../names.ts";
import { ExportSession } from "../session.ts";
import type {
  ExportedResource,
  ExportedOrganization,
  ExportedProject,
  ExportOrganization,
  ExportResult,
} from "../types.ts";
import { toDeclaration, type Declaration, type ParentReference, type ProgramProvider } from "./declaration.ts";
import { importFile, type RowsOf } from "./import-file.ts";
import type { Language, Section } from "./language.ts";
import { stringLiteral } from "./literal.ts";
import { TYPESCRIPT } from "./program.ts";
import type { ProjectOptions } from "./project.ts";
import { YAML } from "./yaml.ts";

export interface ProgramOptions extends ProjectOptions {
  /** The language of the program. YAML needs the packaged provider. */
  readonly language: "typescript" | "yaml";
  readonly rowsOf: RowsOf;
  /** See `ExportOptions`. */
  readonly isSecret?: ((text: string) => boolean) | undefined;
}

const LANGUAGES: Readonly<Record<ProgramOptions["language"], Language>> = { typescript: TYPESCRIPT, yaml: YAML };

/**
 * Exports live organizations as a Pulumi project: a program and a file for `pulumi import --file`. After the import the program
 * changes nothing. Secrets are not exported: the program reads each one from the stack's configuration, and uses a
 * placeholder until it is set.
 *
 * @example
 * const { files } = exportProgram([{ organization, lists: {}, projects: [] }], {
 *   source: { spec: "^0.1.0", isFolder: false },
 *   url,
 *   language: "typescript",
 *   provider: "dynamic",
 *   rowsOf: () => [],
 * });
 */
export function exportProgram(organizations: readonly ExportOrganization[], options: ProgramOptions): ExportResult {
  const language = LANGUAGES[options.language];
  const session = new ExportSession(
    { ids: true, allFields: true, sharedFields: false, isSecret: options.isSecret },
    language.secrets,
  );
  const exported = collectOrganizations(organizations, session);
  const { provider, rowsOf } = options;
  const nameVariable = uniqueIdentifiers(language.names);
  const sections = exported.flatMap((one) => sectionsOf(one, { nameVariable, session, provider }));
  const declarations = sections.flatMap((section) => section.declarations);
  const [first] = exported;
  const name = first !== undefined && exported.length === 1 ? first.organization.name : "driftline-export";
  const project = { ...options, name: projectName(name) };
  const imported = { name: "import.json", text: importFile(declarations, rowsOf, provider) };
  const files = [language.program(sections, session, project), imported, ...language.projectFiles(project)];
  return { files, diagnostics: session.diagnostics };
}

interface SectionContext {
  readonly nameVariable: ReturnType<typeof uniqueIdentifiers>;
  readonly session: ExportSession;
  readonly provider: ProgramProvider;
}

function sectionsOf(
  { organization, resources, projects, idOnly }: ExportedOrganization,
  context: SectionContext,
): readonly Section[] {
  const { nameVariable, session, provider } = context;
  const inner = (): readonly Section[] => projects.flatMap((project) => projectSection(project, context));
  const { id } = organization.live;
  const variable = nameVariable(organization.name, "organization");
  if (idOnly)
    return [
      ...placeSection(`Organization ${id}`, { property: "organizationId", variable, id }, resources, context),
      ...inner(),
    ];
  const organizationDeclaration = toDeclaration(organization, undefined, session, provider);
  if (organizationDeclaration === undefined) return [];
  const parent = { property: "organizationId", variable: `${variable}.id`, id };
  const own: Section = {
    heading: [],
    declarations: [{ ...organizationDeclaration, variable }, ...declarationsOf(resources, parent, context)],
  };
  return [own, ...inner()];
}

function projectSection({ id, name, key, resources }: ExportedProject, context: SectionContext): readonly Section[] {
  if (resources.length === 0) return [];
  // A project is not a resource, so the program names it by its id on the service.
  const number = /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
  const place = { property: "projectId", variable: context.nameVariable(key, "project"), id: number };
  const title = name.trim() === "" ? `Project ${id}` : `Project ${stringLiteral(name)}`;
  return placeSection(title, place, resources, context);
}

/** The resources in a place that is no resource of the program. */
function placeSection(
  title: string,
  place: ParentReference,
  resources: readonly ExportedResource[],
  context: SectionContext,
): readonly Section[] {
  if (resources.length === 0) return [];
  const notes = allKinds.flatMap((kind) => fieldsNotShown(kind.name, resources));
  return [{ heading: [title, ...notes], place, declarations: declarationsOf(resources, place, context) }];
}

function declarationsOf(
  resources: readonly ExportedResource[],
  parent: ParentReference,
  { session, provider }: SectionContext,
): readonly Declaration[] {
  return resources.flatMap((resource) => toDeclaration(resource, parent, session, provider) ?? []);
}

/** Pulumi takes only letters of ASCII in the name of a project. */
function projectName(name: string): string {
  return slugOf(slugOf(name, "").replaceAll(/[^a-z0-9]+/g, "-"), "driftline-export");
}
