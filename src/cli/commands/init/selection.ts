/** What the files are to declare: organizations, projects and kinds. */
import type { Client } from "../../../api/client.ts";
import {
  exportOrganizations,
  type ExportSnapshot,
  findOrganizations,
  onlyKinds,
} from "../../../engine/export/export.ts";
import type { SelectedOrganization } from "../../../engine/export/selection.ts";
import { scopesOfKind, collectionOf, allKinds, kinds } from "../../../kinds/registry.ts";
import { CODES } from "../../../model/diagnostic-codes.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { compareNaturally } from "../../../model/compare-text.ts";
import { type KindName } from "../../../model/kind-name.ts";
import { askChoices, type Choice } from "../../terminal/ask-choices.ts";
import { EngineError, engineError } from "../../../model/engine-error.ts";
import { requireRunning } from "../../terminal/ask.ts";
import { reportDiagnostics } from "../../terminal/output.ts";
import type { Runtime } from "../../runtime.ts";
import { countOf } from "../export/summary.ts";
import { renderConfiguration } from "../../steps/render-configuration.ts";

/** What was typed about the selection. What is missing is asked for, or else everything. */
export interface SelectionOptions {
  readonly organization?: readonly string[];
  readonly project?: readonly string[];
  readonly kind?: readonly KindName[];
}

/** The kinds that the options name, with those that go together with them. Undefined if they name none. */
export function wantedKinds({ kind }: SelectionOptions): readonly KindName[] | undefined {
  return kind === undefined ? undefined : kindsOf(new Set(kind.map(familyOf)));
}

/**
 * Asks for organizations and projects, reads them, and asks for kinds.
 *
 * @throws EngineError if no organization can be read, or the answer to a question is missing
 */
export async function readSelection(
  runtime: Runtime,
  client: Client,
  options: SelectionOptions & { readonly kinds: readonly KindName[] | undefined },
): Promise<ExportSnapshot> {
  const { organizations, diagnostics } = await findOrganizations(client, options);
  requireRunning(runtime);
  if (organizations.length === 0 && diagnostics.length === 0)
    throw engineError(
      "failed",
      "not_found",
      "the key sees no organization",
      "Give the key access to the organization.",
    );
  if (organizations.length === 0) throw new EngineError("failed", diagnostics);
  const chosen = await chooseOrganizations(runtime, organizations, options);
  const inProjects = options.kinds?.some((name) => scopesOfKind(name).includes("project")) ?? true;
  const project = options.project ?? (inProjects ? await chooseProjects(runtime, chosen) : undefined);
  const organization = options.organization ?? chosen.map((one) => one.organization.id);
  const selection = { organization, project, besideProjects: true, kinds: options.kinds };
  const read = await exportOrganizations(client, selection, { keepsRows: false });
  const snapshot = runtime.interactive ? showMissingScopes(runtime, read) : read;
  return options.kinds === undefined && runtime.interactive ? chooseKinds(runtime, snapshot) : snapshot;
}

/** A person reads which scopes are missing before the next question. So the run does not end with an error. */
function showMissingScopes(runtime: Runtime, { diagnostics, ...snapshot }: ExportSnapshot): ExportSnapshot {
  const isDenied = ({ code }: Diagnostic): boolean => code === CODES.accessDenied;
  reportDiagnostics(runtime, diagnostics.filter(isDenied));
  return { ...snapshot, diagnostics: diagnostics.filter((one) => !isDenied(one)) };
}

async function chooseOrganizations(
  runtime: Runtime,
  organizations: readonly SelectedOrganization[],
  options: SelectionOptions,
): Promise<readonly SelectedOrganization[]> {
  if (options.organization !== undefined || organizations.length === 1 || !runtime.interactive) return organizations;
  const choices = organizations.map((value): Choice<SelectedOrganization> => {
    const { id } = value.organization;
    const name = nameOrId(value);
    return { value, title: name, names: [name, id] };
  });
  return askChoices(runtime, { heading: "Which organizations?", choices, mayBeNone: false });
}

