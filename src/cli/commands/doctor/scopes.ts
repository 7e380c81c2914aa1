import type { ApiError } from "../../../api/errors/errors.ts";
import { operations, type NamedOperation, type OperationName, isOperationName } from "../../../api/operations/index.ts";
import { isJsonObject, type Json } from "../../../model/json.ts";
import { EXIT } from "../../exit-codes.ts";
import { needsOnlyPins } from "../../../engine/fetch.ts";
import { firstRow } from "./connectivity.ts";
import { hintText } from "../../../model/command.ts";
import { ok, type Finding } from "./report.ts";
import type { ServiceProbe } from "./probe.ts";
import type { Call, Kind, Target } from "../../../kinds/kind.ts";
import { kinds, scopeType } from "../../../kinds/registry.ts";
import type { DesiredGraph, Resource } from "../../../model/resource.ts";

/** Ids for the path of a request, by the names of the path parameters. */
export type PathIds = Readonly<Record<string, string>>;

/** A list that could be read, and the number of its rows. */
export interface ListSize {
  readonly operation: OperationName;
  readonly count: number;
}

export interface ScopeChecks {
  readonly findings: readonly Finding[];
  readonly lists: readonly ListSize[];
}

/**
 * Checks which read scopes the key has, by sending one small request for each.
 *
 * @param graph the configuration; undefined if there is none, then no scope counts as needed
 */
export async function checkReadScopes(
  probe: ServiceProbe,
  pathIds: PathIds,
  graph: DesiredGraph | undefined,
): Promise<ScopeChecks> {
  const sent = graph === undefined ? new Set<string>() : listsOf(graph);
  const needed = scopesOf(sent);
  const findings: Finding[] = [];
  const lists: ListSize[] = [];
  const firstIds = new Map<string, string>();
  for (const scope of scopesToRead()) {
    const request = requestForScope(scope, pathIds, firstIds, sent);
    if (request === undefined) {
      findings.push(untestedScope(scope, "no object exists to test it with", needed));
      continue;
    }
    const { operation, path } = request;
    const { name } = operation;
    const { body, error } = await probe.get(name, path, "limit" in operation.query ? { limit: 1 } : {});
    const count = countOf(body);
    if (count !== undefined) lists.push({ operation: name, count });
    const id = firstRow(body)?.["id"];
    if (typeof id === "number" || typeof id === "string") firstIds.set(operation.path, String(id));
    findings.push(scopeFinding(scope, needed, error));
  }
  return { findings, lists };
}

function scopeFinding(scope: string, needed: readonly string[], error: ApiError | undefined): Finding {
  if (error === undefined)
    return ok(
      "scope",
      needed.includes(scope) ? "the key has it; needed to plan" : `the key has it${useOf(scope)}`,
      scope,
    );
  if (error.kind === "scope" || error.kind === "auth") return missingScope(scope, needed, hintText(error.hint));
  return untestedScope(scope, error.message, needed);
}

/** Reports the scopes that apply needs as well. They stay unknown, because only a write could test them. */
export function reportWriteScopes(needed: NeededScopes | undefined): readonly Finding[] {
  return (needed?.write ?? []).map((scope) => ({
    check: "write_scope",
    subject: scope,
    status: "unknown",
    message: "needed to apply; only a write could test it",
    fix: `Make sure that the key has ${scope} if it is used to apply.`,
  }));
}

/** Returns all read scopes. Those that a list can test come first, because the others need an id from a list. */
function scopesToRead(): readonly string[] {
  const reads = Object.values(operations).filter(({ method }) => method === "GET");
  const listed = reads.filter(({ response }) => response === "page");
  return [...new Set([...listed, ...reads].flatMap(({ scope }) => scope ?? []))];
}

/** A request that needs a scope. */
interface ScopeRequest {
  readonly operation: NamedOperation;
  readonly path: PathIds;
}

/**
 * Finds a GET operation that needs the scope, and ids for its path: given ones, or those of the first rows of lists.
 *
 * @param sent the operations that a plan sends. They come first, because a key may be limited to some routes.
 */
function requestForScope(
  scope: string,
  pathIds: PathIds,
  firstIds: ReadonlyMap<string, string>,
  sent: ReadonlySet<string>,
): ScopeRequest | undefined {
  const candidates = Object.values(operations)
    .filter((one) => one.method === "GET" && one.scope === scope)
    .toSorted((a, b) => Number(sent.has(b.name)) - Number(sent.has(a.name)));
  for (const operation of candidates) {
    const path: Record<string, string> = { ...pathIds };
    for (const name of Object.keys(operation.params)) {
      const [list = ""] = operation.path.split(`/:${name}`, 1);
      const id = path[name] ?? firstIds.get(list);
      if (id !== undefined) path[name] = id;
    }
    if (Object.keys(operation.params).every((name) => Object.hasOwn(path, name))) return { operation, path };
  }
  return undefined;
}

