import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_CONCURRENCY } from "../../../../src/api/limits/limiter.ts";
import { readCompleteList } from "../../../../src/api/lists/read-list.ts";
import { operations } from "../../../../src/api/operations/index.ts";
import type { Answer } from "../../../../src/api/http/receive.ts";
import type { Query } from "../../../../src/api/http/request-path.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import {
  complaint,
  connect,
  failureOf,
  fakeClock,
  gate,
  json,
  ORGANIZATION,
  serve,
  type Handler,
  type Seen,
} from "../support.ts";
import { budget } from "../../../support/budget.ts";

const PATH = { organization_id: ORGANIZATION };
const rowsOf = (length: number) =>
  Array.from({ length }, (_, index) => ({ id: `id-${String(index)}`, domain: "a.com", name: "A" }));

interface Shape {
  readonly rows: readonly { readonly id: string }[];
  readonly clamp?: number;
  readonly next?: (offset: number) => string | null;
}

/** The answer of a correct server, unless the test changes it. */
function page({ query }: Pick<Seen, "query">, { rows, clamp = Infinity, next }: Shape) {
  const offset = Number(query.get("offset"));
  const limit = Math.min(clamp, Number(query.get("limit")));
  const results = rows.slice(offset, offset + limit);
  const follows = offset + limit < rows.length ? "http://service.example/next" : null;
  return { count: rows.length, next: next === undefined ? follows : next(offset), previous: null, results };
}

const honest =
  (shape: Shape): Handler =>
  (seen, response) =>
    json(response, 200, page(seen, shape));

describe("a list", () => {
  it("is read to its end, in order, with the real page size of the server", async () => {
    const rows = rowsOf(1_234);
    const server = await serve(honest({ rows, clamp: 100 }));
    const client = connect(server.url);
    await expect(client.list("domains.list", PATH)).resolves.toEqual({ rows, pages: 13 });
    expect(server.seen[0]?.query.toString()).toBe("limit=500&offset=0");
    expect(client.requests()).toBe(13);
  });

  it("is read in default pages if the service rejects larger ones", async () => {
    const rows = rowsOf(230);
    const largest = 100;
    const server = await serve((seen, response) => {
      const limit = Number(seen.query.get("limit") ?? largest);
      if (limit > largest) return json(response, 400, complaint("max_value", "Too large.", "limit"));
      seen.query.set("limit", String(limit));
      return json(response, 200, page(seen, { rows }));
    });
    await expect(connect(server.url).list("domains.list", PATH)).resolves.toEqual({ rows, pages: 3 });
    expect(server.seen).toHaveLength(4);
    await expect(connect(server.url).list("domains.list", PATH, { limit: 200 })).resolves.toEqual({ rows, pages: 3 });
  });

  it("that fits into one page costs one request, even if it is empty", async () => {
    for (const length of [0, 1, 500]) {
      const server = await serve(honest({ rows: rowsOf(length) }));
      const list = await connect(server.url).list("domains.list", PATH);
      expect(list.rows).toHaveLength(length);
      expect(server.seen).toHaveLength(1);
    }
  });

  it("is read in parallel after the first page", async () => {
    const all = gate();
    let waiting = 0;
    const server = await serve(async (seen, response, index) => {
      if (index > 0 && ++waiting === 4) all.open();
      if (index > 0) await all.opened;
      json(response, 200, page(seen, { rows: rowsOf(50), clamp: 10 }));
    });
    const list = await connect(server.url).list("domains.list", PATH);
    expect(list.rows).toEqual(rowsOf(50));
  });

  it("has no more pages in flight if they must be requested again", async () => {
    const rows = rowsOf(11_000);
    const server = await serve((seen, response) =>
      seen.query.get("offset") === "0"
        ? json(response, 200, page(seen, { rows, clamp: 500 }))
        : json(response, 503, {}),
    );
    await failureOf(connect(server.url, { clock: fakeClock() }).list("domains.list", PATH));
    // The first page, and as many pages as have 2,000 rows.
    expect(new Set(server.seen.map(({ query }) => query.get("offset"))).size).toBe(1 + 4);
  });

  it("with one short page is read on after the last row of that page", async () => {
    const rows = rowsOf(50);
    const server = await serve((seen, response) => {
      const clamp = seen.query.get("offset") === "20" ? 3 : 10;
      json(response, 200, page(seen, { rows, clamp }));
    });
    await expect(connect(server.url).list("domains.list", PATH)).resolves.toMatchObject({ rows, pages: 6 });
  });

  it("sends the caller's query with every page", async () => {
    const server = await serve(honest({ rows: rowsOf(3), clamp: 1 }));
    await connect(server.url).list("insights.list", { project_id: "2" }, { short_id: "abc" });
    expect(server.seen.map(({ query }) => query.get("short_id"))).toEqual(["abc", "abc", "abc"]);
  });

  it("counts each request for its caller", async () => {
    const server = await serve(honest({ rows: rowsOf(30), clamp: 10 }));
    let sent = 0;
    await connect(server.url).list("domains.list", PATH, undefined, () => (sent += 1));
    expect(sent).toBe(3);
  });
});

