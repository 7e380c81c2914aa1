/**
 * What earlier runs on this machine left, and how a plan takes it in: open intents, objects that lists do not show yet, values
 * that an interrupted replace has kept, and deviations.
 *
 * Terms: a deviation is what a service made of a write: fields that it ignored or added. The last one of each object is
 * remembered, so that a plan of the same change says so, instead of showing a difference that comes back for ever without a
 * reason. A file of deviations that cannot be read or written costs only that.
 */
import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Client } from "../api/client.ts";
import { publicUrlOf } from "../api/http/url.ts";
import { writeAtomically } from "../files/atomic-write.ts";
import { isExpiredIntent, isSameCreate, type OpenIntent } from "../apply/journal/intents.ts";
import { isRecent, type CreatedObject, readPriorRunState, type PriorRunState } from "../apply/journal/records.ts";
import { conceal, kindSchema } from "../kinds/fields.ts";
import { kinds } from "../kinds/registry.ts";
import type { Change, FieldChange } from "../model/change.ts";
import { isObject, pointer, type Json } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, deviationKey, present, withObject, type LiveSnapshot, type ScopePath } from "../model/live.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { readObject, type ObjectRef } from "../snapshot/read-object.ts";
import type { EngineContext } from "./context.ts";

/** The files that driftline keeps for a service: one set per machine and user, wherever the configuration lies. */
export interface StateFiles {
  readonly journal: string;
  readonly lock: string;
  readonly ignored: string;
}

/** @param url of the service; the files are named by its hash, so that the command line and Pulumi share them */
export function stateFiles(env: EngineContext["env"], url: string): StateFiles {
  const hash = createHash("sha256").update(publicUrlOf(url)).digest("hex").slice(0, 16);
  const prefix = join(stateFolder(env), hash);
  return { journal: `${prefix}.journal`, lock: `${prefix}.lock`, ignored: `${prefix}.ignored.json` };
}

/** What earlier runs on this machine left, and fields that the service ignored or added. */
export interface PriorState extends PriorRunState {
  readonly ignored: Deviations;
}

/** Reads the state of earlier runs, without expired records. Takes no lock and writes nothing. Never rejects. */
export async function readPriorState({ env, clock }: EngineContext, client: Client): Promise<PriorState> {
  const files = stateFiles(env, client.url);
  const [{ intents, created }, ignored] = await Promise.all([
    readPriorRunState(files.journal),
    readDeviations(files.ignored),
  ]);
  const now = clock.now();
  return {
    intents: intents.filter((intent) => !isExpiredIntent(intent, now)),
    created: created.filter((one) => isRecent(one, now)),
    ignored,
  };
}

/** The folder of the state files. An empty variable counts as unset. */
function stateFolder(env: EngineContext["env"]): string {
  const home = (): string => env["HOME"] || homeOfUser();
  const state = env["XDG_STATE_HOME"] || join(home(), ".local", "state");
  return env["DRIFTLINE_STATE_DIR"] || join(state, "driftline");
}

/** A container may run as a user that the system does not know. Writing then fails later, with a hint. */
function homeOfUser(): string {
  try {
    const home = homedir();
    return home === "" ? "/" : home;
  } catch {
    return "/";
  }
}

/**
 * Adds objects that earlier runs created and that the service's lists do not show yet. A plan that would create such an object
 * again has it read by its id first.
 *
 * @returns undefined if there is nothing to add
 */
export async function addRecentCreates(
  client: Client,
  snapshot: LiveSnapshot,
  changes: readonly Change[],
  created: readonly CreatedObject[],
): Promise<LiveSnapshot | undefined> {
  if (created.length === 0) return undefined;
  const candidates = changes.flatMap((change) => recentCreatesFor(client.url, snapshot, change, created));
  const objects = present(await Promise.all(candidates.map((one) => readObject(client, one, one.path))));
  return objects.length === 0 ? undefined : { ...snapshot, lists: objects.reduce(withObject, snapshot.lists) };
}

/** An object that an earlier run created. */
interface RecentCreate extends ObjectRef {
  readonly path: ScopePath;
}

/**
 * Returns what was created under the same natural key as a planned create. Organizations are left out: what one of them
 * holds has not been listed either.
 */
