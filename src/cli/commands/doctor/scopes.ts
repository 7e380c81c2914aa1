import type { ApiError } from "../../../api/errors/errors.ts";
import { operations, type NamedOperation, type OperationName, isOperationName } from "../../../api/operations/index.ts";
import { isJsonObject, type Json } from "../../../model/json.ts";
import { EXIT } from "../../exit-codes.ts";
import { firstRow } from "./connectivity.ts";
import { ok, type Finding } from "./report.ts";
import type { ServiceProbe } from "./probe.ts";
import type { Call, Kind, Target } from "../../../kinds/kind.ts";
import { kinds } from "../../../kinds/registry.ts";
import { scopeType } from "../../../model/address.ts";
import type { DesiredGraph, Resource } from "../../../model/resource.ts";

/** Where requests can go: ids by the names of path parameters. */
export type Place = Readonly<Record<string, string>>;

/** A list that could be read, and how long it is. */
export interface KnownList {
  readonly operation: OperationName;
  readonly count: number;
}

export interface ScopeReading {
  readonly findings: readonly Finding[];
  readonly lists: readonly KnownList[];
}

/** Finds out which read scopes the key has, by the smallest read of each. Without a configuration none counts as needed. */
export async function readScopes(
  visit: ServiceProbe,
  place: Place,
  needed: readonly string[] | undefined,
): Promise<ScopeReading> {
  const findings: Finding[] = [];
  const lists: KnownList[] = [];
  const firsts = new Map<string, string>();
  for (const scope of scopesToRead()) {
    const probe = probeOf(scope, place, firsts);
    const isNeeded = needed?.includes(scope) === true;
    if (probe === undefined) {
      findings.push(unknown(scope, "there is nothing to read that would tell", isNeeded));
      continue;
    }
    const { operation, path } = probe;
    const { name } = operation;
    const { body, error } = await visit.get(name, path, "limit" in operation.query ? { limit: 1 } : {});
    const count = countOf(body);
    if (count !== undefined) lists.push({ operation: name, count });
    const id = firstRow(body)?.["id"];
    if (typeof id === "number" || typeof id === "string") firsts.set(operation.path, String(id));
    findings.push(findingOf(scope, isNeeded, error));
  }
  return { findings, lists };
}

function findingOf(scope: string, isNeeded: boolean, error: ApiError | undefined): Finding {
  if (error === undefined) return ok("scope", isNeeded ? "the key has it; needed to plan" : "the key has it", scope);
  if (error.kind === "scope" || error.kind === "auth") return lacking(scope, isNeeded, error.hint);
  return unknown(scope, error.message, isNeeded);
}

/** What apply will need as well: no GET tells whether the key has it. */
export function writeScopes(needed: NeededScopes | undefined): readonly Finding[] {
  return (needed?.write ?? []).map((scope) => ({
    check: "write_scope",
    subject: scope,
    status: "unknown",
    message: "needed to apply; reading does not tell whether the key has it",
    fix: `Make sure that the key has ${scope}, unless it is only to plan.`,
  }));
}

/** Every read scope of the document; those that can be tried at once come before those that take the id of something. */
function scopesToRead(): readonly string[] {
  const reads = Object.values(operations).filter(({ method }) => method === "GET");
  const listed = reads.filter(({ response }) => response === "page");
  return [...new Set([...listed, ...reads].flatMap(({ scope }) => scope ?? []))];
}

interface Probe {
  readonly operation: NamedOperation;
  readonly path: Place;
}

/** An operation that is allowed by a scope and can be sent, if need be on the first row of the list that it stands under. */
function probeOf(scope: string, place: Place, firsts: ReadonlyMap<string, string>): Probe | undefined {
  const candidates = Object.values(operations).filter((one) => one.method === "GET" && one.scope === scope);
  for (const operation of candidates) {
    const path: Record<string, string> = { ...place };
    for (const name of Object.keys(operation.params)) {
      const [list = ""] = operation.path.split(`/:${name}`, 1);
      const id = path[name] ?? firsts.get(list);
      if (id !== undefined) path[name] = id;
    }
    if (Object.keys(operation.params).every((name) => Object.hasOwn(path, name))) return { operation, path };
  }
  return undefined;
}