it("reports how many pages of all have arrived", async () => {
  const server = await serve(honest({ rows: rowsOf(30), clamp: 10 }));
  const seen: (readonly [number, number | undefined])[] = [];
  const client = connect(server.url, { onPage: ({ pages, total }) => void seen.push([pages, total]) });
  await client.list("domains.list", PATH);
  expect(seen).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
    [0, undefined],
  ]);
});

it("random lists, page sizes, clamps and orders of arrival return every row once", async () => {
  const clamps = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });
  const scheduled = fc.asyncProperty(
    fc.scheduler(),
    fc.integer({ min: 0, max: 120 }),
    fc.integer({ min: 1, max: 40 }),
    clamps,
    async (scheduler, length, limit, sizes) => {
      const rows = rowsOf(length);
      const fetchPage = (query: Query): Promise<Answer> => {
        const clamp = sizes[Number(query["offset"]) % sizes.length] ?? 1;
        const searched = new URLSearchParams({ limit: String(query["limit"]), offset: String(query["offset"]) });
        return scheduler.schedule(Promise.resolve({ status: 200, body: page({ query: searched }, { rows, clamp }) }));
      };
      const list = readCompleteList({ origin: origin(), fetchPage, query: { limit }, reduce: (found) => found });
      await scheduler.waitFor(list);
      expect((await list).rows).toEqual(rows);
    },
  );
  await fc.assert(scheduled, { numRuns: budget(150) });
});

describe("an incomplete list is read three times, then it is an error:", () => {
  const rows = rowsOf(30);
  const table: readonly [string, (honestPage: ReturnType<typeof page>, seen: Seen) => unknown, readonly string[]][] = [
    ["a count that is too high", (one) => ({ ...one, count: 31 }), ["30", "31"]],
    ["a count that is too low", (one) => ({ ...one, count: 5 }), ["5"]],
    ["a count that is too low by whole pages", (one) => ({ ...one, count: 20 }), ["20"]],
    [
      "a count that changes",
      (one, { query }) => ({ ...one, count: query.get("offset") === "0" ? 30 : 29 }),
      ["30", "29"],
    ],
    [
      "a row that comes twice",
      (one, { query }) => (query.get("offset") === "10" ? { ...one, results: rows.slice(9, 19) } : one),
      ['"id-9"'],
    ],
    [
      "a page that stays empty",
      (one, { query }) => (query.get("offset") === "10" ? { ...one, results: [] } : one),
      ["20", "30"],
    ],
    ["no rows at all", (one) => ({ ...one, results: [] }), ["0", "30"]],
    ["an offset that is ignored", (one) => ({ ...one, results: rows.slice(0, 10) }), ['"id-0"']],
    [
      "a list of a million pages",
      (one) => ({ ...one, count: 1_000_000, results: one.results.slice(0, 1) }),
      ["1000000"],
    ],
  ];
  for (const [name, change, named] of table) {
    it(name, async () => {
      const server = await serve((seen, response) =>
        json(response, 200, change(page(seen, { rows, clamp: 10 }), seen)),
      );
      const error = await failureOf(connect(server.url).list("domains.list", PATH));
      expect(error).toMatchObject({ kind: "incomplete", tookEffect: "no", operation: "domains.list" });
      for (const part of named) expect(error.message).toContain(part);
      expect(sentencesOf(error)).toMatchSnapshot();
      expect(server.seen.filter(({ query }) => query.get("offset") === "0")).toHaveLength(3);
      expect(server.seen.length).toBeLessThanOrEqual(3 * 4);
    });
  }
});

it("a row that moved between the pages of one round is found by the next", async () => {
  const rows = rowsOf(30);
  const moved = [...rows.slice(29), ...rows.slice(0, 29)];
  const server = await serve((seen, response, index) =>
    json(response, 200, page(seen, { rows: index === 0 ? rows : moved, clamp: 10 })),
  );
  const list = await connect(server.url).list("domains.list", PATH);
  expect(list).toEqual({ rows: moved, pages: 3 });
  expect(server.seen).toHaveLength(6);
});

it("a list without a stable order is read in one large page", async () => {
  const rows = rowsOf(700);
  let round = 0;
  const server = await serve((seen, response) => {
    round += 1;
    const turned = [...rows.slice(round), ...rows.slice(0, round)];
    json(response, 200, page(seen, { rows: turned }));
  });
  const list = await connect(server.url).list("domains.list", PATH);
  expect(new Set(list.rows.map(({ id }) => id)).size).toBe(700);
  expect(server.seen.map(({ query }) => query.get("limit"))).toEqual(["500", "200", "500", "200", "5000"]);
});