function recentCreatesFor(
  url: string,
  { scopes, lists }: LiveSnapshot,
  { action, kind, work }: Change,
  created: readonly CreatedObject[],
): readonly RecentCreate[] {
  if (action !== "create" || work?.resource === undefined || work.scope === "") return [];
  const scope = scopes.get(work.scope);
  if (scope?.status !== "known") return [];
  const { path } = scope;
  const [key = ""] = kinds[kind].identity.declaredKeys(work.resource.values, work.resource.name);
  return (
    created
      .filter((one) => isSameCreate(one, { url, kind, scope: path, key }))
      // An object that has another name by now is listed.
      .filter(({ made }) => lists.get(listKey(work.scope, kind))?.objects.some(({ id }) => id === made) !== true)
      .map(({ made }) => ({ kind, scope: work.scope, id: made, path }))
  );
}

/**
 * Completes the creates that follow an interrupted replace. The old object is gone, and only the journal has its undeclared
 * values. The plan shows them like all other values that will be sent.
 *
 * @param intents those of earlier runs on this service
 */
export function resumeReplaces(plan: Plan, intents: readonly OpenIntent[], snapshot: LiveSnapshot): Plan {
  const interrupted = intents.filter(({ carried }) => carried !== undefined);
  if (interrupted.length === 0) return plan;
  return { ...plan, changes: plan.changes.map((change) => resume(change, interrupted, snapshot)) };
}

function resume(change: Change, intents: readonly OpenIntent[], { scopes }: LiveSnapshot): Change {
  const { work, kind } = change;
  const scope = work === null ? undefined : scopes.get(work.scope);
  if (change.action !== "create" || work === null || scope?.status !== "known") return change;
  const create = { kind, scope: scope.path, key: work.key ?? "" };
  const found = intents.findLast((intent) => isSameCreate(intent, { ...create, url: intent.url }));
  const kept = Object.entries({ ...found?.carried }).filter(([field]) => !Object.hasOwn(work.body, field));
  if (kept.length === 0) return change;
  const carried = Object.fromEntries(kept);
  return {
    ...change,
    reason: `${change.reason}; keeps what it had before an interrupted replace`,
    fields: [...change.fields, ...kept.map(([field, value]) => shownField(kind, field, value))],
    work: { ...work, body: { ...work.body, ...carried }, carried },
  };
}

function shownField(kind: KindName, field: string, value: Json): FieldChange {
  const { properties } = kindSchema(kind);
  return { path: pointer(field), prior: null, planned: conceal(kind, properties[field], value, field) };
}

/** What a service made of a write. */
interface Deviation {
  /** Code of the outcome. */
  readonly code: string;
  /** JSON Pointers. */
  readonly paths: readonly string[];
}

/** The last deviation, by kind and id of the object. */
export type Deviations = Readonly<Record<string, Deviation>>;

const ADDED = "added_by_service";

/** Codes of outcomes that are remembered. */
const DEVIATIONS: ReadonlySet<string> = new Set(["ignored_by_service", ADDED]);

/** Reads what earlier runs remembered; nothing if the file is missing or damaged. Never rejects. */
export async function readDeviations(path: string): Promise<Deviations> {
  try {
    const value = JSON.parse(await readFile(path, "utf8")) as unknown;
    const entries = Object.entries(isObject(value) ? value : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, Deviation] => isDeviation(entry[1])));
  } catch {
    return {};
  }
}

function isDeviation(value: unknown): value is Deviation {
  return isObject(value) && typeof value["code"] === "string" && Array.isArray(value["paths"]);
}

/** Remembers the fields that this run found ignored or added, and forgets those that were accepted. The caller holds the lock. */
export async function rememberDeviations(path: string, outcomes: readonly Outcome[]): Promise<void> {
  const before = await readDeviations(path);
  const ended = outcomes.filter(({ id, status }) => id !== null && ["applied", "unverified"].includes(status));
  const kept = Object.entries(before).filter(([key]) => !ended.some((outcome) => deviationKey(outcome) === key));
  const found = ended.flatMap((outcome): [string, Deviation][] => {
    const { code = "", paths = [] } = outcome.error ?? {};
    return DEVIATIONS.has(code) ? [[deviationKey(outcome), { code, paths }]] : [];
  });
  const now = [...kept, ...found];
  if (now.length === 0 && Object.keys(before).length === 0) return;
  const write = now.length === 0 ? rm(path, { force: true }) : writeAtomically(path, textOf(now));
  await write.catch(() => undefined);
}

function textOf(entries: readonly (readonly [string, Deviation])[]): string {
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

/**
 * Returns the paths that the service itself added when an object was last written to, as far as a change differs there. A path
 * may lie inside of a list that differs as a whole.
 */
export function addedBefore({ fields, ...change }: Change, ignored: Deviations): readonly string[] {
  const before = ignored[deviationKey(change)];
  if (before?.code !== ADDED) return [];
  return before.paths.filter((path) =>
    fields.some((field) => path === field.path || path.startsWith(`${field.path}/`)),
  );
}
