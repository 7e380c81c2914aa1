/**
 * Adds the program that sent the last change of an object, for a drift report.
 *
 * Premise: only the activity of an object names it, and not every service does. The activity also lacks some changes, so its newest
 * entry may be an older one than the change that the object itself shows.
 * Algorithm: read the activity of one object. If it cannot be read, or its entries have no such key, the service does not show
 * it, and nothing else is read. The client of an entry counts if the entry is no older than the last change.
 */
import type { Client } from "../../api/client.ts";
import { kinds, scopeType } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { LiveObject, LiveSnapshot, Modified } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { readRow } from "../../world/read-object.ts";
import { MAX_READS } from "./last-modified.ts";

/** An entry is written a moment before or after its object. Milliseconds. */
const TOLERANCE = 10_000;

/** Adds the client of the last change to the changes whose kind has an activity. */
export async function addLastClients(client: Client, { scopes }: LiveSnapshot, plan: Plan): Promise<Plan> {
  const [first, ...others] = plan.changes.filter(mayShowClient).slice(0, MAX_READS);
  if (first === undefined) return plan;
  const read = async (change: Change): Promise<readonly [Change, JsonObject | undefined]> => [
    change,
    await newestEntry(client, scopes, change.work?.live),
  ];
  const start = await read(first);
  const [, entry] = start;
  if (entry === undefined || (Object.keys(entry).length > 0 && !Object.hasOwn(entry, "client"))) return plan;
  const entries = new Map([start, ...(await Promise.all(others.map(read)))]);
  return { ...plan, changes: plan.changes.map((change) => withClient(change, entries.get(change))) };
}

function mayShowClient({ action, kind, work }: Change): boolean {
  return action !== "no_op" && work?.live?.modified !== undefined && kinds[kind].lists.activity !== undefined;
}

/** The newest entry of an object's activity; empty if there is none, undefined if it could not be read. */
async function newestEntry(
  client: Client,
  scopes: LiveSnapshot["scopes"],
  live: LiveObject | undefined,
): Promise<JsonObject | undefined> {
  const scope = scopes.get(live?.scope ?? "");
  if (live === undefined || scope?.status !== "known") return undefined;
  const { lists, writes } = kinds[live.kind];
  const path = { ...scope.path, ...writes.target(scopeType(live.scope), live).get?.path };
  const page = lists.activity === undefined ? undefined : await readRow(client, lists.activity, path);
  const entries = page?.["results"];
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
