import { describe, expect, it } from "vitest";
import type { Client, Query } from "../../../../src/api/client.ts";
import { ApiError, type ApiErrorFields } from "../../../../src/api/errors/errors.ts";
import { readPages } from "../../../../src/api/lists/stream-pages.ts";
import type { OperationName } from "../../../../src/api/operations/index.ts";
import type { Json } from "../../../../src/model/json/json.ts";
import { sentencesOf } from "../../../support/sentences.ts";

interface Page {
  readonly count: number;
  readonly results: readonly { readonly id: Json }[];
  readonly next?: string | null;
}
type Asked = Readonly<Record<string, string | number | boolean>>;
type Answering = (query: Asked & { readonly limit: number; readonly offset: number }, number: number) => Page;

const idsOf = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: from + index }));

/** A list whose service returns at most ten rows per page. */
const listOf =
  (size: number, given: Partial<Page> = {}): Answering =>
  ({ limit, offset }) => ({
    count: size,
    next: null,
    results: idsOf(offset, Math.min(size, offset + Math.min(limit, 10))),
    ...given,
  });

interface Reading {
  readonly query?: Query;
  readonly profile?: Client["profile"];
  readonly operation?: OperationName;
}

/** Reads a list to its end. Returns the ids, the requested pages, and the error if there was one. */
async function read(answering: Answering, reading: Reading = {}) {
  const { query, profile = "document", operation = "insights.list" } = reading;
  const queries: Asked[] = [];
  const request: Client["request"] = async (name, input) => {
    await Promise.resolve();
    const asked = input?.query as Parameters<Answering>[0];
    expect([name, input?.path]).toEqual([operation, PATHS[operation]]);
    if (queries.push(asked) > 100) throw new Error("it asks for ever");
    return { status: 200, body: answering(asked, queries.length) as unknown as Json };
  };
  const ids: Json[] = [];
  let error: unknown;
  try {
    const client = { profile, request } as Client;
    for await (const rows of readPages(client, operation, PATHS[operation] ?? {}, query)) {
      expect(rows).not.toEqual([]);
      ids.push(...rows.map(({ id = null }) => id));
    }
  } catch (thrown) {
    error = thrown;
  }
  const pages = queries.map(({ limit, offset }) => `${String(limit)}@${String(offset)}`);
  return { ids, queries, pages, error };
}

const PATHS: Partial<Record<OperationName, Readonly<Record<string, string>>>> = {
  "insights.list": { project_id: "2" },
  "domains.list": { organization_id: "0190aa11-0000-4000-8000-00000000000a" },
};

const refusal = (fields: Partial<ApiErrorFields>): ApiError =>
  new ApiError({
    ...({ kind: "invalid", operation: "insights.list", method: "GET", path: "/", status: 400, code: null } as const),
    ...({ attr: null, hint: "", tookEffect: "no", message: "refused" } as const),
    ...fields,
  });

const upTo = (size: number): readonly number[] => Array.from({ length: size }, (_, index) => index);

describe("a list read page after page", () => {
  it.each([
    [0, ["500@0"]],
    [1, ["500@0"]],
    [10, ["500@0"]],
    [11, ["500@0", "500@10"]],
    [25, ["500@0", "500@10", "500@20"]],
  ] as const)("returns all of %i rows, regardless of the requested page size", async (size, pages) => {
    expect(await read(listOf(size))).toMatchObject({ ids: upTo(size), pages, error: undefined });
  });

  it.each<[string, Query, readonly number[], readonly string[]]>([
    ["at an offset", { offset: 20, limit: 3 }, [20, 21, 22, 23, 24], ["3@20", "3@23"]],
    ["beyond the end, where there is nothing", { offset: 30 }, [], ["500@30"]],
    ["at once, where the offset is none", { offset: 0, limit: 0 }, upTo(25), ["500@0", "500@10", "500@20"]],
    ["at once, where the offset is no number", { offset: "20" }, upTo(25), ["500@0", "500@10", "500@20"]],
  ])("begins %s", async (_name, query, ids, pages) => {
    expect(await read(listOf(25), { query })).toMatchObject({ ids, pages, error: undefined });
  });

  it("requests a page only after the one before was taken", async () => {
    let asked = 0;
    const request: Client["request"] = async (_name, input) => {
      asked += 1;
      return Promise.resolve({ status: 200, body: listOf(25)(input?.query as never, asked) as unknown as Json });
    };
    const pages = readPages({ profile: "document", request } as Client, "insights.list", { project_id: "2" });
    await pages.next();
    await pages.return();
    expect(asked).toBe(1);
  });

  it("sends the query of the caller with every page", async () => {
    const { queries } = await read(listOf(11), { query: { search: "x" } });
    expect(queries.map((query) => query["search"])).toEqual(["x", "x"]);
  });
});

