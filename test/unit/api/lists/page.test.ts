import { describe, expect, it } from "vitest";
import { operations, type OperationName } from "../../../../src/api/operations/index.ts";
import { DEFAULT_CONCURRENCY } from "../../../../src/api/limits/limiter.ts";
import { createPageCollector } from "../../../../src/api/lists/completeness.ts";
import { toPage, toIdentifiedPage, type Page } from "../../../../src/api/lists/page.ts";
import { readCompleteList, type FetchPage } from "../../../../src/api/lists/read-list.ts";
import type { Query } from "../../../../src/api/http/request-path.ts";
import type { Json, JsonObject } from "../../../../src/model/json/json.ts";
import { sentencesOf, thrownBy } from "../../../support/sentences.ts";

const ORIGIN = { operation: operations["domains.list"], path: "/api/domains/", redact: (text: string) => text };
const rowsOf = (...ids: readonly (string | number)[]): readonly JsonObject[] => ids.map((id) => ({ id }));
const ROW = { id: 1, domain: "a.com" };
const page = (offset: number, count: number, ids: readonly (string | number)[], hasNext = false): Page => ({
  offset,
  count,
  rows: rowsOf(...ids),
  ids,
  hasNext,
});

describe("a page", () => {
  it("has a count and rows with ids that are texts or numbers, and may have a next address", () => {
    const body = { count: 2, next: "https://other.example/x", results: [{ id: 1 }, { id: "1", name: "A" }] };
    expect(toPage(ORIGIN, { status: 200, body }, 7)).toEqual({
      offset: 7,
      count: 2,
      rows: body.results,
      ids: [1, "1"],
      hasNext: true,
    });
    expect(toPage(ORIGIN, { status: 200, body: { ...body, next: null } }, 0).hasNext).toBe(false);
    expect(toPage(ORIGIN, { status: 200, body: { count: 0, results: [] } }, 0)).toMatchObject({ count: 0, rows: [] });
  });

  it.each<[string, Json | undefined]>([
    ["nothing", undefined],
    ["a list", []],
    ["an object without results", { count: 1 }],
    ["results that are not an array", { count: 1, results: {} }],
    ["no count", { results: [] }],
    ["a count as text", { count: "1", results: [] }],
    ["half a row", { count: 0.5, results: [] }],
    ["fewer than no rows", { count: -1, results: [] }],
    ["a row of another shape", { count: 1, results: [1] }],
    ["a row without an id", { count: 1, results: [{ name: "A" }] }],
    ["a row with an invalid id", { count: 1, results: [{ id: null }] }],
    ["a row with the id true", { count: 1, results: [{ id: true }] }],
  ])("is not %s", (_name, body) => {
    const error = thrownBy(() => toPage(ORIGIN, { status: 200, body }, 0));
    const message = expect.stringContaining("GET /api/domains/") as string;
    expect(error).toMatchObject({ kind: "protocol", status: 200, code: "no_page", message });
    expect(sentencesOf(error)).toMatchSnapshot();
  });
});

describe("a page whose rows must be identifiable", () => {
  const proven = (operation: OperationName, row: JsonObject) => {
    const origin = { ...ORIGIN, operation: operations[operation] };
    return toIdentifiedPage(origin, { status: 200, body: { count: 2, results: [{ ...row }] } }, 0);
  };
  const USER = { uuid: "u-1", email: "ada@acme.com" };

  it.each<[string, OperationName, JsonObject]>([
    ["a text", "domains.list", { id: "1", domain: "a.com" }],
    ["a text further inside", "members.list", { id: "1", user: USER }],
    ["null if a row may have no name", "insights.list", { id: 1, name: null, short_id: "a" }],
    ["null in a field that the service may leave out", "insights.list", { id: 1, name: "I", short_id: null }],
    ["no field that the service may leave out", "insights.list", { id: 1, name: "I" }],
    ["any content if the rows have no known key", "insights.activity", { id: 1 }],
  ])("has %s", (_name, operation, row) => {
    expect(proven(operation, row).rows).toEqual([row]);
  });

  it.each<[string, OperationName, JsonObject, string, string]>([
    ["no name", "domains.list", { id: 1 }, "1", "domain"],
    ["null for a name", "domains.list", { id: 1, domain: null }, "1", "domain"],
    ["a number for a name", "domains.list", { id: "x", domain: 7 }, '"x"', "domain"],
    ["no name, even if it may be null", "insights.list", { id: 1 }, "1", "name"],
    ["a name that is neither text nor null", "insights.list", { id: 1, name: 7 }, "1", "name"],
    ["a number in an optional field", "insights.list", { id: 1, name: "I", short_id: 7 }, "1", "short_id"],
    ["a text for a nested object", "members.list", { id: 1, user: "u-1" }, "1", "user.uuid"],
    ["an incomplete nested object", "members.list", { id: 1, user: { uuid: "u-1" } }, "1", "user.email"],
    ["an id that leads elsewhere", "domains.list", { id: "../x", domain: "a.com" }, '"../x"', ""],
    ["an empty id", "domains.list", { id: "", domain: "a.com" }, '""', ""],
  ])("is rejected with %s", (_name, operation, row, id, field) => {
    const error = thrownBy(() => proven(operation, row));
    const hint = { command: expect.arrayContaining(["driftline", "call", operation]) as string[] };
    expect(error).toMatchObject({ kind: "protocol", status: 200, code: "unclear_row", hint });
    const sentences = sentencesOf(error);
    for (const part of ["GET /api/domains/", id, field]) expect(sentences[0]).toContain(part);
    expect(sentences).toMatchSnapshot();
  });
});

