import type { Json, JsonObject } from "../../model/json/json.ts";
import type { Client } from "../client.ts";
import type { Origin } from "../errors/from-response.ts";
import type { Answer } from "../http/receive.ts";
import type { Query } from "../http/request-path.ts";
import { operations, type OperationName } from "../operations/index.ts";
import { noPage, toRows } from "./page.ts";
import { incompletePagesError, originOfList, readPages } from "./stream-pages.ts";

/**
 * Yields the rows of each page of a list. The next page is requested when the caller has taken the one before.
 *
 * @throws ApiError `incomplete` or `protocol`, after the rows that came before the problem, or the error of a request
 */
export function streamRows(
  client: Client,
  name: OperationName,
  path: Readonly<Record<string, string>>,
  query: Query = {},
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  return operations[name].response === "cursor"
    ? readByCursor(client, name, path, query)
    : readPages(client, name, path, query);
}

/**
 * Reads a list whose pages name the place of the next one. There is no count, so nothing shows whether rows are missing. Only the
 * cursor of the address is used: the key must not go to another host.
 */
async function* readByCursor(
  client: Client,
  name: OperationName,
  path: Readonly<Record<string, string>>,
  query: Query,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const origin = originOfList(name, path);
  const seen = new Set<string>();
  let at = query;
  for (;;) {
    const answer = await client.request(name, { path, query: at });
    const { body, rows } = toRows(origin, answer);
    const next = nextCursor(origin, answer, body["next"] ?? null);
    if (rows.length > 0) yield rows;
    if (next === null) return;
    if (seen.has(next)) throw incompletePagesError(origin, "a page names itself as the next one");
    seen.add(next);
    at = { ...query, cursor: next };
  }
}

/** The cursor of the next page; null for the last one. */
function nextCursor(origin: Origin, answer: Answer, next: Json): string | null {
  if (next === null) return null;
  const cursor = typeof next === "string" ? /[?&]cursor=([^&#]*)/u.exec(next)?.[1] : undefined;
  if (cursor === undefined) throw noPage(origin, answer, "the address of its next page has no cursor");
  return decodeURIComponent(cursor);
}