describe("`next`", () => {
  it("is never followed, so no request goes to another host", async () => {
    const foreign = await serve((_seen, response) => json(response, 200, { count: 0, results: [] }));
    const rows = rowsOf(30);
    const server = await serve(
      honest({ rows, clamp: 10, next: () => `${foreign.url}/api/organizations/?limit=10&offset=10` }),
    );
    await expect(connect(server.url).list("domains.list", PATH)).resolves.toMatchObject({ rows });
    expect(foreign.seen).toHaveLength(0);
  });

  it("after the last row is checked with one request", async () => {
    const server = await serve(honest({ rows: rowsOf(3), next: () => "http://other.example/" }));
    await expect(connect(server.url).list("domains.list", PATH)).resolves.toMatchObject({ rows: rowsOf(3), pages: 2 });
    expect(server.seen.map(({ query }) => query.toString())).toEqual(["limit=500&offset=0", "limit=1&offset=3"]);
  });
});

describe("a body that is not a page", () => {
  const table: readonly [string, unknown][] = [
    ["an array", []],
    ["an object without results", { count: 0 }],
    ["results that are an object", { count: 0, results: {} }],
    ["no count", { results: [] }],
    ["a count that is a text", { count: "1", results: rowsOf(1) }],
    ["a negative count", { count: -1, results: [] }],
    ["a broken count", { count: 1.5, results: rowsOf(1) }],
    ["a row that is no object", { count: 1, results: [1] }],
    ["a row without an id", { count: 1, results: [{ name: "x" }] }],
    ["null", null],
  ];
  for (const [name, body] of table) {
    it(`${name} is a protocol error, at once`, async () => {
      const server = await serve((_seen, response) => json(response, 200, body));
      expect(await failureOf(connect(server.url).list("domains.list", PATH))).toMatchObject({
        kind: "protocol",
        status: 200,
      });
      expect(server.seen).toHaveLength(1);
    });
  }
});

it("a page that fails ends the list with its error, and no more pages are requested", async () => {
  const server = await serve((seen, response) => {
    if (seen.query.get("offset") !== "0") return json(response, 403, complaint("permission_denied"));
    json(response, 200, page(seen, { rows: rowsOf(1_000), clamp: 10 }));
  });
  expect(await failureOf(connect(server.url).list("domains.list", PATH))).toMatchObject({ kind: "scope", status: 403 });
  expect(server.seen.length).toBeLessThanOrEqual(1 + DEFAULT_CONCURRENCY);
});

describe("the list of insights", () => {
  const PROJECT = { project_id: "2" };
  const queries = async (
    handler: Handler,
    ...rest: readonly [profile: "posthog" | "document", query?: Query]
  ): Promise<string[]> => {
    const server = await serve(handler);
    await connect(server.url, { profile: rest[0] }).list("insights.list", PROJECT, rest[1]);
    return server.seen.map(({ query }) => query.toString());
  };
  const rows = honest({ rows: rowsOf(2) });

  it("requests a stable order and rows without computed results", async () => {
    expect(await queries(rows, "posthog")).toEqual(["order=id&basic=true&limit=500&offset=0"]);
  });

  it("requests neither with the profile `document`", async () => {
    expect(await queries(rows, "document")).toEqual(["limit=500&offset=0"]);
    expect(await queries(rows, "document", { basic: false })).toEqual(["limit=500&offset=0"]);
  });

  it("leaves out what the caller sets to false", async () => {
    expect(await queries(rows, "posthog", { basic: false })).toEqual(["order=id&limit=500&offset=0"]);
  });

  for (const status of [400, 405]) {
    it(`is read without them if the service answers ${String(status)} to them`, async () => {
      const picky: Handler = (seen, response, index) =>
        seen.query.has("order") ? json(response, status, complaint("invalid")) : rows(seen, response, index);
      const sent = await queries(picky, "posthog");
      expect(sent).toEqual(["order=id&basic=true&limit=500&offset=0", "limit=500&offset=0"]);
    });
  }

  for (const status of [401, 403, 404]) {
    it(`fails at once with ${String(status)}`, async () => {
      const server = await serve((_seen, response) => json(response, status, complaint("x")));
      await failureOf(connect(server.url).list("insights.list", PROJECT));
      expect(server.seen).toHaveLength(1);
    });
  }

  it("is the only list that sends undocumented parameters", async () => {
    const server = await serve(rows);
    const client = connect(server.url);
    await client.list("organizations.list", {});
    await client.list("project_batch_exports.list", PROJECT);
    expect(server.seen.map(({ query }) => query.toString())).toEqual(["limit=500&offset=0", "limit=500&offset=0"]);
  });
});

function origin() {
  return { operation: operations["domains.list"], path: "/api/", redact: (text: string) => text };
}