function lacking(scope: string, isNeeded: boolean, hint: string): Finding {
  const about = { check: "scope", subject: scope } as const;
  if (!isNeeded) return ok("scope", "the key does not have it, and nothing that is declared needs it", scope);
  const fix = hint.includes(scope) ? hint : `Give the API key the scope ${scope}. ${hint}`;
  return { ...about, status: "error", message: "the key does not have it; needed to plan", fix, exitCode: EXIT.denied };
}

function unknown(scope: string, why: string, isNeeded: boolean): Finding {
  const fix = isNeeded
    ? `Make sure that the key has ${scope}, then run plan.`
    : `Nothing has to be done unless ${scope} is wanted.`;
  return { check: "scope", subject: scope, status: "unknown", message: why, fix };
}

function countOf(body: Json | undefined): number | undefined {
  const count = isJsonObject(body) ? body["count"] : undefined;
  return typeof count === "number" ? count : undefined;
}

/**
 * The scopes that a configuration needs.
 *
 * Premise: a plan lists every declared kind in its scope, and its relatives; an apply may send any operation by which the kind
 * is brought to what was declared. Operations without a listed scope add nothing: nobody knows what they need.
 */
export interface NeededScopes {
  /** For plan and drift. Sorted. */
  readonly read: readonly string[];
  /** For apply, in addition. Sorted. */
  readonly write: readonly string[];
}

/** What the key has to be allowed to plan and to apply everything that is declared. */
export function neededScopes(graph: DesiredGraph): NeededScopes {
  const reads = new Set(["organizations.list"]);
  const writes = new Set<string>();
  for (const resource of graph.resources) {
    addLists(reads, kinds[resource.kind], resource.scope);
    for (const call of writesOf(resource)) writes.add(call);
  }
  for (const { scope, kind } of graph.exclusive) {
    addLists(reads, kinds[kind], scope);
    for (const { operation } of target(kinds[kind], scope).remove) writes.add(operation);
  }
  return { read: scopesOf(reads), write: scopesOf(writes) };
}

function addLists(reads: Set<string>, kind: Kind, scope: string): void {
  const all = [kind, ...kind.siblings.map((sibling) => kinds[sibling])];
  for (const one of all) for (const operation of one.lists(scopeType(scope))) reads.add(operation);
}

/** What an apply may send for a resource. */
function writesOf(resource: Resource): readonly string[] {
  const kind = kinds[resource.kind];
  const { lifecycle, scope } = resource;
  if (!mayBeWritten(resource, kind)) return [];
  const { update, remove, restore, transition } = target(kind, scope);
  if (lifecycle.state === "absent") return names(remove);
  const replaced = update === undefined || kind.removeFirst === true ? remove : [];
  const calls = [kind.create?.(scopeType(scope), {}, "x"), update?.({}), restore, ...replaced];
  return [...names(calls), ...Object.values(transition?.operations ?? {})];
}

/** Not where it is only named, to say where other things belong, or to be left alone. */
function mayBeWritten({ lifecycle, values, pin }: Resource, kind: Kind): boolean {
  if (lifecycle.forget === true) return false;
  if (lifecycle.state === "absent") return true;
  const named = new Set(pin === undefined ? kind.keyFields : []);
  const writesFields = Object.keys(values).some((field) => !named.has(field));
  const renamed = lifecycle.renamed_from !== undefined;
  const isMade =
    kind.requiresExplicitCreate === true ? lifecycle.create === true : kind.create !== undefined && pin === undefined;
  return writesFields || renamed || isMade || (pin !== undefined && kind.restorable === true);
}

function target(kind: Kind, scope: string): Target {
  // Whatever the object is made of: all of its operations are wanted.
  return kind.target(scopeType(scope), { id: "x", parts: { member: "x", invites: ["x"] } });
}

function names(calls: readonly (Call | undefined)[]): readonly string[] {
  return calls.flatMap((call) => (call === undefined ? [] : [call.operation]));
}

function scopesOf(called: ReadonlySet<string>): readonly string[] {
  const found = [...called].flatMap((name) => (isOperationName(name) ? (operations[name].scope ?? []) : []));
  return [...new Set(found)].toSorted();
}
