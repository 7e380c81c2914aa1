/**
 * Reading a list so that it is known to be whole.
 *
 * Terms: a round reads every page once; a stretch is the part of the list that one page should hold.
 * Premise: nothing locks a list while it is read, servers give fewer rows than were asked for, and `next` may name any host.
 * Algorithm: the first page tells how many rows there are and how many a page really holds; the other stretches are read side by
 * side by offset, and a stretch that came short is read on from where it stopped. Whole is what has as many rows as every page
 * counted, no two with one id. What does not add up is read again, three rounds in all, the last one with the largest pages.
 */
import type { JsonObject } from "../../model/json.ts";
import { errorBeforeSending, type Origin } from "../errors/from-response.ts";
import { withFields, ApiError } from "../errors/errors.ts";
import { DEFAULT_CONCURRENCY } from "../limits/limiter.ts";
import { createCollection, toProvenPage, type Page, type Reduce } from "./page.ts";
import type { Answer } from "../http/receive.ts";
import type { Query } from "../http/url.ts";
import { yieldToEventLoop } from "../http/event-loop.ts";

const PAGE = 500;
/** What the last round asks for: servers with an unstable order have no such trouble within one page. */
const LARGE_PAGE = 5_000;
const ROUNDS = 3;
/** An endless list ends here. */
const MAX_PAGES = 20_000;
/** So does one whose pages are large: what is known of each row stays in memory. */
const MAX_ROWS = 1_000_000;
/** Pages read side by side: all of them where that is one wait for the whole rest of the list. */
const AT_ONCE = DEFAULT_CONCURRENCY;
/** Else as many as hold so many rows together, as every page under way is in memory. */
const ROWS_AT_ONCE = 2_000;
/** In lists up to this, pages are asked for while others wait to be parsed; in longer ones these would be too much to hold. */
const ROWS_AHEAD = 20_000;

export interface List<T = JsonObject> {
  readonly rows: readonly T[];
  /** How many pages were read for it, those of failed rounds left out. */
  readonly pages: number;
}

/** Reads one page; tells when it has arrived, before it is looked at. */
export type FetchPage = (query: Query, arrived: () => void) => Promise<Answer>;

/**
 * The rows of a list, each page reduced as it arrives.
 *
 * @throws ApiError `incomplete` where the rows do not add up, `protocol` where there is no list
 */
export async function readWholeList<T>(
  origin: Origin,
  fetchPage: FetchPage,
  query: Query,
  reduce: Reduce<T>,
): Promise<List<T>> {
  const { limit: wanted } = query;
  const isGiven = typeof wanted === "number" && wanted > 0;
  const asked = isGiven ? wanted : PAGE;
  const fetch = isGiven ? fetchPage : withDefault(fetchPage);
  for (let round = 1; ; round += 1) {
    const limit = round === ROUNDS ? Math.max(asked, LARGE_PAGE) : asked;
    const read = await readRound(origin, fetch, { ...query, limit }, reduce);
    if (typeof read !== "string") return read;
    if (round === ROUNDS) throw incompleteList(origin, read);
  }
}

function incompleteList(origin: Origin, problem: string): ApiError {
  const hint = "Run it again when nobody changes the list. If it stays so, the service's paging is at fault.";
  const rounds = `gave no whole list in ${String(ROUNDS)} rounds: ${problem}`;
  return withFields(errorBeforeSending(origin, "incomplete", null, problem, hint), {
    message: `${origin.operation.method} ${origin.path} ${rounds}`,
  });
}

