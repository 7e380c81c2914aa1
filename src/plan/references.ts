/**
 * Finds the objects that resources refer to by names.
 *
 * Premise: a name is looked up among what the plan knows: the declared objects of the scope, and those of its lists. A name that fits
 * two objects stands for neither. What is yet to be created has no id: its address takes that place, and apply puts the id there.
 * Algorithm: resources that refer to others are planned after those. So each name becomes the id of the object that its resource was
 * matched with, and everything that follows compares ids with ids. At the end, ids are shown as names again.
 */
import { naturalKey } from "../kinds/keys.ts";
import { projectsOf, organizationAt } from "../kinds/live-organization.ts";
import {
  declaredIn,
  type DeclaredObject,
  isNamed,
  keysForName,
  nameAmong,
  type NamedObject,
} from "../kinds/reference-names.ts";
import {
  mapReferences,
  mapReferencesAt,
  type Reference,
  referencesIn,
  refers,
  type Referred,
} from "../kinds/references.ts";
import { type Change, isCreating, type NamedReference } from "../model/change.ts";
import { isPresent, listKey, type LiveWorld, scopePathAt } from "../model/live.ts";
import type { Json } from "../model/json/json.ts";
import { isSelected, type Plan, type PlanOptions } from "../model/plan.ts";
import { joinWords, MAX_NAMES } from "../model/text/plural.ts";
import { pointer, pointerKeys } from "../model/pointer.ts";
import { quoted, visible } from "../model/text/quote.ts";
import { type DesiredGraph, isWanted, type Resource } from "../model/resource.ts";
import { didYouMean, suggest } from "../model/text/suggest.ts";
import type { Problem } from "./match.ts";

/** What a plan knows of the objects that have names. */
export interface NamingContext {
  readonly graph: DesiredGraph;
  readonly world: LiveWorld;
  readonly options: PlanOptions;
  /** The changes of the resources that were planned so far, by address. */
  readonly planned: ReadonlyMap<string, Change>;
}

/** Why a name stands for no object. Without a code, that is not known. */
type Failure = Problem | { readonly message: string };

interface ResolvedReferences {
  /** The resource with the id of each object, or its address if it has none yet. */
  readonly resource: Resource;
  readonly references: readonly NamedReference[];
  readonly failure?: Failure;
}

/** An object that a name may stand for. */
interface Referable {
  /** Its id, or its address if it is yet to be created. */
  readonly id: string;
  readonly isNew?: boolean;
  readonly names: readonly string[];
  /** What a message calls it. */
  readonly label: string;
}

/** Finds what a resource refers to. What is to go, or to be left alone, is not looked at. */
export function resolveReferences(context: NamingContext, resource: Resource): ResolvedReferences {
  const references: NamedReference[] = [];
  let failure: Failure | undefined;
  if (!isWanted(resource.lifecycle)) return { resource, references };
  const seen = new Map<string, string>();
  const values = mapReferences(resource.kind, resource.values, (reference) => {
    const { text, keys, isId } = reference;
    const referenced = isId
      ? findId(context, resource.scope, reference)
      : findNamed(context, resource.scope, reference);
    if ("message" in referenced) {
      failure ??= referenced;
      return undefined;
    }
    const { id, isNew } = referenced;
    const place = pointer(keys[0] ?? "", id.toLowerCase());
    const first = seen.get(place);
    if (first !== undefined) failure ??= sameObject(reference, first);
    seen.set(place, text);
    if (!isId) references.push({ path: pointer(...keys), name: text, id: isNew === true ? null : id });
    return id;
  });
  return { resource: { ...resource, values }, references, ...(failure && { failure }) };
}

/** The object with an id. Which one is meant is not clear if the id is the name of another live one. */
function findId(
  context: NamingContext,
  scope: string,
  { to, text }: Reference,
): Pick<Referable, "id" | "isNew"> | Problem {
  const other = liveObjects(context, scope, to).objects?.find(({ id, names }) => id !== text && names.includes(text));
  if (other === undefined) return { id: text };
  const message = `${quoted(text)} may be an id, or the name of the ${to} with the ${visible(other.label)}`;
  return { code: "ambiguous_reference", message, hint: `Declare the ${to} with its id, and write the key of that.` };
}

/** The object with a name. */
function findNamed(context: NamingContext, scope: string, reference: Reference): Referable | Failure {
  const { to, text } = reference;
  const declared = declaredIn(context.graph, scope, to);
  const live = liveObjects(context, scope, to);
  const keys = keysForName(to, text);
  const fitting = (live.objects ?? []).filter(({ names }) => names.some((key) => keys.includes(key)));
  // What declares no name has the one of its object. So has a project, which is not renamed.
  const isFound = ({ address, names }: DeclaredObject): boolean =>
    (to === "project" || names.length === 1) && fitting.some(({ id }) => id === liveIdOf(context, to, address));
  const candidates = declared
    .filter((one) => isNamed(reference, one) || isFound(one))
    .map((one) => declaredObject(context, to, one));
  const failed = candidates.find((one) => "message" in one);
  if (failed !== undefined) return failed;
  const named = candidates.filter((one) => "id" in one);
  const known = new Set(declared.flatMap(({ address }) => liveIdOf(context, to, address) ?? []));
  const others = fitting.filter(({ id }) => !known.has(id));
  const [first, ...more] = [...named, ...others];
  if (more.length > 0) return ambiguousName(reference, [...named, ...others]);
  if (first !== undefined) return first;
  if (live.objects === undefined) return { message: `the ${to} ${quoted(text)} is not known: ${live.reason}` };
  return unknownName(reference, [
    ...declared.flatMap(({ names }) => names),
    ...live.objects.flatMap(({ names }) => names),
  ]);
}

