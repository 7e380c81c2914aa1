import { changesJson } from "../model/document-json.ts";
import { command, PLAN_HASH } from "../model/command.ts";
import { sha256 } from "../diff/equal.ts";
import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isObject, type ValueObject } from "../model/json.ts";
import type { LiveSnapshot } from "../model/live.ts";
import {
  isSelected,
  type Plan,
  type PlanDocument,
  type PlanOptions,
  type PlanSource,
  type ShownChange,
  type Summary,
} from "../model/plan.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { applyGuards } from "./guard/guard.ts";
import { findRenameCandidates, probableRenames, type RenameCandidates } from "./guard/rename-detection.ts";
import { lookupKeysOf } from "./lists-to-read.ts";
import { type PlanContext, planResource } from "./resource.ts";
import { claimKey, pruneChanges, unmanagedObjects } from "./match.ts";

/**
 * Decides what apply has to do. Pure and total: the same graph, snapshot and options give the same plan, byte for byte.
 */
export function makePlan(graph: DesiredGraph, snapshot: LiveSnapshot, options: PlanOptions): Plan {
  const lookupKeys = lookupKeysOf(graph);
  const planning: PlanContext = { snapshot, options, lookupKeys, indexes: new Map(), claims: new Set() };
  const diagnostics: Diagnostic[] = [];
  const made = new Map<string, Change>();
  const unsure: Resource[] = [];
  for (const resource of inMatchingOrder(graph.resources)) {
    const isWanted = isSelected(resource.address, options.only);
    const found: Diagnostic[] = [];
    const change = planResource(planning, resource, found);
    // Another object may be the one that a wrong pin means, so it is not pruned.
    if (isUnidentified(change) || restoresUnseen(change)) unsure.push(resource);
    if (!isWanted) continue;
    made.set(resource.address, change);
    diagnostics.push(...found);
  }
  const unmanaged = unmanagedObjects(snapshot, planning.claims);
  const removed = pruneChanges(graph, snapshot, unmanaged, unsure).filter((change) =>
    isSelected(change.address, options.only),
  );
  const changes = [...graph.resources.flatMap((resource) => made.get(resource.address) ?? []), ...removed];
  // If every object is managed, none can be the former one of a create.
  const mayBeRenamed = unmanaged.length > 0;
  const renameCandidates: RenameCandidates = mayBeRenamed ? findRenameCandidates(changes, unmanaged) : new Map();
  const guarded = applyGuards(changes, {
    graph,
    snapshot,
    renameCandidates,
    claims: planning.claims,
    prune: options.prune,
  });
  if (mayBeRenamed) diagnostics.push(...probableRenames(guarded, unmanaged));
  // An object that is removed is not listed as unmanaged as well.
  const listed = new Set(removed.map(({ work }) => claimKey(work.live)));
  const left = unmanaged.filter((live) => !listed.has(claimKey(live)));
  return {
    summary: summarize(guarded, left.length),
    options,
    changes: guarded,
    unmanaged: left.map(({ kind, scope, id, keys }) => ({ kind, scope, id, key: keys[0] ?? null })),
    diagnostics,
  };
}

/** Whether it is not known which live object a resource is. It may be any object of its collection. */
export function isUnidentified({ action, blocked }: Change): boolean {
  return action === "unknown" || blocked?.rule === "pin_missing" || blocked?.rule === "not_there";
}

/** Whether an object is restored that no list shows, so that its id may be wrong. */
function restoresUnseen({ action, work }: Change): boolean {
  return action === "restore" && work?.live === undefined;
}

/**
 * Pins come first, then inner scopes before outer ones: an organization must not claim an export that is declared in its project.
 * A resource with a current name comes before one that was renamed.
 */
export function inMatchingOrder(resources: readonly Resource[]): readonly Resource[] {
  const renamed = ({ lifecycle }: Resource): number => Number(lifecycle.renamed_from !== undefined);
  // The address of a scope is longer than that of the one around it.
  const sorted = resources.toSorted((a, b) => b.scope.length - a.scope.length || renamed(a) - renamed(b));
  return [...sorted.filter(({ pin }) => pin !== undefined), ...sorted.filter(({ pin }) => pin === undefined)];
}

