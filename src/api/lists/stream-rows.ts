import { isJsonArray, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Client } from "../client.ts";
import { protocolError, type Origin } from "../errors/from-response.ts";
import type { Answer } from "../http/receive.ts";
import type { Query } from "../http/url.ts";
import { operations, type OperationName } from "../operations/index.ts";
import { incomplete, originOf, readPages } from "./stream-pages.ts";

/**
 * Yields the rows of each page of a list. The next page is requested when the caller has taken the one before.
 *
 * @throws ApiError `incomplete` or `protocol`, after the rows that came before the problem, or the error of a request
 */
export function readRows(
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
  const origin = originOf(name, path);
  const seen = new Set<string>();
  let at = query;
  for (;;) {
    const { rows, next } = toCursorPage(origin, await client.request(name, { path, query: at }));
    if (rows.length > 0) yield rows;
    if (next === null) return;
    if (seen.has(next)) throw incomplete(origin, "a page names itself as the next one");
    seen.add(next);
    at = { ...query, cursor: next };
  }
}

interface CursorPage {
  readonly rows: readonly JsonObject[];
  /** Null for the last page. */
  readonly next: string | null;
}

function toCursorPage(origin: Origin, { status, body }: Answer): CursorPage {
  const fail = (problem: string): never => {
    const hint = "Check the URL of the service: a list has an array of results.";
    throw protocolError(origin, status, { code: "no_page", problem, hint });
  };
  if (!isJsonObject(body) || !isJsonArray(body["results"])) return fail("its body has no array of results");
  const rows = body["results"].map((row) => (isJsonObject(row) ? row : fail("a row is not an object")));
  const { next = null } = body;
  if (next === null) return { rows, next };
  const cursor = typeof next === "string" ? /[?&]cursor=([^&#]*)/u.exec(next)?.[1] : undefined;
  return {
    rows,
    next: cursor === undefined ? fail("the address of its next page has no cursor") : decodeURIComponent(cursor),
  };
}