describe("the pages of a round", () => {
  const collected = (...pages: readonly Page[]) => {
    const collection = createPageCollector((rows) => rows.map(({ id }) => id));
    for (const one of pages) collection.add(one);
    return collection;
  };

  it("make a list ordered by offset, even if the pages come in another order", () => {
    const whole = collected(page(2, 4, [3, 4]), page(0, 4, [1, 2]));
    expect(whole.rows()).toEqual([1, 2, 3, 4]);
    expect([whole.problem(), whole.missing(), whole.continues()]).toEqual([undefined, undefined, false]);
  });

  it("are empty before the first page", () => {
    const none = collected();
    expect([none.problem(), none.missing(), none.continues(), none.rows()]).toEqual([undefined, undefined, false, []]);
  });

  it.each<[string, readonly Page[], readonly string[]]>([
    ["an id comes twice", [page(0, 4, [1, 2]), page(2, 4, [2, 3])], ["2"]],
    ["an id comes as a number and as text", [page(0, 4, [7, "7"])], ['"7"']],
    ["an id comes twice in a page", [page(0, 4, ["a", "a"])], ['"a"']],
    ["the count changes", [page(0, 4, [1, 2]), page(2, 5, [3, 4])], ["4", "5"]],
    ["there are too many", [page(0, 1, [1, 2])], ["1"]],
    ["several things are wrong: the first one is reported", [page(0, 4, [1, 1]), page(2, 5, [1])], ["1"]],
  ])("have a problem: %s", (_name, pages, named) => {
    const problem = collected(...pages).problem();
    for (const part of named) expect(problem).toContain(part);
    expect(problem).toMatchSnapshot();
  });

  it("report which rows are missing", () => {
    const missing = collected(page(0, 4, [1, 2])).missing();
    expect(missing).toMatch(/\b2\b.*\b4\b/);
    expect(missing).toMatchSnapshot();
  });

  it("continue only if the page with the last row names a next page", () => {
    expect(collected(page(0, 4, [1, 2], true), page(2, 4, [3, 4], false)).continues()).toBe(false);
    expect(collected(page(0, 4, [1, 2], true), page(2, 4, [3, 4], true)).continues()).toBe(true);
    expect(collected(page(2, 4, [3, 4], true), page(0, 4, [1, 2], false)).continues()).toBe(true);
  });
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const ids = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: from + index, domain: "a.com" }));

/** A list whose pages after the first wait until `open` is called. With `arrive`, they count as arrived before. */
function blockedList(pages: number, size: number, arrive = false, looked?: () => void) {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const asked: number[] = [];
  const fetchPage: FetchPage = async (query, arrived) => {
    const offset = Number(query["offset"]);
    const number = asked.push(offset);
    if (arrive) arrived();
    if (number > 1) await opened;
    return { status: 200, body: { count: pages * size, results: ids(offset, offset + size) } };
  };
  const reduce = (rows: readonly JsonObject[]): readonly JsonObject[] => {
    looked?.();
    return rows;
  };
  return { asked, open: () => open(), reading: readCompleteList({ origin: ORIGIN, fetchPage, query: {}, reduce }) };
}

