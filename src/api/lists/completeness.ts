/**
 * Whether a list was read completely. Each check returns the problem, or undefined.
 *
 * Premise: the list can change while it is read, so its count and its rows can contradict each other.
 */
import { plural } from "../../model/text/plural.ts";
import { visible } from "../../model/text/quote.ts";
import type { JsonObject } from "../../model/json/json.ts";
import { ApiError } from "../errors/errors.ts";
import { requestLabel, type Origin } from "../errors/from-response.ts";
import type { Page } from "./page.ts";

export function countChanged({ count }: Page, expected: number): string | undefined {
  return count === expected
    ? undefined
    : `the count changed from ${String(expected)} to ${String(count)} between pages`;
}

/** Adds the ids of a page to `seen`, which stops growing at `limit` ids. */
export function repeatedId({ ids }: Page, seen: Set<string>, limit = Infinity): string | undefined {
  let problem: string | undefined;
  for (const id of ids) {
    // Operations take ids as text, so 7 and "7" are the same id.
    const text = String(id);
    if (seen.has(text)) problem ??= `row ${visible(JSON.stringify(id))} came twice`;
    else if (seen.size < limit) seen.add(text);
  }
  return problem;
}

export function rowsMissing(rows: number, count: number): string | undefined {
  return rows < count ? `${String(rows)} of ${String(count)} rows came` : undefined;
}

export function tooManyRows(rows: number, count: number): string | undefined {
  return rows > count ? `more rows came than the count of ${String(count)}` : undefined;
}

/** @param beyond what the service returned for the offset behind the last row */
export function rowsBeyondCount(beyond: Page, count: number): string | undefined {
  return beyond.rows.length > 0 ? `the service counts ${plural(count, "row")} but has more` : undefined;
}

/** The error for a list that is not complete. @param rounds how often it was read, as the end of a sentence */
export function incompleteList(origin: Origin, problem: string, hint: string, rounds = ""): ApiError {
  const message = `${origin.operation.method} ${origin.path} did not return a complete list${rounds}: ${problem}`;
  return new ApiError({ kind: "incomplete", ...requestLabel(origin), hint, tookEffect: "no", message });
}

/** Collects the pages of one round: first the first page, then the others in the order of their arrival. */
export interface PageCollector<T> {
  add(page: Page): void;
  /** Why these pages cannot make a whole list any more. */
  problem(): string | undefined;
  /** Which rows are still missing, once every page was read. */
  missing(): string | undefined;
  /** Whether the service names a page after the last row. */
  continues(): boolean;
  /** All rows, ordered by offset. */
  rows(): readonly T[];
}

/** Makes what the caller keeps from the rows of a page. The rows themselves are not kept. */
export type Reduce<T> = (rows: readonly JsonObject[]) => readonly T[];

export function createPageCollector<T>(reduce: Reduce<T>): PageCollector<T> {
  const parts: { readonly offset: number; readonly rows: readonly T[] }[] = [];
  const ids = new Set<string>();
  let firstCount: number | undefined;
  let problem: string | undefined;
  let size = 0;
  let hasMore = false;
  const count = (): number => firstCount ?? 0;
  return {
    add: (page) => {
      firstCount ??= page.count;
      parts.push({ offset: page.offset, rows: reduce(page.rows) });
      size += page.rows.length;
      hasMore ||= page.hasNext && page.offset + page.rows.length >= count();
      const repeated = repeatedId(page, ids);
      problem ??= repeated ?? countChanged(page, count()) ?? tooManyRows(size, count());
    },
    problem: () => problem,
    missing: () => rowsMissing(size, count()),
    continues: () => hasMore,
    rows: () => parts.toSorted((a, b) => a.offset - b.offset).flatMap((part) => part.rows),
  };
}
