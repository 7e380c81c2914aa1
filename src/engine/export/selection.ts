import { firstOf } from "../../model/text/plural.ts";
import { quoted, visible } from "../../model/text/quote.ts";
import { type ListedProject, projectsOf } from "../../kinds/live-organization.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { LiveObject } from "../../model/live.ts";
import { isUuid } from "../../model/uuid.ts";
import { suggest } from "../../model/text/suggest.ts";
import { scopeOnly } from "../../plan/scopes-from-pins.ts";
import { engineError } from "../../model/engine-error.ts";

/** What to export: ids or names of organizations and projects. Without any it is everything that the key sees. */
export interface ExportSelection {
  readonly organization?: readonly string[] | undefined;
  /** Only these projects are exported, and nothing of their organizations but what names them. */
  readonly project?: readonly string[] | undefined;
  /** With selected projects, or none of them: whether what the organizations have themselves is exported as well. */
  readonly besideProjects?: boolean | undefined;
  /** Only these kinds are read and exported. */
  readonly kinds?: readonly KindName[] | undefined;
}

/** An organization, with those of its projects that are exported. */
export interface SelectedOrganization {
  readonly organization: LiveObject;
  /** Set if the key may not read the organization, so only its id is known. */
  readonly idOnly: boolean;
  readonly projects: readonly (ListedProject & { readonly sharesName?: boolean })[];
  /** Whether another organization that was not selected has the same name. The projects say the same of theirs. */
  readonly sharesName: boolean;
  /** Set if the organization does not list its projects. They are then those that were selected by their ids. */
  readonly hidesProjects: boolean;
}

/** Something that can be selected, and where it is if its name alone may not say that. */
interface Choice<T> {
  readonly value: T;
  readonly id: string;
  readonly name: string;
  readonly where: string;
}

/** The selected organizations that may be ids. */
export function selectedIds({ organization = [] }: ExportSelection): readonly string[] {
  return organization.filter(isUuid);
}

/** The selected organizations that are not among those that were found, by their ids alone. */
export function knownByIdOnly(read: readonly LiveObject[], selection: ExportSelection): readonly LiveObject[] {
  const ids = new Set(selectedIds(selection).map((id) => id.toLowerCase()));
  for (const { id } of read) ids.delete(id);
  return [...ids].map(scopeOnly);
}

/**
 * Finds the selected organizations and projects. With selected projects, other organizations are left out.
 *
 * @throws EngineError `failed` if one does not exist, or if several have its name
 */
export function selectOrganizations(
  read: readonly LiveObject[],
  idOnly: readonly LiveObject[],
  selection: ExportSelection,
): readonly SelectedOrganization[] {
  const readable = [...read, ...idOnly];
  const choices = readable.map((value): Choice<LiveObject> => ({
    value,
    id: value.id,
    name: trimmedName(value),
    where: "",
  }));
  const organizations = chosenValues(choices, selection.organization, "organization", []);
  const others = new Set(readable.filter((one) => !organizations.includes(one)).map(trimmedName));
  const given = givenProjects(organizations, selection);
  const all = organizations.map((organization): SelectedOrganization => {
    const ofOrganization = projectsOf(organization);
    return {
      organization,
      idOnly: idOnly.includes(organization),
      projects: ofOrganization ?? given,
      sharesName: others.has(trimmedName(organization)),
      hidesProjects: ofOrganization === undefined,
    };
  });
  const chosen = selectProjects(all, selection.project);
  const selected = all.map((one) => ({ ...one, projects: chosenOf(one.projects, chosen) }));
  if (selection.project === undefined || selection.besideProjects === true) return selected;
  return selected.filter(({ projects }) => projects.length > 0);
}