/** Undefined stands for all of them. */
async function chooseProjects(
  runtime: Runtime,
  organizations: readonly SelectedOrganization[],
): Promise<readonly string[] | undefined> {
  const choices = organizations.flatMap((one) =>
    one.projects.map(({ id, name }): Choice<string> => {
      const title = name.trim() === "" ? `project ${id}` : name;
      const place = organizations.length > 1 ? ` (${nameOrId(one)})` : "";
      return { value: id, title: `${title}${place}`, names: [name] };
    }),
  );
  if (choices.length < 2 || !runtime.interactive) return undefined;
  const heading = "Which projects? The organization itself comes next.";
  const chosen = await askChoices(runtime, { heading, choices, mayBeNone: true });
  return chosen.length === choices.length ? undefined : chosen;
}

function nameOrId({ organization: { id, values } }: SelectedOrganization): string {
  const { name } = values;
  return typeof name === "string" && name.trim() !== "" ? name : id;
}

/** Shows what was found, and asks which of it the files should have. */
async function chooseKinds(runtime: Runtime, snapshot: ExportSnapshot): Promise<ExportSnapshot> {
  const { counts } = renderConfiguration(runtime, snapshot).summary;
  const families = [...new Set(counts.map(([kind]) => familyOf(kind)))];
  if (families.length < 2) return snapshot;
  const choices = families.map((value): Choice<string> => {
    const ofFamily = counts.filter(([kind]) => familyOf(kind) === value);
    const names = ofFamily.flatMap(([kind]) => [kind, collectionOf(kind)]);
    return { value, title: ofFamily.map(([kind, count]) => countOf(kind, count)).join(", "), names };
  });
  const heading = "This was found. What should the files declare?";
  const chosen = await askChoices(runtime, { heading, choices, mayBeNone: false });
  if (chosen.length === choices.length) return snapshot;
  return onlyKinds(snapshot, kindsOf(new Set(chosen)));
}

/**
 * Asks which collections the files are to declare completely. Without a terminal there is none: a later reader of the files would not
 * expect that a missing line removes somebody.
 */
export async function chooseComplete(
  runtime: Runtime,
  snapshot: Pick<ExportSnapshot, "organizations" | "pageOf">,
): Promise<readonly KindName[]> {
  const exported = new Set(renderConfiguration(runtime, snapshot).summary.counts.map(([kind]) => kind));
  const asked = allKinds.filter(({ name, exportRules }) => exportRules?.asksComplete === true && exported.has(name));
  if (asked.length === 0 || !runtime.interactive) return [];
  const choices = asked.map(({ name }) => ({
    value: name,
    title: collectionOf(name),
    names: [name, collectionOf(name)],
  }));
  return askChoices(runtime, { heading: COMPLETE, choices, mayBeNone: true, preset: "none" });
}

/**
 * Asks which user the key belongs to, if the files will declare people. No documented answer names this user: the service only says their
 * level. If many people have it, the question is left out.
 */
export async function chooseSelf(
  runtime: Runtime,
  { organizations }: Pick<ExportSnapshot, "organizations">,
): Promise<string | undefined> {
  const atLevel = organizations.flatMap(({ organization, lists }) =>
    (lists.member ?? []).filter(({ values }) => values["level"] === organization.values["membership_level"]),
  );
  const people = [...new Set(atLevel.flatMap(({ keys }) => keys.slice(0, 1)))].filter(
    (one) => !runtime.redactor.holds(one),
  );
  if (people.length === 0 || people.length > MOST_PEOPLE || !runtime.interactive) return undefined;
  const choices = people.toSorted(compareNaturally).map((one) => ({ value: one, title: one, names: [one] }));
  const question = { heading: SELF, choices, mayBeNone: true, preset: "none", isSingle: true } as const;
  return (await askChoices(runtime, question))[0];
}

const MOST_PEOPLE = 20;

const SELF = `Which of these is the user of the API key (service.self)? That person is never
removed, and keeps the level. Without an answer, that holds for all of these.`;

const COMPLETE = `Are the files to be complete for some of these? Then what no file declares is
drift, and apply --prune removes it: people lose access. Otherwise, a line that
you take out of a file removes nothing from the service.`;

/** Kinds whose objects may be one and the same, such as the people of an organization, are exported together or not at all. */
function familyOf(kind: KindName): string {
  return kinds[kind].identity.idSpace;
}

function kindsOf(families: ReadonlySet<string>): readonly KindName[] {
  return allKinds.flatMap(({ name }) => (families.has(familyOf(name)) ? [name] : []));
}