describe("a list in rounds", () => {
  /** Reads a list from a service whose answers are made by the number of the request. */
  async function read(
    answer: (query: { readonly limit: number; readonly offset: number }, number: number) => Json,
    query: Query = {},
  ) {
    const asked: string[] = [];
    const result = await readCompleteList({
      origin: ORIGIN,
      fetchPage: async (sent) => {
        await Promise.resolve();
        const [limit, offset] = [Number(sent["limit"]), Number(sent["offset"])];
        if (asked.push(`${String(limit)}@${String(offset)}`) > 100) throw new Error("it asks for ever");
        return { status: 200, body: answer({ limit, offset }, asked.length) };
      },
      query,
      reduce: (rows) => rows.map(({ id }) => id),
    }).catch((error: unknown) => error);
    return { result, asked };
  }
  /** A service with `count` rows that returns at most `size` rows per page. */
  const service =
    (count: number, size: number) =>
    ({ limit, offset }: { readonly limit: number; readonly offset: number }): Json => ({
      count,
      next: null,
      results: ids(offset, Math.min(count, offset + Math.min(limit, size))),
    });

  it.each<[string, Query, string]>([
    ["500 rows at first", {}, "500@0"],
    ["500 rows if the caller asks for an invalid number", { limit: "7" }, "500@0"],
    ["the size that the caller asks for", { limit: 7 }, "7@0"],
    ["500 rows if the caller asks for no size", { limit: 0 }, "500@0"],
  ])("asks for %s", async (_name, query, first) => {
    expect((await read(service(3, 500), query)).asked).toEqual([first]);
  });

  it("uses the size of the first page, and reads no further than necessary", async () => {
    expect(await read(service(5, 2))).toEqual({
      result: { rows: [0, 1, 2, 3, 4], pages: 3 },
      asked: ["500@0", "2@2", "1@4"],
    });
  });

  it("with a short page is read on after the last row of that page", async () => {
    const made = await read(({ limit, offset }) => ({
      count: 6,
      results: ids(offset, offset + (offset === 2 ? 1 : Math.min(limit, 2))),
    }));
    expect(made).toEqual({ result: { rows: [0, 1, 2, 3, 4, 5], pages: 4 }, asked: ["500@0", "2@2", "2@4", "1@3"] });
  });

  it("with an empty page asks for that page once per round", async () => {
    const made = await read(({ limit, offset }) => ({
      count: 6,
      results: offset === 2 ? [] : ids(offset, offset + Math.min(limit, 2)),
    }));
    expect(made.asked).toEqual([0, 1, 2].flatMap((round) => [`${round < 2 ? "500" : "5000"}@0`, "2@2", "2@4"]));
    expect(made.result).toMatchObject({ kind: "incomplete" });
    expect(sentencesOf(made.result)).toMatchSnapshot();
  });

  it("without rows is read once", async () => {
    expect(await read(service(0, 2))).toEqual({ result: { rows: [], pages: 1 }, asked: ["500@0"] });
  });

  it("that is incomplete is read three times, the last time in the largest pages, and the error says why", async () => {
    const short = await read(() => ({ count: 2, results: [ROW, ROW] }));
    expect(short.asked).toEqual(["500@0", "500@0", "5000@0"]);
    const message = expect.stringContaining("GET /api/domains/") as string;
    expect(short.result).toMatchObject({ kind: "incomplete", message });
    expect(sentencesOf(short.result)).toMatchSnapshot();
    expect((await read(() => ({ count: 1, results: [] }), { limit: 9_000 })).asked).toEqual([
      "9000@0",
      "9000@0",
      "9000@0",
    ]);
  });

  it("that is complete in the second round succeeds, and only the pages of that round are counted", async () => {
    const made = await read((query, number) => (number === 1 ? { count: 2, results: [] } : service(2, 2)(query)));
    expect(made.result).toEqual({ rows: [0, 1], pages: 1 });
  });

  it("of an endless service ends with an error", async () => {
    const made = await read(() => ({ count: 20_001, results: [ROW] }));
    expect(made.asked).toHaveLength(3);
    expect(made.result).toMatchObject({ message: expect.stringContaining("20001") as string });
    expect(sentencesOf(made.result)).toMatchSnapshot();
  });

  it("is read beyond its last row only if the service names a next page", async () => {
    const more = (extra: number) =>
      read(({ offset }) => ({ count: 2, next: "x", results: offset >= 2 ? ids(2, 2 + extra) : ids(0, 2) }));
    expect(await more(0)).toEqual({ result: { rows: [0, 1], pages: 2 }, asked: ["500@0", "1@2"] });
    const { result } = await more(1);
    expect(result).toMatchObject({ kind: "incomplete" });
    expect(sentencesOf(result)).toMatchSnapshot();
  });

  it("without rows is incomplete if the count is not zero", async () => {
    const { result } = await read(() => ({ count: 2, results: [] }));
    expect(result).toMatchObject({ kind: "incomplete" });
    expect(sentencesOf(result)).toMatchSnapshot();
  });

  it.each([
    ["pages", 20_000, 1],
    ["rows", 1_000_000, 500],
  ])("with the maximum of %s is read, and with one more it is not", async (_name, most, size) => {
    const broken = new Error("broken");
    const reading = (count: number) =>
      read(({ offset }) => {
        if (offset > 0) throw broken;
        return { count, results: ids(0, size) };
      });
    expect((await reading(most)).result).toBe(broken);
    const { result } = await reading(most + 1);
    expect(result).toMatchObject({ message: expect.stringContaining(String(most + 1)) as string });
    expect(sentencesOf(result)).toMatchSnapshot();
  });

  it.each<[string, number, number, number]>([
    ["all at once if they are few", DEFAULT_CONCURRENCY + 1, 500, DEFAULT_CONCURRENCY],
    ["as many at a time as hold 2,000 rows", DEFAULT_CONCURRENCY + 2, 500, 4],
    ["rather one more than one less", DEFAULT_CONCURRENCY + 2, 299, 7],
    ["no more at a time than requests are sent", DEFAULT_CONCURRENCY + 2, 1, DEFAULT_CONCURRENCY],
  ])("has its pages read %s", async (_name, pages, size, atOnce) => {
    const { asked, open, reading } = blockedList(pages, size);
    await turn();
    expect(asked).toHaveLength(1 + atOnce);
    open();
    expect(await reading).toEqual({ rows: ids(0, pages * size), pages });
  });

  it("requests its next pages before the arrived ones are parsed", async () => {
    const pages = 3 * DEFAULT_CONCURRENCY;
    const { asked, open, reading } = blockedList(pages, 1, true);
    await turn();
    expect(asked).toHaveLength(pages);
    open();
    expect(await reading).toEqual({ rows: ids(0, pages), pages });
  });

  it("of more than 20,000 rows requests its next pages after the ones before are parsed", async () => {
    const { asked, open, reading } = blockedList(60, 334, true);
    await turn();
    expect(asked).toHaveLength(1 + 6);
    open();
    expect((await reading).pages).toBe(60);
  });

  it("requests its other pages before the rows of the first one are processed", async () => {
    let askedBefore: number | undefined;
    const { asked, open, reading } = blockedList(3, 10, false, () => (askedBefore ??= asked.length));
    open();
    await reading;
    expect(askedBefore).toBe(3);
  });

  it("whose first page cannot be processed fails with that error", async () => {
    const broken = new Error("broken");
    const { open, reading } = blockedList(3, 10, false, () => {
      throw broken;
    });
    open();
    await expect(reading).rejects.toBe(broken);
  });

  it("that cannot become complete is not read further in this round", async () => {
    const made = await read(({ limit, offset }) =>
      limit >= 5_000 ? { count: 50, results: ids(0, 50) } : { count: 50, results: ids(0, 1).slice(0, offset + 1) },
    );
    // Two rounds of the first page and the pages in flight, then one round with everything on one page.
    expect(made.asked).toHaveLength(2 * (1 + DEFAULT_CONCURRENCY) + 1);
    expect(made.result).toMatchObject({ pages: 1 });
  });

  it("with failing pages ends with the first failure, and requests nothing more", async () => {
    const made = await read((_query, number) => {
      if (number === 1) return { count: 90, results: ids(0, 1) };
      throw new Error(`request ${String(number)}`);
    });
    expect(made.result).toMatchObject({ message: "request 2" });
    expect(made.asked).toHaveLength(1 + DEFAULT_CONCURRENCY);
  });
});