/** A list that is whole, or what did not add up. */
async function readRound<T>(
  origin: Origin,
  fetchPage: FetchPage,
  query: Query,
  reduce: Reduce<T>,
): Promise<List<T> | string> {
  const collection = createCollection(reduce);
  let pages = 0;
  const peek = async (offset: number, limit: number, arrived = ignore): Promise<Page> => {
    pages += 1;
    return toProvenPage(origin, await fetchPage({ ...query, limit, offset }, arrived), offset);
  };
  const first = await peek(0, Number(query["limit"]));
  const { count } = first;
  const size = first.rows.length;
  if (count > MAX_ROWS || (size > 0 && count / size > MAX_PAGES))
    return `${String(count)} rows in pages of ${String(size)} are more than can be read`;
  // The other pages are asked for before the rows of this one are looked at.
  const taken = yieldToEventLoop().then(() => collection.add(first));
  const read: ReadPage = async (offset, limit, arrived) => {
    const page = await peek(offset, limit, count > ROWS_AHEAD ? ignore : arrived);
    await taken;
    collection.add(page);
    return page.rows.length;
  };
  const rest = stretches(size, count);
  const others = inParallel(rest, workersFor(rest.length, size), (stretch, stopped, arrived) =>
    readStretch(read, stretch, () => stopped() || collection.problem() !== undefined, arrived),
  );
  await Promise.all([taken, others]);
  const problem = collection.problem() ?? collection.missing();
  if (problem !== undefined) return problem;
  if (collection.continues() && (await peek(count, 1)).rows.length > 0)
    return `the service counts ${String(count)} rows but has more`;
  return { rows: collection.rows(), pages };
}

/** Reads a page into the collection; tells how many rows it held. */
type ReadPage = (offset: number, limit: number, arrived: () => void) => Promise<number>;
type Stretch = readonly [from: number, to: number];

/** Reads on while the service gives less than what is missing, but at least something. */
async function readStretch(
  read: ReadPage,
  [from, to]: Stretch,
  stopped: () => boolean,
  arrived: () => void,
): Promise<void> {
  for (let offset = from; offset < to && !stopped();) {
    // Never more than what is missing: a server whose pages grow would run over into the next stretch.
    const got = await read(offset, to - offset, arrived);
    if (got === 0) return;
    offset += got;
  }
}

/** Everything after the first page, in pieces of what the first page held. */
function stretches(size: number, count: number): readonly Stretch[] {
  const number = size === 0 ? 0 : Math.ceil(count / size) - 1;
  return Array.from({ length: number }, (_, index) => [(index + 1) * size, Math.min((index + 2) * size, count)]);
}

/** How many pages of a size are read at once. */
function workersFor(pages: number, size: number): number {
  return pages <= AT_ONCE ? pages : Math.min(AT_ONCE, Math.ceil(ROWS_AT_ONCE / size));
}

/**
 * Runs `work` on each item. So many are under way at a time that have not said to have arrived: while pages are parsed, the next
 * ones are on their way. After a failure `stopped` says so to the rest; what is under way ends first.
 */
async function inParallel<T>(
  items: readonly T[],
  workers: number,
  work: (item: T, stopped: () => boolean, arrived: () => void) => Promise<void>,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const queue = items.values();
  const begun: Promise<void>[] = [];
  const attempt = async (item: T, arrived: () => void): Promise<void> => {
    try {
      await work(item, () => failure !== undefined, arrived);
    } catch (error) {
      failure ??= { error };
    } finally {
      arrived();
    }
  };
  const worker = async (): Promise<void> => {
    for (const item of queue) await new Promise<void>((arrived) => begun.push(attempt(item, arrived)));
  };
  await Promise.all(Array.from({ length: workers }, worker));
  await Promise.all(begun);
  if (failure !== undefined) throw failure.error;
}

function ignore(): void {
  // Nobody waits for it.
}

/** A server may refuse what is above its largest page, in place of giving less: then the page is what it gives unasked. */
function withDefault(fetchPage: FetchPage): FetchPage {
  return async (query, arrived) => {
    try {
      return await fetchPage(query, arrived);
    } catch (error) {
      if (!isLimitRefused(error)) throw error;
      return fetchPage(Object.fromEntries(Object.entries(query).filter(([name]) => name !== "limit")), arrived);
    }
  };
}

function isLimitRefused(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.kind !== "invalid" || error.status === null) return false;
  return error.attr === "limit" || (error.attr === null && /\blimit\b/iu.test(error.message));
}
