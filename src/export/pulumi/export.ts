import { exportOrganizations } from "../organization.ts";
import { slugOf, identifiers } from "../names.ts";
import { createExportSession, type ExportSession } from "../session.ts";
import type {
  ExportedResources,
  ExportedOrganization,
  ExportedProject,
  ExportOrganization,
  ExportResult,
} from "../types.ts";
import { declarationOf, type Declaration, type Place } from "./declaration.ts";
import { importFile, type RowsOf } from "./import-file.ts";
import { quoted } from "./literal.ts";
import { programText, type Section } from "./program.ts";
import { projectFiles, type ProjectOptions } from "./project.ts";

export interface ProgramOptions extends ProjectOptions {
  readonly rowsOf: RowsOf;
  /** As for a configuration. */
  readonly isSecret?: ((text: string) => boolean) | undefined;
}

/** Names that the program has already. */
const TAKEN = ["config", "untold", "secret"];

type Naming = (key: string, fallback: string) => string;

/**
 * Live organizations as a Pulumi project: a TypeScript program, and a file for `pulumi import --file` after which the program
 * changes nothing. No secret is written: the program asks for each, and holds a place for it until it is told.
 *
 * @example
 * const { files } = exportProgram([{ organization, lists: {}, projects: [] }], { version: "0.1.0", url, rowsOf: () => [] });
 */
export function exportProgram(organizations: readonly ExportOrganization[], options: ProgramOptions): ExportResult {
  const session = createExportSession(
    { ids: true, isSecret: options.isSecret },
    { hint: "as config.requireSecret(...)", isHeld: true },
  );
  const exported = exportOrganizations(organizations, session);
  const naming = identifiers(TAKEN);
  const sections = exported.flatMap((one) => sectionsOf(one, naming, session));
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
  naming: Naming,
  session: ExportSession,
): readonly Section[] {
  const home = declarationOf(organization, undefined, session);
  if (home === undefined) return [];
  const variable = naming(organization.name, "organization");
  const place = { property: "organizationId", variable: `${variable}.id`, id: organization.live.id };
  const own: Section = {
    heading: [],
    declarations: [
      { declaration: home, variable },
      ...declarationsOf(resources, place, session).map((declaration) => ({ declaration, variable: undefined })),
    ],
  };
  return [own, ...projects.flatMap((project) => projectSection(project, naming, session))];
}

function projectSection(
  { id, name, key, resources }: ExportedProject,
  naming: Naming,
  session: ExportSession,
): readonly Section[] {
  if (resources.length === 0) return [];
  const variable = naming(key, "project");
  // Projects are no resources: the service's number says which one it is.
  const number = /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
  const declarations = declarationsOf(resources, { property: "projectId", variable, id: number }, session);
  const heading = [`// Project ${quoted(name)}`, `const ${variable} = ${JSON.stringify(number)};`];
  return [{ heading, declarations: declarations.map((declaration) => ({ declaration, variable: undefined })) }];
}

function declarationsOf(
  resources: readonly ExportedResources[],
  place: Place,
  session: ExportSession,
): readonly Declaration[] {
  return resources.flatMap((resource) => declarationOf(resource, place, session) ?? []);
}
