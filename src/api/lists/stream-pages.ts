/**
 * Reads a list page after page.
 *
 * Premise: each page is passed on at once, so memory does not grow with the list, and rows that were passed on cannot
 * be taken back.
 * Algorithm: the next page starts at the offset where the last one ended. Every page must have the same count, no id
 * may come twice, and at the end the number of rows must be the count. If a check fails, reading ends with an error.
 */
import type { JsonObject } from "../../model/json/json.ts";
import { originOf, type Origin } from "../errors/from-response.ts";
import { mayRejectQuery, type ApiError } from "../errors/errors.ts";
import type { Client } from "../client.ts";
import { listQueryFor, operations, type OperationName } from "../operations/index.ts";
import { countChanged, incompleteList, repeatedId, rowsBeyondCount, rowsMissing, tooManyRows } from "./completeness.ts";
import { toPage, type Page } from "./page.ts";
import { PAGE_SIZE } from "./read-list.ts";
import { requestPath, type Query } from "../http/request-path.ts";

/** How many ids are remembered to find repeated ones. In longer lists, later rows are only counted. */
const MAX_REMEMBERED_IDS = 100_000;

/**
 * Yields the rows of each page. The next page is requested when the caller has taken the one before.
 *
 * @throws ApiError `incomplete` or `protocol`, after the rows that came before the problem, or the error of a request
 */
export async function* readPages(
  client: Client,
  name: OperationName,
  path: Readonly<Record<string, string>>,
  query: Query = {},
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const origin = originOfList(name, path);
  // This reader returns rows unchanged, so the caller decides about `basic`.
  const { basic: _basic, ...stable } = listQueryFor(client.profile, name);
  const limit = positive(query["limit"]) ?? PAGE_SIZE;
  const start = positive(query["offset"]) ?? 0;
  let accepted: Query = { ...stable, ...query };
  const read = async (offset: number, size = limit): Promise<Page> =>
    toPage(origin, await client.request(name, { path, query: { ...accepted, limit: size, offset } }), offset);
  const first = await read(start).catch((error: unknown) => {
    if (Object.keys(stable).length === 0 || !mayRejectQuery(error)) throw error;
    accepted = query;
    return read(start);
  });
  for await (const { rows } of pagesAfter(origin, first, read)) if (rows.length > 0) yield rows;
}

/**
 * Yields a page and those after it. The next one is read when the caller has taken the one before.
 *
 * @throws ApiError `incomplete` if they do not make a whole list
 */
export async function* pagesAfter(
  origin: Origin,
  first: Page,
  read: (offset: number, size?: number) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  const { count } = first;
  const ids = new Set<string>();
  let page = first;
  for (;;) {
    const problem = countChanged(page, count) ?? repeatedId(page, ids, MAX_REMEMBERED_IDS);
    if (problem !== undefined) throw incompletePagesError(origin, problem);
    yield page;
    const next = page.offset + page.rows.length;
    if (page.rows.length === 0 || next >= count) break;
    page = await read(next);
  }
  const problem = await problemAtEnd(page, count, read);
  if (problem !== undefined) throw incompletePagesError(origin, problem);
}

/** Identifies the list in errors. There is nothing to redact: these errors quote only ids from bodies. */
export function originOfList(name: OperationName, path: Readonly<Record<string, string>>): Origin {
  const origin = originOf(operations[name]);
  return { ...origin, path: requestPath(origin, path) };
}

async function problemAtEnd(
  last: Page,
  count: number,
  read: (offset: number, size: number) => Promise<Page>,
): Promise<string | undefined> {
  const end = last.offset + last.rows.length;
  // An empty page at an offset beyond the end is correct.
  const problem = rowsMissing(end, count) ?? (last.rows.length > 0 ? tooManyRows(end, count) : undefined);
  if (problem !== undefined || !last.hasNext) return problem;
  return rowsBeyondCount(await read(end, 1), count);
}

/** The error for a list that was read page after page, and is not complete. */
export function incompletePagesError(origin: Origin, problem: string): ApiError {
  return incompleteList(origin, problem, "Run it again when the list is not being changed, or use a larger limit.");
}

function positive(value: Query[string] | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
