import { ApiError, mayRejectQuery } from "../../api/errors/errors.ts";
import { originOf } from "../../api/errors/from-response.ts";
import { type Page, toPage } from "../../api/lists/page.ts";
import { PAGE_SIZE } from "../../api/lists/read-list.ts";
import { pagesAfter } from "../../api/lists/stream-pages.ts";
import { listQueryFor, operations, type OperationName } from "../../api/operations/index.ts";
import { asText } from "../../kinds/keys.ts";
import { listedObjects } from "../../kinds/listed-objects.ts";
import { scopeType } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Query } from "../../api/client.ts";
import type { Task } from "../task.ts";

/**
 * How many known rows in a row end the reading. Numbers are given before a row is visible: one that was seen may hide lower ones that many
 * runs are still creating.
 */
const KNOWN_AT_END = 100;

/**
 * The objects that are newer than what the plan saw: where the service sorts, only these are read, from the newest on; else all. Changes
 * that need them at the same time share a read.
 *
 * @throws ApiError
 */
export function listNewest(task: Task): Promise<readonly LiveObject[]> {
  return task.lists.shareNewest(() => listNewestNow(task));
}

async function listNewestNow(task: Task): Promise<readonly LiveObject[]> {
  const [operation, ...others] = task.kind.lists.operations(scopeType(task.scope));
  if (operation === undefined || others.length > 0) return task.lists.shared();
  const { order, ...query } = listQueryFor(task.context.client.profile, operation);
  if (typeof order !== "string") return task.lists.shared();
  const newest = { ...query, order: `-${order}` };
  const known = new Set(listedObjects(task.context.world, task.scope, task.kind.name).map(({ id }) => id));
  const rows = await readNewest(task, { operation, query: newest, order }, known).catch((error: unknown) => {
    if (!mayRejectQuery(error) && !(error instanceof ApiError && error.kind === "incomplete")) throw error;
  });
  return rows === undefined ? task.lists.shared() : task.lists.assemble({ [operation]: rows });
}

interface SortedList {
  readonly operation: OperationName;
  readonly query: Query;
  /** The field that the rows are sorted by. */
  readonly order: string;
}

/** Undefined if the service does not sort. @throws ApiError `incomplete` if the list changed between two pages: rows may be missing then */
async function readNewest(
  task: Task,
  { operation, query, order }: SortedList,
  known: ReadonlySet<string>,
): Promise<readonly JsonObject[] | undefined> {
  const origin = originOf(operations[operation]);
  const read = async (offset: number, limit = PAGE_SIZE): Promise<Page> =>
    toPage(origin, await task.lists.page(operation, { ...query, limit, offset }), offset);
  const rows: JsonObject[] = [];
  for await (const page of pagesAfter(origin, await read(0), read)) {
    rows.push(...page.rows);
    if (rows.length >= page.count) continue;
    if (!isDescending(rows, order)) return undefined;
    const last = rows.slice(-KNOWN_AT_END);
    if (last.length === KNOWN_AT_END && last.every(({ id }) => known.has(asText(id) ?? ""))) return rows;
  }
  return rows;
}

function isDescending(rows: readonly JsonObject[], order: string): boolean {
  return rows.every((row, index) => index === 0 || Number(row[order]) < Number(rows[index - 1]?.[order]));
}
