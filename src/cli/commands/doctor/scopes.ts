import { type ApiError, isMissingRoute } from "../../../api/errors/errors.ts";
import { operations, type NamedOperation, type OperationName } from "../../../api/operations/index.ts";
import { joinWords } from "../../../model/plural.ts";
import { EXIT } from "../../exit-codes.ts";
import {
  collectionsBehind,
  listOperationsOfExport,
  type NeededScopes,
  scopesOfOperations,
} from "../../../engine/doctor/needed-scopes.ts";
import { hintText } from "../../../model/command.ts";
import { ok, problem, type Finding } from "./report.ts";
import type { PathIds, ProbeResult, ServiceProbe } from "./probe.ts";

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
 * @param planned the operations that will be sent, so that their scopes count as needed; undefined if nothing is declared yet
 */
export async function checkReadScopes(
  probe: ServiceProbe,
  pathIds: PathIds,
  planned: ReadonlySet<string> | undefined,
): Promise<ScopeChecks> {
  const sent = planned ?? new Set<string>();
  const needed = planned && scopesOfOperations(planned);
  const findings: Finding[] = [];
  const lists: ListSize[] = [];
  const firstIds = new Map<string, string>();
  for (const scope of scopesToRead()) {
    const tried = await tryRequests(probe, requestsForScope(scope, pathIds, firstIds, sent));
    if (tried === undefined) {
      findings.push(untestedScope(scope, "no object exists to test it with", needed ?? []));
      continue;
    }
    const { operation, rows, count, error } = tried;
    if (count !== undefined) lists.push({ operation: operation.name, count });
    const id = rows[0]?.["id"];
    if (typeof id === "number" || typeof id === "string") firstIds.set(operation.path, String(id));
    findings.push(scopeFinding(scope, needed, error));
  }
  return { findings, lists };
}

/** Sends the first request whose route the service has. Undefined if there is no request. */
async function tryRequests(
  probe: ServiceProbe,
  requests: readonly ScopeRequest[],
): Promise<(ScopeRequest & ProbeResult) | undefined> {
  let tried: (ScopeRequest & ProbeResult) | undefined;
  for (const request of requests) {
    const { operation, path } = request;
    const result = await probe.get(operation.name, path, "limit" in operation.query ? { limit: 1 } : {});
    tried ??= { ...request, ...result };
    if (result.error === undefined || !isMissingRoute(result.error)) return { ...request, ...result };
  }
  return tried;
}

/** @param needed the scopes that a plan needs; undefined if nothing is declared yet */
function scopeFinding(scope: string, needed: readonly string[] | undefined, error: ApiError | undefined): Finding {
  if (error === undefined)
    return ok(
      "scope",
      needed?.includes(scope) === true ? "the key has it; needed to plan" : `the key has it${useOf(scope)}`,
      scope,
    );
  // A route that is not there says nothing about the key.
  if (isMissingRoute(error)) {
    const hint = "No action is needed: the scopes of the key are not the cause.";
    return problem("scope", "unknown", { message: "the service does not have what it is for", hint, subject: scope });
  }
  if (error.kind === "scope" || error.kind === "auth") return missingScope(scope, needed, hintText(error.hint));
  return untestedScope(scope, error.message, needed ?? []);
}

/** Reports the scopes that apply needs as well. They stay unknown, because only a write could test them. */
export function reportWriteScopes(needed: NeededScopes | null): readonly Finding[] {
  const message = "needed to apply; only a write could test it";
  return (needed?.write ?? []).map((scope) => {
    const hint = `Make sure that the key has ${scope} if it is used to apply.`;
    return problem("write_scope", "unknown", { message, hint, subject: scope });
  });
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
 * Finds GET operations that need the scope, and ids for their paths: given ones, or those of the first rows of lists.
 *
 * @param sent the operations that a plan sends. They come first, because a key may be limited to some routes.
 */
function requestsForScope(
  scope: string,
  pathIds: PathIds,
  firstIds: ReadonlyMap<string, string>,
  sent: ReadonlySet<string>,
): readonly ScopeRequest[] {
  const candidates = Object.values(operations)
    .filter((one) => one.method === "GET" && one.scope === scope)
    .toSorted((a, b) => Number(sent.has(b.name)) - Number(sent.has(a.name)));
  return candidates.flatMap((operation) => {
    const path: Record<string, string> = { ...pathIds };
    for (const name of Object.keys(operation.params)) {
      const [list = ""] = operation.path.split(`/:${name}`, 1);
      const id = path[name] ?? firstIds.get(list);
      if (id !== undefined) path[name] = id;
    }
    return Object.keys(operation.params).every((name) => Object.hasOwn(path, name)) ? [{ operation, path }] : [];
  });
}

function missingScope(scope: string, needed: readonly string[] | undefined, text: string): Finding {
  const isOther = text.includes("not the cause");
  const hint = isOther || text.includes(scope) ? text : `Give the API key the scope ${scope}. ${text}`;
  const lacks = isOther ? "the service refuses the key what it is for" : "the key does not have it";
  const about = { hint, subject: scope };
  if (needed?.includes(scope) === true) {
    const message = `${lacks}; needed to plan`;
    return problem("scope", "error", { ...about, message, exitCode: EXIT.denied });
  }
  const leftOut = needed === undefined ? collectionsBehind(scope) : [];
  if (leftOut.length === 0) return ok("scope", `${lacks}; nothing that is declared needs it`, scope);
  const message = `${lacks}; export and init leave out ${joinWords(leftOut, "and")}`;
  return problem("scope", "warning", { ...about, message });
}

function untestedScope(scope: string, message: string, needed: readonly string[]): Finding {
  const hint = needed.includes(scope) ? `Make sure that the key has ${scope}.` : `No action is needed${useOf(scope)}.`;
  return problem("scope", "unknown", { message, hint, subject: scope });
}

/** The scopes of all lists that plans, drifts and exports read. */
const LISTED: ReadonlySet<string> = new Set(scopesOfOperations(listOperationsOfExport()));

/** What needs a scope that no list needs: single operations. "" for the scope of a list. */
function useOf(scope: string): string {
  if (LISTED.has(scope)) return "";
  const needing = Object.values(operations).filter((one) => one.scope === scope);
  return `; no plan needs it, only a call of ${needing.map(({ name }) => name).join(" or ")}`;
}