function missingScope(scope: string, needed: readonly string[], hint: string): Finding {
  const about = { check: "scope", subject: scope } as const;
  if (!needed.includes(scope)) return ok("scope", "the key does not have it; nothing that is declared needs it", scope);
  const fix = hint.includes(scope) ? hint : `Give the API key the scope ${scope}. ${hint}`;
  return { ...about, status: "error", message: "the key does not have it; needed to plan", fix, exitCode: EXIT.denied };
}

function untestedScope(scope: string, reason: string, needed: readonly string[]): Finding {
  const fix = needed.includes(scope) ? `Make sure that the key has ${scope}.` : `No action is needed${useOf(scope)}.`;
  return { check: "scope", subject: scope, status: "unknown", message: reason, fix };
}

/** The scopes of all lists that plans, drifts and exports read. */
const LISTED: ReadonlySet<string> = new Set(
  scopesOf(
    new Set(
      Object.values(kinds).flatMap((kind) =>
        (["service", "organization", "project"] as const).flatMap((type) => kind.lists.operations(type)),
      ),
    ),
  ),
);

/** What needs a scope that no list needs: single operations. "" for the scope of a list. */
function useOf(scope: string): string {
  if (LISTED.has(scope)) return "";
  const needing = Object.values(operations).filter((one) => one.scope === scope);
  return `; no plan needs it, only a call of ${needing.map(({ name }) => name).join(" or ")}`;
}

function countOf(body: Json | undefined): number | undefined {
  const count = isJsonObject(body) ? body["count"] : undefined;
  return typeof count === "number" ? count : undefined;
}

/**
 * The scopes that a configuration needs.
 *
 * Premise: a plan lists every declared kind in its scope, and the kind's siblings. It reads the organizations unless their
 * declared ids are enough. An apply may send any operation that brings an object to its declared state. Operations without a
 * documented scope add nothing.
 */
export interface NeededScopes {
  /** For plan and drift. Sorted. */
  readonly read: readonly string[];
  /** For apply, in addition. Sorted. */
  readonly write: readonly string[];
}

/** Returns the scopes that the key needs to plan and to apply the configuration. */
export function neededScopes(graph: DesiredGraph): NeededScopes {
  const writes = new Set(graph.resources.flatMap(writesOf));
  for (const { scope, kind } of graph.exclusive)
    for (const { operation } of targetFor(kinds[kind], scope).remove) writes.add(operation);
  return { read: scopesOf(listsOf(graph)), write: scopesOf(writes) };
}

/** The list operations that a plan of the configuration sends. */
function listsOf(graph: DesiredGraph): ReadonlySet<string> {
  const isPinned = needsOnlyPins(graph, []);
  const reads = new Set<string>();
  for (const { kind: name, scope } of [...graph.resources, ...graph.exclusive]) {
    const kind = kinds[name];
    if (kind.asScope === undefined || !isPinned) addLists(reads, kind, scope);
  }
  return reads;
}

function addLists(reads: Set<string>, kind: Kind, scope: string): void {
  const all = [kind, ...kind.identity.siblings.map((sibling) => kinds[sibling])];
  for (const one of all) for (const operation of one.lists.operations(scopeType(scope))) reads.add(operation);
}

/** Returns the operations that an apply may send for a resource. */
function writesOf(resource: Resource): readonly string[] {
  const kind = kinds[resource.kind];
  const { lifecycle, scope } = resource;
  if (!mayBeWritten(resource, kind)) return [];
  const { update, remove, restore, transition } = targetFor(kind, scope);
  if (lifecycle.state === "absent") return operationNames(remove);
  const replaced = update === undefined || kind.writes.removeFirst === true ? remove : [];
  const calls = [kind.writes.create?.(scopeType(scope), {}, "x"), update?.({}), restore, ...replaced];
  return [...operationNames(calls), ...Object.values(transition?.operations ?? {})];
}

/** A resource is never written if it only names the parent of others, or if it is to be forgotten. */
function mayBeWritten({ lifecycle, values, pin }: Resource, kind: Kind): boolean {
  if (lifecycle.forget === true) return false;
  if (lifecycle.state === "absent") return true;
  const named = new Set(pin === undefined ? kind.identity.keyFields : []);
  const writesFields = Object.keys(values).some((field) => !named.has(field));
  const renamed = lifecycle.renamed_from !== undefined;
  const isMade =
    kind.writes.requiresExplicitCreate === true
      ? lifecycle.create === true
      : kind.writes.create !== undefined && pin === undefined;
  return writesFields || renamed || isMade || (pin !== undefined && kind.writes.restorable === true);
}

function targetFor(kind: Kind, scope: string): Target {
  // The ids only have to be present, so that all operations are returned.
  return kind.writes.target(scopeType(scope), { id: "x", parts: { member: "x", invites: ["x"] } });
}

function operationNames(calls: readonly (Call | undefined)[]): readonly string[] {
  return calls.flatMap((call) => (call === undefined ? [] : [call.operation]));
}

function scopesOf(called: ReadonlySet<string>): readonly string[] {
  const found = [...called].flatMap((name) => (isOperationName(name) ? (operations[name].scope ?? []) : []));
  return [...new Set(found)].toSorted();
}