function ambiguousName({ to, text }: Reference, objects: readonly Referable[]): Problem {
  const labels = joinWords(
    objects.map(({ label }) => visible(label)),
    "and",
  );
  const message = `the name ${quoted(text)} fits more than one ${to}: ${labels}`;
  return { code: "ambiguous_reference", message, hint: "Write the id of the one that is meant." };
}

function sameObject({ to, text }: Reference, first: string): Problem {
  const message = `${quoted(first)} and ${quoted(text)} are the same ${to}`;
  return { code: "duplicate_item", message, hint: "Write one of them." };
}

function unknownName({ to, text }: Reference, names: readonly string[]): Problem {
  const known = [...new Set(names)].map(visible);
  const few =
    known.length === 0 ? `Declare the ${to}, or write its id.` : `Use ${joinWords(known.slice(0, MAX_NAMES), "or")}.`;
  const hint = didYouMean(suggest(text, known)) ?? few;
  return { code: "unknown_reference", message: `no ${to} ${quoted(text)} is declared or found here`, hint };
}

/** The object of what is declared. */
function declaredObject(context: NamingContext, to: Referred, { address, names }: DeclaredObject): Referable | Failure {
  const change = context.planned.get(address);
  const isNew = change !== undefined && isCreating(change) && isSelected(address, context.options.only);
  const id = isNew ? address : liveIdOf(context, to, address);
  const isKnown = change !== undefined && change.action !== "unknown";
  if (id !== undefined && (isKnown || to === "project")) return { id, isNew, names, label: address };
  const scope = context.world.scopes.get(address);
  const reason = change?.reason ?? (scope?.status === "unknown" ? scope.reason : "it does not exist yet");
  if (!isKnown) return { message: `${address} is not known: ${reason}` };
  const message = `${address} does not exist, and this plan does not create it`;
  return { code: "reference_not_planned", message, hint: "Plan both: name both with --only, or neither." };
}

/** The id that the object of what is declared has now. */
function liveIdOf(
  { world, planned }: Pick<NamingContext, "world" | "planned">,
  to: Referred,
  address: string,
): string | undefined {
  if (to !== "project") return planned.get(address)?.id ?? undefined;
  return scopePathAt(world.scopes, address)["project_id"];
}

/** The live objects of a scope; undefined if they are not known. */
interface LiveObjects {
  readonly objects?: readonly Referable[];
  readonly reason: string;
}

function liveObjects({ world }: Pick<NamingContext, "world">, scope: string, to: Referred): LiveObjects {
  if (to === "project") {
    const projects = projectsOf({ values: organizationAt(world, scope) ?? {} });
    const reason = "the organization does not list its projects";
    return projects === undefined
      ? { reason }
      : { objects: projects.map(({ id, name }) => ({ id, names: naturalKey(name), label: `id ${id}` })), reason };
  }
  if (world.scopes.get(scope)?.status === "absent") return { objects: [], reason: "" };
  const list = world.lists.get(listKey(scope, to));
  if (list?.status !== "known") return { reason: list?.reason ?? "its list was not read" };
  return {
    objects: list.objects.filter(isPresent).map(({ id, keys }) => ({ id, names: keys, label: `id ${id}` })),
    reason: "",
  };
}

/** A plan that shows names in the place of ids: as the resource itself writes them, else the natural keys of live objects. */
export function withNames(plan: Plan, world: LiveWorld): Plan {
  return { ...plan, changes: plan.changes.map((change) => changeWithNames(change, world)) };
}

function changeWithNames(change: Change, world: LiveWorld): Change {
  const { kind, fields, removes, references = [], work } = change;
  if (!refers(kind) || work === null) return change;
  const written = new Map(references.map(({ path, name }) => [path, name]));
  const resolved = referencesIn(kind, work.resource?.values ?? {});
  const ownNames = new Map(resolved.map(({ keys, text }) => [text, written.get(pointer(...keys))]));
  const named = (path: string, value: Json): Json =>
    mapReferencesAt(kind, pointerKeys(path), value, (reference) => {
      const { objects = [] } = liveObjects({ world }, work.scope, reference.to);
      return ownNames.get(reference.text) ?? nameAmong(reference, objects.map(asUndeclared));
    });
  return {
    ...change,
    fields: fields.map(({ path, prior, planned }) => ({
      path,
      prior: named(path, prior),
      planned: named(path, planned),
    })),
    ...(removes && { removes: removes.map(({ path, value }) => ({ path, value: named(path, value) })) }),
  };
}

/** An object that has no key. */
function asUndeclared({ id, names }: Referable): NamedObject {
  return { id, names: ["", ...names] };
}

/** What is declared in a scope of what references name, with the ids that are known. */
export function declaredObjects(
  context: Pick<NamingContext, "graph" | "world" | "planned">,
  scope: string,
  to: Referred,
): readonly NamedObject[] {
  return declaredIn(context.graph, scope, to).map(({ address, names, id }) => ({
    names,
    id: liveIdOf(context, to, address) ?? id,
  }));
}
