import type { Answer, Authenticated } from "./call.ts";

/** The page size if the request names none. */
const DEFAULT_PAGE_SIZE = 100;

interface PageWindow {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Renders one page of a list in the paginated envelope. `next` and `previous` are absolute URLs with the host and path
 * of the request. They keep the other parameters, and all parameters are sorted.
 */
export function page<Item>(call: Authenticated, rows: readonly Item[], render: (row: Item) => object): Answer {
  const window = { limit: limitOf(call), offset: queryInteger(call.query.get("offset"), 0) ?? 0 };
  const { limit, offset } = window;
  const shown = call.tweaks.moveRow ? swapAtBoundary(rows, offset) : rows;
  return {
    status: 200,
    body: {
      count: rows.length + call.tweaks.countOff,
      next: offset + limit < rows.length ? link(call, { limit, offset: offset + limit }) : null,
      previous: offset > 0 ? link(call, { limit, offset: Math.max(0, offset - limit) }) : null,
      results: applyRowFaults(call, shown.slice(offset, offset + limit)).map(render),
    },
  };
}

/** Applies the faults that hide or repeat a row of a page. */
function applyRowFaults<Item>({ tweaks }: Authenticated, rows: readonly Item[]): readonly Item[] {
  const visible = tweaks.hideRow ? rows.slice(0, -1) : rows;
  return tweaks.repeatRow ? [...visible, ...visible.slice(-1)] : visible;
}

function limitOf(call: Authenticated): number {
  const asked = queryInteger(call.query.get("limit"), 1) ?? DEFAULT_PAGE_SIZE;
  return Math.min(asked, call.service.maxPageSize ?? asked, call.tweaks.clampLimit ?? asked);
}

/** Reads a numeric parameter. A value that is not a number or is too small counts as absent. */
function queryInteger(text: string | null, least: number): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value < least ? undefined : value;
}

function link(call: Authenticated, window: PageWindow): string {
  const query = new URLSearchParams(call.query);
  query.set("limit", String(window.limit));
  if (window.offset === 0) query.delete("offset");
  else query.set("offset", String(window.offset));
  query.sort();
  return `${call.origin}${call.path}?${query.toString()}`;
}

/** Swaps the rows on both sides of a page boundary, as if a row had moved between two requests. */
function swapAtBoundary<Item>(rows: readonly Item[], offset: number): readonly Item[] {
  const [before, after] = [rows[offset - 1], rows[offset]];
  if (before === undefined || after === undefined) return rows;
  return rows.with(offset - 1, after).with(offset, before);
}
