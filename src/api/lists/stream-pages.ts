/**
 * Reading a list page after page.
 *
 * Premise: what is read is passed on at once, so memory does not grow with the list, and what came cannot be taken back.
 * Algorithm: pages follow each other by offset. The count of every page has to be the first one's, no id may come twice, and in
 * the end there have to be as many rows as were counted; what does not add up ends the reading with an error.
 */
import type { JsonObject } from "../../model/json.ts";
import { errorBeforeSending, type Origin } from "../errors/from-response.ts";
import { isRefusal, withFields, type ApiError } from "../errors/errors.ts";
import type { Client } from "../client.ts";
import { operations, type OperationName } from "../operations/index.ts";
import { toPage, type Page } from "./page.ts";
import { requestPath, type Query } from "../http/url.ts";

const PAGE = 500;
/** So many ids are remembered, to tell one that comes again. Beyond it, only the number of rows is proven. */
const REMEMBERED = 100_000;

/**
 * The pages of a list, each asked for once the one before was taken. What does not add up is an error after the rows that came.
 *
 * @throws ApiError `incomplete`, `protocol`, and whatever a request throws
 */
export async function* readPages(
  client: Client,
  name: OperationName,
  path: Readonly<Record<string, string>>,
  query: Query = {},
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const operation = operations[name];
  const origin = originOf(name, path);
  // Rows are wanted as they are, so `basic` is left to the caller.
  const { basic: _basic, ...stable } = client.profile === "posthog" ? (operation.listQuery ?? {}) : {};
  const limit = positive(query["limit"]) ?? PAGE;
  const start = positive(query["offset"]) ?? 0;
  const ids = new Set<string>();
  let kept: Query = { ...stable, ...query };
  const read = async (offset: number, size: number): Promise<Page> =>
    toPage(origin, await client.request(name, { path, query: { ...kept, limit: size, offset } }), offset);
  const first = await read(start, limit).catch((error: unknown) => {
    if (Object.keys(stable).length === 0 || !isRefusal(error)) throw error;
    kept = query;
    return read(start, limit);
  });
  let page = first;
  for (;;) {
    const problem = changed(page, first) ?? repeated(page, ids);
    if (problem !== undefined) throw incomplete(origin, problem);
    if (page.rows.length > 0) yield page.rows;
    const next = page.offset + page.rows.length;
    const isLast = page.rows.length === 0 || next >= first.count;
    if (!isLast) page = await read(next, limit);
    else {
      const missing = await unread(page, next, first.count, read);
      if (missing !== undefined) throw incomplete(origin, missing);
      return;
    }
  }
}

/** For errors, which take nothing from bodies but ids. */
function originOf(name: OperationName, path: Readonly<Record<string, string>>): Origin {
  const operation = operations[name];
  const origin = { operation, path: operation.path, redact: (text: string) => text };
  return { ...origin, path: requestPath(origin, path) };
}

function changed({ count }: Page, first: Page): string | undefined {
  return count === first.count
    ? undefined
    : `the count changed from ${String(first.count)} to ${String(count)} between pages`;
}

function repeated({ ids }: Page, seen: Set<string>): string | undefined {
  for (const id of ids) {
    const text = String(id);
    if (seen.has(text)) return `the row ${JSON.stringify(id)} came twice`;
    if (seen.size < REMEMBERED) seen.add(text);
  }
  return undefined;
}

/** What does not add up where a page seems to be the last one. */
async function unread(
  page: Page,
  next: number,
  count: number,
  read: (offset: number, size: number) => Promise<Page>,
): Promise<string | undefined> {
  // An offset beyond the end is no list that came short.
  if (next < count) return `${String(next)} of ${String(count)} rows came`;
  if (next > count && page.rows.length > 0) return `more rows came than the ${String(count)} that were counted`;
  if (!page.hasNext || (await read(next, 1)).rows.length === 0) return undefined;
  return `the service counts ${String(count)} rows but has more`;
}

function incomplete(origin: Origin, problem: string): ApiError {
  const hint = "Run it again when nobody changes the list, or with a larger limit.";
  const error = errorBeforeSending(origin, "incomplete", null, problem, hint);
  return withFields(error, { message: `${origin.operation.method} ${origin.path} gave no whole list: ${problem}` });
}

function positive(value: Query[string] | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