/** Shows an expired object that apply leaves alone as a replace that is blocked: it is not as declared. */
export function blockExpired(plan: Plan): Plan {
  const changes = plan.changes.map((change): Change => {
    const { action, kind, work } = change;
    const remedy = kinds[kind].expiry?.remedy;
    const isLeft = action === "no_op" && work?.live?.expired === true && work.resource?.lifecycle.forget !== true;
    return isLeft && remedy !== undefined
      ? { ...change, action: "replace", blocked: { rule: "expired", remedy } }
      : change;
  });
  return { ...plan, changes, summary: summarize(changes, plan.unmanaged.length) };
}

/** Counts the changes by action. */
export function summarize(changes: readonly Omit<Change, "work">[], unmanaged: number): Summary {
  const count = (test: (change: Omit<Change, "work">) => boolean): number => changes.filter(test).length;
  return {
    create: count(({ action }) => action === "create"),
    update: count(({ action }) => action === "update"),
    replace: count(({ action }) => action === "replace"),
    delete: count(({ action }) => action === "delete"),
    restore: count(({ action }) => action === "restore"),
    no_op: count(({ action }) => action === "no_op"),
    unknown: count(({ action }) => action === "unknown"),
    blocked: count(({ blocked }) => blocked !== null),
    unmanaged,
  };
}

export interface DocumentContext {
  readonly type: PlanDocument["type"];
  readonly config_hash: string;
  readonly tool_version: string;
  readonly url: string;
  readonly source?: PlanSource | undefined;
  readonly not_read?: readonly string[];
  /** All diagnostics of the run, including those of the plan. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A plan in the form that is printed and saved. `hash` covers everything except itself, the source, the diagnostics and the
 * tool's version.
 */
export function planDocument(plan: Plan, context: DocumentContext): PlanDocument {
  const { type, config_hash, tool_version, url, source, not_read, diagnostics } = context;
  const content = {
    type,
    schema_version: 1 as const,
    config_hash,
    url,
    options: plan.options,
    summary: plan.summary,
    changes: plan.changes.map((change) => toShownChange(change, type)),
    unmanaged: plan.unmanaged,
    ...(not_read === undefined ? {} : { not_read }),
  };
  const hash = hashOf({ ...content, changes: changesJson(content.changes) });
  return { ...content, hash, tool_version, ...(source === undefined ? {} : { source }), diagnostics };
}

/** A drift shows the last change of an object. A plan does not, because its hash must not depend on that. */
function toShownChange({ work, ...change }: Change, type: PlanDocument["type"]): ShownChange {
  const modified = type === "driftline.drift" && change.action !== "no_op" ? work?.live?.modified : undefined;
  const shown = type === "driftline.drift" ? withoutApproval(change) : change;
  return modified === undefined ? shown : { ...shown, modified };
}

/** Only a plan can be approved, so a drift leads to the plan first. */
function withoutApproval(change: ShownChange): ShownChange {
  const { blocked } = change;
  if (blocked?.command?.includes(PLAN_HASH) !== true) return change;
  return { ...change, blocked: { ...blocked, command: command("plan") } };
}

/**
 * The hash that the JSON of a plan must have. In its commands stands the placeholder of the hash. An edit of anything that will be applied changes it. What others have added
 * beside the declared values (`more`) does not. Nor does the source: the same plan has the same hash however it was typed, so
 * that `--approve` works from another folder, and `config_hash` shows whether the source leads to the same configuration.
 */
export function hashOf(content: Readonly<Record<string, unknown>>): string {
  const { hash: _hash, source: _source, diagnostics: _diagnostics, tool_version: _version, ...rest } = content;
  return sha256({ ...rest, changes: withoutMore(rest["changes"]) } as ValueObject);
}

function withoutMore(changes: unknown): unknown {
  if (!Array.isArray(changes)) return changes;
  return changes.map((change: unknown) => (isObject(change) ? { ...change, more: undefined } : change));
}
