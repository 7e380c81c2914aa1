/**
 * Adds the program that sent the last change of an object, for a drift report.
 *
 * Premise: only the activity of an object names it, and not every service does. The activity also lacks some changes, so its newest
 * entry may be an older one than the change that the object itself shows.
 * Algorithm: read the activity of one object. If it cannot be read, or its entries have no such key, the service does not show
 * it, and nothing else is read. The client of an entry counts if the entry is no older than the last change.
 */
import { besideList, kinds, scopeType } from "../../kinds/registry.ts";
import { type Needing, rowsIn, type RowsRead, rowsOf, type World } from "../../kinds/world.ts";
import type { Change } from "../../model/change.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../model/json.ts";
import { knownPathAt, type LiveSnapshot, type Modified } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { MAX_READS } from "./last-modified.ts";

/** An entry is written a moment before or after its object. Milliseconds. */
const TOLERANCE = 10_000;

/** Adds the client of the last change to the changes whose kind has an activity. */
export function withLastClients(world: World, plan: Plan): Needing & { readonly plan: Plan } {
  const reads = new Map(
    plan.changes.filter(mayShowClient).flatMap((change) => readOf(world, change).map((read) => [change, read])),
  );
  const [first, ...others] = [...reads.values()].slice(0, MAX_READS);
  const entry = first && newestEntry(world, first);
  const mayShow = entry !== undefined && (Object.keys(entry).length === 0 || Object.hasOwn(entry, "client"));
  if (first === undefined || !mayShow) return { plan, needs: first === undefined ? [] : [first] };
  const changes = plan.changes.map((change) => {
    const read = reads.get(change);
    return read === undefined ? change : withClient(change, newestEntry(world, read));
  });
  return { plan: { ...plan, changes }, needs: [first, ...others] };
}

function mayShowClient({ action, work }: Change): boolean {
  return action !== "no_op" && work?.live?.modified !== undefined;
}

/** The read of an object's activity. */
function readOf({ scopes }: LiveSnapshot, { work }: Change): readonly RowsRead[] {
  const scopePath = knownPathAt(scopes, work?.live?.scope ?? "");
  if (work?.live === undefined || scopePath === undefined) return [];
  const { live } = work;
  const kind = kinds[live.kind];
  const path = { ...scopePath, ...kind.writes.target(scopeType(live.scope), live).get?.path };
  return besideList(kind, live.scope, "activity").map((operation) => ({ what: "row", operation, path }));
}

/** The newest entry of an object's activity; empty if there is none, undefined if it was not or could not be read. */
function newestEntry(world: World, read: RowsRead): JsonObject | undefined {
  const entries = rowsOf(rowsIn(world, read))[0]?.["results"];
  if (!isJsonArray(entries)) return undefined;
  const [newest = {}] = entries;
  return isJsonObject(newest) ? newest : undefined;
}

function withClient(change: Change, entry: JsonObject | undefined): Change {
  const { work } = change;
  const modified = work?.live?.modified;
  const client = entry?.["client"];
  if (work?.live === undefined || modified === undefined || typeof client !== "string" || client === "") return change;
  if (!isAsNew(entry?.["created_at"], modified)) return change;
  return { ...change, work: { ...work, live: { ...work.live, modified: { ...modified, client } } } };
}

function isAsNew(createdAt: unknown, { at }: Modified): boolean {
  return typeof createdAt === "string" && (at === null || Date.parse(createdAt) >= Date.parse(at) - TOLERANCE);
}