function selectProjects(
  organizations: readonly SelectedOrganization[],
  wanted: readonly string[] | undefined,
): ReadonlySet<ListedProject> {
  const hints = organizations.some(({ hidesProjects }) => hidesProjects)
    ? [
        "An organization does not list its projects: select them by their ids, and that organization with --organization.",
      ]
    : [];
  const choices = organizations.flatMap(({ organization, projects }) =>
    projects.map((value): Choice<ListedProject> => ({ value, ...value, where: trimmedName(organization) })),
  );
  return new Set(chosenValues(choices, wanted, "project", hints));
}

/** The chosen projects of an organization. Each says whether another one, which was not chosen, has its name. */
function chosenOf(
  projects: readonly ListedProject[],
  chosen: ReadonlySet<ListedProject>,
): SelectedOrganization["projects"] {
  const others = new Set(projects.filter((project) => !chosen.has(project)).map(({ name }) => name));
  return projects
    .filter((project) => chosen.has(project))
    .map((project) => ({ ...project, sharesName: others.has(project.name) }));
}

/** The projects that were selected by their ids, and that no organization lists. Several organizations could have them. */
function givenProjects(
  organizations: readonly LiveObject[],
  { project = [] }: ExportSelection,
): readonly ListedProject[] {
  const lists = organizations.map(projectsOf);
  if (lists.filter((list) => list === undefined).length !== 1) return [];
  const taken = new Set(lists.flatMap((list) => list ?? []).flatMap(({ id, name }) => [id, name]));
  const ids = new Set(project.filter((text) => /^[1-9]\d*$/u.test(text) && !taken.has(text)));
  return [...ids].map((id) => ({ id, name: "" }));
}

function trimmedName({ values }: LiveObject): string {
  return typeof values["name"] === "string" ? values["name"].trim() : "";
}

/** The choices with the wanted ids or names; all of them if nothing is wanted. An id counts before a name. */
function chosenValues<T>(
  choices: readonly Choice<T>[],
  wanted: readonly string[] | undefined,
  what: "organization" | "project",
  hints: readonly string[],
): readonly T[] {
  if (wanted === undefined) return choices.map(({ value }) => value);
  const matches = wanted.map((text): readonly Choice<T>[] => {
    const byId = choices.filter(({ id }) => id.toLowerCase() === text.toLowerCase());
    return byId.length > 0 ? byId : choices.filter(({ name }) => name !== "" && name.trim() === text.trim());
  });
  const missing = wanted.filter((_, index) => matches[index]?.length === 0);
  if (missing.length > 0) throw notFound(missing, choices, what, hints);
  for (const [index, choicesOfName] of matches.entries()) {
    if (choicesOfName.length === 1) continue;
    const message = `${String(choicesOfName.length)} ${what}s have the name ${quoted(wanted[index] ?? "")}`;
    const hint = `Name one by its id: ${describeChoices(choicesOfName)}.`;
    throw engineError("failed", "ambiguous_name", message, hint);
  }
  const chosen = new Set(matches.flat().map(({ value }) => value));
  return choices.flatMap(({ value }) => (chosen.has(value) ? [value] : []));
}

function notFound<T>(
  missing: readonly string[],
  choices: readonly Choice<T>[],
  what: string,
  hints: readonly string[],
): Error {
  const names = missing.map(quoted).join(", ");
  const close = missing.flatMap(
    (text) =>
      suggest(
        text,
        choices.map(({ name }) => name),
      ) ?? [],
  );
  const meant = close.length === 0 ? [] : [`Did you mean ${close.map(quoted).join(", ")}?`];
  const known = choices.length === 0 ? `The key sees no ${what}.` : `The key sees ${describeChoices(choices)}.`;
  const message = `the key sees no ${what} with the id or name ${names}`;
  return engineError("failed", "not_found", message, [...meant, ...hints, known].join(" "));
}

/** The most names in a message. */
const MAX_CHOICES = 10;

function describeChoices<T>(choices: readonly Choice<T>[]): string {
  const texts = choices.map(
    ({ id, name, where }) => `${quoted(name)} (id ${visible(id)}${where === "" ? "" : `, in ${quoted(where)}`})`,
  );
  return firstOf(texts, MAX_CHOICES);
}
