import { isJsonObject, own, type Json, type JsonObject } from "../../model/json.ts";
import { protocolError, type Origin } from "../errors/from-response.ts";
import type { RowTexts } from "../../kinds/operation.ts";
import type { Answer } from "../http/receive.ts";
import { problemWith } from "../http/request-path.ts";

/** One page of a list (document, Conventions: paginated envelope). */
export interface Page {
  readonly offset: number;
  readonly count: number;
  readonly rows: readonly JsonObject[];
  /** As they came: 1 and "1" are two. */
  readonly ids: readonly (string | number)[];
  /** Whether the service names a next page. Where that is, is never looked at: the key stays with its host. */
  readonly hasNext: boolean;
}

/** The same, of objects that can be told apart. @throws ApiError `protocol` */
export function toProvenPage(origin: Origin, answer: Answer, offset: number): Page {
  const page = toPage(origin, answer, offset);
  for (const [index, row] of page.rows.entries()) {
    const problem = problemWith(String(page.ids[index]), "string") ?? missingKey(row, origin.operation.rows ?? {});
    if (problem === undefined) continue;
    const message = `the row ${JSON.stringify(page.ids[index])} ${problem}, so that nothing can be said to be absent`;
    const hint = `Look at what the service holds there: driftline call ${origin.operation.name} shows it.`;
    throw protocolError(origin, answer.status, "unclear_row", message, hint);
  }
  return page;
}

/** Which of the fields that tell a row from the others it does not have. */
function missingKey(row: JsonObject, texts: RowTexts): string | undefined {
  for (const [path, what] of Object.entries(texts)) {
    const value = path
      .split(".")
      .reduce<Json | undefined>((at, key) => (isJsonObject(at) ? own(at, key) : undefined), row);
    const isNone = (value === null && what !== "text") || (value === undefined && what === "text, null or nothing");
    if (typeof value !== "string" && !isNone) return `has no text as its ${path}`;
  }
  return undefined;
}

/** @throws ApiError `protocol` where the answer is no page of objects that have ids */
export function toPage(origin: Origin, { status, body }: Answer, offset: number): Page {
  const fail = (problem: string): never => {
    throw protocolError(
      origin,
      status,
      "no_page",
      problem,
      "Is the URL right? A list has a count and an array of results.",
    );
  };
  if (!isJsonObject(body)) return fail("its body is no page of a list");
  const { count, results } = body;
  if (!isList(results)) return fail("its body has no array of results");
  if (!isCount(count)) return fail("its count is no number of rows");
  const rows = results.map((row) => (isJsonObject(row) ? row : fail("a row is no object")));
  return {
    offset,
    count,
    rows,
    ids: rows.map((row) => idOf(row) ?? fail("a row has no id")),
    hasNext: typeof body["next"] === "string",
  };
}

/** The pages of one round, the first one first and then in whatever order they come, each row kept as `T`. */
export interface Collection<T> {
  add(page: Page): void;
  /** Why these pages can no longer make a whole list. */
  problem(): string | undefined;
  /** What is still missing, once every page was read. */
  missing(): string | undefined;
  /** Whether the service names a page after the last row. */
  continues(): boolean;
  /** By offset. */
  rows(): readonly T[];
}

/** What is made of a page's rows as they arrive; only that is kept. */
export type Reduce<T> = (rows: readonly JsonObject[]) => readonly T[];

export function createCollection<T>(reduce: Reduce<T>): Collection<T> {
  const parts: { readonly offset: number; readonly rows: readonly T[] }[] = [];
  const ids = new Set<string>();
  let counted: number | undefined;
  let problem: string | undefined;
  let size = 0;
  let hasMore = false;
  const count = (): number => counted ?? 0;
  return {
    add: (page) => {
      counted ??= page.count;
      parts.push({ offset: page.offset, rows: reduce(page.rows) });
      size += page.rows.length;
      hasMore ||= page.hasNext && page.offset + page.rows.length >= count();
      for (const id of page.ids) {
        // Operations take ids as text: 7 and "7" are one.
        if (ids.has(String(id))) problem ??= `the row ${JSON.stringify(id)} came twice`;
        ids.add(String(id));
      }
      if (page.count !== count())
        problem ??= `the count changed from ${String(count())} to ${String(page.count)} between pages`;
      if (size > count()) problem ??= `more rows came than the ${String(count())} that were counted`;
    },
    problem: () => problem,
    missing: () => (size < count() ? `${String(size)} of ${String(count())} rows came` : undefined),
    continues: () => hasMore,
    rows: () => parts.toSorted((a, b) => a.offset - b.offset).flatMap((part) => part.rows),
  };
}

function idOf(row: JsonObject): string | number | undefined {
  const id = row["id"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
