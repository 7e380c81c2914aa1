import { describe, expect, it } from "vitest";
import type { Client, Query } from "../../../src/api/client.ts";
import { readPages } from "../../../src/api/pages.ts";
import { createTypedClient } from "../../../src/api/typed-client.ts";
import { complaint, connect, failureOf, json, serve, type Seen, type Server } from "./support.ts";

interface Listing {
  readonly count?: (offset: number) => number;
  readonly rows?: (offset: number, limit: number) => readonly number[];
  readonly next?: (offset: number) => string | null;
  readonly refuse?: (seen: Seen) => boolean;
}

/** A list of `size` rows, with its peculiarities. */
function list(size: number, { count, rows, next, refuse }: Listing = {}): Promise<Server> {
  return serve(({ query, ...seen }, response) => {
    if (refuse?.({ query, ...seen }) === true) return json(response, 500, complaint("error"));
    const offset = Number(query.get("offset"));
    const limit = Math.min(Number(query.get("limit")), 10);
    const all = Array.from({ length: Math.max(0, Math.min(limit, size - offset)) }, (_, index) => offset + index);
    const results = (rows?.(offset, limit) ?? all).map((id) => ({ id }));
    json(response, 200, { count: count?.(offset) ?? size, next: next?.(offset) ?? null, previous: null, results });
  });
}

async function ids(client: Client, query: Query = {}): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const rows of readPages(client, "insights.list", { project_id: "2" }, query))
    found.push(...rows.map(({ id }) => id));
  return found;
}

const upTo = (size: number): readonly number[] => Array.from({ length: size }, (_, index) => index);

describe("a list read page after page", () => {
  it.each([0, 1, 10, 11, 25])("gives all of %i rows, whatever page size was asked for", async (size) => {
    const server = await list(size);
    expect(await ids(connect(server.url))).toEqual(upTo(size));
    expect(server.seen).toHaveLength(Math.max(1, Math.ceil(size / 10)));
  });

  it("begins where it is told to", async () => {
    const server = await list(25);
    expect(await ids(connect(server.url), { offset: 20, limit: 3 })).toEqual([20, 21, 22, 23, 24]);
    expect(server.seen.map(({ query }) => query.get("limit"))).toEqual(["3", "3"]);
    expect(await ids(connect(server.url), { offset: 30 })).toEqual([]);
  });

  it("asks for one page only once the one before was taken", async () => {
    const server = await list(25);
    const pages = readPages(connect(server.url), "insights.list", { project_id: "2" });
    await pages.next();
    expect(server.seen).toHaveLength(1);
    await pages.return();
    expect(server.seen).toHaveLength(1);
  });

  it("asks for a stable order, but not for shorter rows", async () => {
    const server = await list(1);
    await ids(connect(server.url));
    expect(server.seen[0]?.query.get("order")).toBe("id");
    expect(server.seen[0]?.query.has("basic")).toBe(false);
    await ids(connect(server.url, { profile: "document" }));
    expect(server.seen[1]?.query.has("order")).toBe(false);
  });

  it("does without where the order is refused", async () => {
    const server = await list(12, { refuse: ({ query }) => query.has("order") });
    expect(await ids(connect(server.url))).toEqual(upTo(12));
  });

  it.each<[string, Listing, string]>([
    [
      "a row comes twice",
      { rows: (offset) => upTo(10).map((row) => (offset === 0 ? row : row + 9)) },
      "the row 9 came twice",
    ],
    ["the count changes", { count: (offset) => (offset === 0 ? 25 : 24) }, "the count changed from 25 to 24"],
    [
      "rows are missing",
      { rows: (offset) => (offset < 20 ? upTo(10).map((row) => row + offset) : []) },
      "20 of 25 rows came",
    ],
    ["there are more", { count: () => 10, next: () => "http://elsewhere/" }, "counts 10 rows but has more"],
  ])("fails where %s, after the rows before", async (_name, listing, problem) => {
    const server = await list(25, listing);
    const error = await failureOf(ids(connect(server.url)));
    expect(error).toMatchObject({ kind: "incomplete" });
    expect(error.message).toContain(problem);
  });

  it("never goes where next points", async () => {
    const server = await list(15, { next: () => "http://192.0.2.1/steal" });
    expect(await ids(connect(server.url))).toHaveLength(15);
  });

  it("comes row by row from the typed client", async () => {
    const server = await list(12);
    const found: unknown[] = [];
    for await (const { id } of createTypedClient(connect(server.url)).insights.listEach({ project_id: 2 }))
      found.push(id);
    expect(found).toEqual(upTo(12));
  });
});
