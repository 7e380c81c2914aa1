/**
 * Adds who changed an object last, and with which program, for a drift report.
 *
 * Premise: deployed servers list insights without it. The newest page of a project's log names it for many objects at once, but needs
 * a permission of its own, and lacks some changes. A read of one object names only the person.
 * Algorithm: read that page of each scope with differences. An entry counts if it is of the time of the object's last change. If
 * the page names no person for an object, read that object by itself. If there are many such objects, read only the first
 * ones, unless the user asked for all.
 */
import { kindSchema } from "../../kinds/fields.ts";
import { objectRead } from "../../kinds/object-read.ts";
import { kinds, logBeside } from "../../kinds/registry.ts";
import { modifiedOf, nameOfUser } from "../../kinds/rows.ts";
import { type Needing, rowsIn, type RowsRead, answeredRows, unansweredReads, type World } from "../../kinds/world.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../model/json/json.ts";
import { knownPathAt, type Modified } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { plural } from "../../model/text/plural.ts";

/** More objects are read one by one only if all were asked for. */
export const MAX_READS = 50;

/** How many of the newest entries of a log are read. */
const LOG = { limit: 500 };

/** An entry is written a moment before or after its object. Milliseconds. */
const TOLERANCE = 10_000;

interface LastChanges extends Needing {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** A change of an object with a log. */
interface Logged {
  readonly change: Change;
  readonly id: string;
  readonly modified: Modified;
  readonly log: RowsRead;
  readonly read: RowsRead | undefined;
}

/** @param most how many objects are read one by one */
export function withLastChanges(world: World, plan: Plan, most: number): LastChanges {
  const all = plan.changes.flatMap((change) => loggedOf(world, change));
  const logs = all.map(({ log }) => log);
  if (unansweredReads(world, logs).length > 0) return { plan, needs: logs, diagnostics: [] };
  const rows = new Set(logs.flatMap((log) => answeredRows(rowsIn(world, log))));
  const entries = groupBy([...rows].flatMap(entriesOf), ({ item_id: id }) => id);
  const known = all.map((one) => ({ ...one, modified: withEntry(one.modified, entries.get(one.id)) }));
  const lacking = known.filter(({ modified }) => modified.by === null);
  const asked = lacking.slice(0, most).flatMap(({ read }) => read ?? []);
  const changes = new Map(
    known.map(({ change, modified, read }) => [change, withModified(change, withRow(modified, world, read))]),
  );
  return {
    plan: { ...plan, changes: plan.changes.map((change) => changes.get(change) ?? change) },
    needs: [...logs, ...asked],
    diagnostics: lacking.length > most ? [notLookedUp(lacking.length - most)] : [],
  };
}

function loggedOf({ scopes }: World, change: Change): readonly Logged[] {
  const live = change.work?.live;
  const path = knownPathAt(scopes, live?.scope ?? "");
  if (change.action === "no_op" || live?.modified === undefined || path === undefined) return [];
  if (kindSchema(live.kind).properties["last_modified_by"] === undefined) return [];
  const { kind, scope, id, modified } = live;
  const read = objectRead(live, path);
  return logBeside(kinds[kind], scope).map((operation) => {
    const log: RowsRead = { what: "row", operation, path, query: LOG };
    return { change, id, modified, log, read };
  });
}

/** The entries of a page of a log. A service of the interface document has none. */
function entriesOf({ results }: JsonObject): readonly JsonObject[] {
  return isJsonArray(results) ? results.filter(isJsonObject) : [];
}

/** The newest entry of the time of the last change says who, unless the object does, and with which program. */
function withEntry(modified: Modified, entries: readonly JsonObject[] = []): Modified {
  const entry = entries.find(({ created_at: at }) => isOfTime(at, modified));
  const client = entry?.["client"];
  return {
    ...modified,
    by: modified.by ?? nameOfUser(entry?.["user"]),
    ...(typeof client === "string" && client !== "" ? { client } : {}),
  };
}

function isOfTime(createdAt: unknown, { at }: Modified): boolean {
  if (typeof createdAt !== "string") return false;
  return at === null || Math.abs(Date.parse(createdAt) - Date.parse(at)) <= TOLERANCE;
}

/** The person whom a read of the object names. An object that cannot be read stays as it is. */
function withRow(modified: Modified, world: World, read: RowsRead | undefined): Modified {
  const [row] = modified.by === null && read !== undefined ? answeredRows(rowsIn(world, read)) : [];
  return { ...modified, ...(row && modifiedOf(row)) };
}

function withModified(change: Change, modified: Modified): Change {
  const { work } = change;
  return work?.live === undefined ? change : { ...change, work: { ...work, live: { ...work.live, modified } } };
}

function notLookedUp(count: number): Diagnostic {
  const message = `who changed ${plural(count, "object")} last was not looked up, because the list does not say it and each takes a request`;
  return { severity: "warning", code: "not_looked_up", message, hint: "--by PERSON and --accept look at all of them." };
}
