import type { Answer, Authenticated } from "./call.ts";

/** Renders one page of a list that is read by cursor. The envelope has no count. A cursor is the place of a row. */
export function cursorPage<Item>(
  call: Authenticated,
  rows: readonly Item[],
  size: number,
  render: (row: Item) => object,
): Answer {
  const start = placeOf(call.query.get("cursor"));
  const end = start + Math.min(size, call.service.maxPageSize ?? size);
  return {
    status: 200,
    body: {
      next: end < rows.length ? link(call, end) : null,
      previous: start > 0 ? link(call, Math.max(0, start - size)) : null,
      results: rows.slice(start, end).map(render),
    },
  };
}

function placeOf(cursor: string | null): number {
  const place = Number(Buffer.from(cursor ?? "", "base64url").toString());
  return Number.isInteger(place) && place > 0 ? place : 0;
}

function link(call: Authenticated, place: number): string {
  const query = new URLSearchParams(call.query);
  query.set("cursor", Buffer.from(String(place)).toString("base64url"));
  return `${call.origin}${call.path}?${query.toString()}`;
}