describe("the order of a list read page after page", () => {
  it.each<[string, Reading, Asked]>([
    ["is asked for, but not shorter rows", { profile: "posthog" }, { order: "id", limit: 500, offset: 0 }],
    ["is the caller's where it has one", { profile: "posthog", query: { order: "name" } }, { order: "name" }],
    ["is left to the service where the document shows none", { profile: "document" }, { limit: 500, offset: 0 }],
    [
      "is left to the service where lists have a stable one",
      { profile: "posthog", operation: "domains.list" },
      { limit: 500, offset: 0 },
    ],
  ])("%s", async (name, reading, asked) => {
    const { queries, error } = await read(listOf(1), reading);
    expect(error).toBeUndefined();
    if (name.includes("caller")) expect(queries).toMatchObject([asked]);
    else expect(queries).toEqual([asked]);
  });

  it("is left out for the whole list after an objection", async () => {
    const picky: Answering = (query, number) => {
      if ("order" in query) throw refusal({});
      return listOf(12)(query, number);
    };
    const made = await read(picky, { profile: "posthog", query: { search: "x" } });
    expect(made).toMatchObject({ ids: upTo(12), error: undefined });
    expect(made.queries).toEqual([
      { order: "id", search: "x", limit: 500, offset: 0 },
      { search: "x", limit: 500, offset: 0 },
      { search: "x", limit: 500, offset: 10 },
    ]);
  });

  it.each<[string, ApiError, Reading]>([
    ["nothing was added to the query", refusal({}), { profile: "document" }],
    ["the service fails", refusal({ kind: "server", status: 500 }), { profile: "posthog" }],
    ["the refusal is about something else", refusal({ kind: "scope", status: 403 }), { profile: "posthog" }],
  ])("does not matter where %s: the error stands, at once", async (_name, error, reading) => {
    const made = await read(() => {
      throw error;
    }, reading);
    expect(made).toMatchObject({ ids: [], pages: ["500@0"], error });
  });

  it("is kept if a later page is rejected, and the error is passed on", async () => {
    const error = refusal({});
    const made = await read(
      (query, number) => {
        if (number === 2) throw error;
        return listOf(25)(query, number);
      },
      { profile: "posthog" },
    );
    expect(made).toMatchObject({ ids: upTo(10), pages: ["500@0", "500@10"], error });
  });
});

describe("an incomplete list ends with an error, after the rows before it:", () => {
  it.each<[string, Answering, number, readonly string[]]>([
    [
      "a row that comes twice",
      (query, number) => (query.offset === 0 ? listOf(25)(query, number) : { count: 25, results: idsOf(9, 19) }),
      10,
      ["9"],
    ],
    ["an id that comes as a number and as text", () => ({ count: 2, results: [{ id: 7 }, { id: "7" }] }), 0, ['"7"']],
    [
      "a count that changes",
      (query, number) => ({ ...listOf(25)(query, number), count: query.offset === 0 ? 25 : 24 }),
      10,
      ["25", "24"],
    ],
    [
      "rows that are missing",
      (query, number) => (query.offset < 20 ? listOf(25)(query, number) : { count: 25, results: [] }),
      20,
      ["20", "25"],
    ],
    ["no rows at all", () => ({ count: 1, results: [] }), 0, ["0", "1"]],
    [
      "more rows than were counted",
      (query) => ({ count: 10, next: "x", results: idsOf(query.offset, query.offset + 10) }),
      10,
      ["10"],
    ],
    ["more rows in a page than were counted", () => ({ count: 5, results: idsOf(0, 10) }), 10, ["5"]],
  ])("%s", async (_name, answering, before, named) => {
    const { ids, error } = await read(answering);
    expect(ids).toHaveLength(before);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      kind: "incomplete",
      code: null,
      tookEffect: "no",
      message: expect.stringContaining("GET /api/projects/2/insights/") as string,
    });
    const [message] = sentencesOf(error);
    for (const part of named) expect(message).toContain(part);
    expect(sentencesOf(error)).toMatchSnapshot();
  });

  it("a next page that is empty is ignored", async () => {
    const made = await read((query, number) => ({ ...listOf(10)(query, number), next: "x" }));
    expect(made).toMatchObject({ ids: upTo(10), pages: ["500@0", "1@10"], error: undefined });
  });

  it("nothing is read beyond the last row if no next page is named", async () => {
    expect((await read(listOf(10))).pages).toEqual(["500@0"]);
  });

  it("the error for a body that is not a page names the request", async () => {
    const { error } = await read(() => ({ count: 1, results: [{ id: null }] }));
    expect(error).toMatchObject({
      kind: "protocol",
      operation: "insights.list",
      message: expect.stringContaining("GET /api/projects/2/insights/") as string,
    });
    expect(sentencesOf(error)).toMatchSnapshot();
  });
});
