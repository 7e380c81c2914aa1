import { describe, expect, it } from "vitest";
import type { Client, RequestInput } from "../../../../src/api/client.ts";
import { ApiError, type ErrorKind } from "../../../../src/api/errors/errors.ts";
import { createRedactor } from "../../../../src/api/redact/redact.ts";
import { calculateEffects, type ChangedRun, type EffectOptions } from "../../../../src/engine/effect/effects.ts";
import type { Change } from "../../../../src/model/change.ts";
import { isCalculated, type Effects } from "../../../../src/model/effect.ts";
import { type Json, type JsonObject, Secret } from "../../../../src/model/json/json.ts";

const PROJECT = "acme/projects/web";
const NOW = Date.parse("2026-11-26T15:00:00Z");

/** A query that counts one event; its answer is the length of the event's name. */
const counting = (event: string): JsonObject => ({ kind: "TrendsQuery", series: [{ kind: "EventsNode", event }] });

function change(
  name: string,
  { before, after, ...more }: Partial<Change> & { readonly before?: Json; readonly after?: unknown },
): Change {
  const live =
    before === undefined
      ? undefined
      : {
          kind: "insight",
          scope: PROJECT,
          id: "1",
          pins: {},
          keys: [name],
          values: { query: before },
          onDifference: "update",
        };
  return {
    address: `${PROJECT}/insights/${name}`,
    kind: "insight",
    action: before === undefined ? "create" : "update",
    reason: "",
    id: null,
    blocked: null,
    fields: [],
    fingerprint: null,
    work: { scope: PROJECT, body: after === undefined ? {} : { query: after }, key: name, live },
    ...more,
  } as Change;
}

type Answer = (event: string, input: RequestInput) => Json | Promise<Json>;

const byLength: Answer = (event) => ({
  results: [{ data: [event.length], days: ["2026-11-25"], label: event, action: { order: 0 } }],
});

interface World {
  readonly sent: RequestInput[];
  readonly controller: AbortController;
  now: number;
  readonly run: (changes: readonly Change[], options?: Partial<EffectOptions>) => Promise<Effects>;
}

function world(answer: Answer = byLength, secret = "none-at-all"): World {
  const sent: RequestInput[] = [];
  const controller = new AbortController();
  const redactor = createRedactor();
  redactor.add(secret);
  const client = {
    profile: "posthog",
    request: async (_name: string, input: RequestInput) => {
      sent.push(input);
      const { series } = (input.body as { query: { series: { event: string }[] } }).query;
      return { status: 200, body: await answer(series[0]?.event ?? "", input) };
    },
  } as unknown as Client;
  const one: World = {
    sent,
    controller,
    now: NOW,
    run: (changes, options = {}) => {
      const context = {
        env: {},
        clock: { now: () => one.now, sleep: () => Promise.resolve(), random: () => 0 },
        redactor,
        signal: controller.signal,
        toolVersion: "0",
      };
      const known = (id: string) => ({ status: "known", path: { project_id: id } });
      const live = {
        scopes: new Map([
          [PROJECT, known("2")],
          ["acme/projects/app", known("3")],
        ]),
      };
      const run = { plan: { changes }, world: live, input: { client, context } } as unknown as ChangedRun;
      return calculateEffects(run, { limit: 20, budgetMs: 60_000, breakdowns: "shown", ...options });
    },
  };
  return one;
}

function failing(kind: ErrorKind, status: number): Answer {
  return () => {
    throw new ApiError({
      kind,
      operation: "queries.run",
      method: "POST",
      path: "/",
      status,
      code: null,
      attr: null,
      hint: "",
      tookEffect: "no",
      message: `answered ${String(status)}`,
    });
  };
}

const totals = ({ insights }: Effects): unknown[] =>
  insights.map((one) =>
    isCalculated(one)
      ? one.series.map(({ before, after, percent }) => [before?.total, after?.total, percent])
      : one.not_calculated,
  );

describe("the effect of a change", () => {
  it("is the numbers of the live and of the declared query over one range", async () => {
    const { run, sent } = world();
    const effects = await run([change("a", { before: counting("four"), after: counting("threes") })]);
    expect(totals(effects)).toEqual([[[4, 6, 50]]]);
    expect(effects.insights[0]).toMatchObject({
      range: { from: "2026-11-19", to: "2026-11-25" },
      interval: { before: "day", after: "day" },
      notes: [],
    });
    expect(sent.map(({ path, attempts }) => [path?.["project_id"], attempts])).toEqual([
      ["2", 1],
      ["2", 1],
    ]);
  });

  it("of a new object has one side", async () => {
    const { run, sent } = world();
    expect(totals(await run([change("a", { after: counting("four") })]))).toEqual([[[undefined, 4, null]]]);
    expect(sent).toHaveLength(1);
  });

  it("is not asked for if nothing changes that the numbers depend on", async () => {
    const { run, sent } = world();
    const changes = [
      change("unchanged", { before: counting("a"), action: "no_op" }),
      change("renamed", { before: counting("a") }),
      change("gone", { before: counting("a"), after: counting("b"), action: "delete" }),
      change("unread", { before: counting("a"), after: counting("b"), action: "unknown" }),
    ];
    expect(await run(changes)).toEqual({ insights: [] });
    expect(sent).toEqual([]);
  });

  it("asks equal questions once", async () => {
    const { run, sent } = world();
    const changes = ["a", "b", "c"].map((name) => change(name, { before: counting("four"), after: counting("fives") }));
    expect(totals(await run(changes))).toEqual([[[4, 5, 25]], [[4, 5, 25]], [[4, 5, 25]]]);
    expect(sent).toHaveLength(2);
  });

  it("says if the range itself changes", async () => {
    const after = { ...counting("fives"), dateRange: { date_from: "-30d" } };
    const { insights } = await world().run([change("a", { before: counting("four"), after })]);
    expect(insights[0]).toMatchObject({ range: { from: "2026-10-27" }, notes: [expect.any(String)] });
  });

  it("says if the interval changes", async () => {
    const after = { ...counting("four"), interval: "week", dateRange: { date_from: "-30d" } };
    const before = { ...counting("four"), dateRange: { date_from: "-30d" } };
    const effects = await world().run([change("a", { before, after })]);
    expect(effects.insights[0]).toMatchObject({
      interval: { before: "day", after: "week" },
      notes: [expect.any(String)],
    });
    // Totals that cannot be compared have no change.
    expect(totals(effects)).toEqual([[[4, 4, null]]]);
  });

  it("has means as the totals of both sides if one counts people, and says so", async () => {
    const daily: Answer = () => ({ results: [{ data: [4, null, 8], days: ["a", "b", "c"], action: { order: 0 } }] });
    const query = counting("four");
    const people = { ...query, series: [{ kind: "EventsNode", event: "four", math: "dau" }] };
    const effects = await world(daily).run([change("a", { before: query, after: people })]);
    expect(totals(effects)).toEqual([[[6, 6, 0]]]);
    expect(effects.insights[0]).toMatchObject({ notes: [expect.any(String)] });
  });

  it("of a single number has no intervals, so a changed one is not said", async () => {
    const single: Answer = () => ({ results: [{ data: [], days: [], aggregated_value: 5, action: { order: 0 } }] });
    const before = { ...counting("four"), dateRange: { date_from: "-30d" } };
    const effects = await world(single).run([change("a", { before, after: { ...before, interval: "month" } })]);
    expect(effects.insights[0]).toMatchObject({ interval: { before: null, after: null }, notes: [] });
    expect(totals(effects)).toEqual([[[5, 5, 0]]]);
  });

  it.each<[string, readonly number[], readonly number[], number]>([
    ["numbers become zero", [4], [0], 1],
    ["one of two becomes zero", [4, 5], [4, 0], 1],
    ["a breakdown has no values any more", [4], [], 1],
    ["all were zero before", [0], [0], 0],
    ["one was zero before", [4, 0], [3, 0], 0],
    ["nothing becomes zero", [4], [5], 0],
  ])("says in words if %s", async (_name, old, planned, count) => {
    const answer: Answer = (event) => ({
      results: (event === "old" ? old : planned).map((value, order) => ({
        data: [value],
        days: ["2026-11-25"],
        label: String(order),
        action: { id: String(order), order },
      })),
    });
    const { insights } = await world(answer).run([change("a", { before: counting("old"), after: counting("new") })]);
    expect(insights[0]).toHaveProperty("notes.length", count);
  });

  it("holds no secret of this run", async () => {
    const effects = await world(byLength, "phx_in_the_data").run([change("a", { after: counting("phx_in_the_data") })]);
    expect(JSON.stringify(effects)).not.toContain("phx_in_the_data");
  });
});

describe("what cannot be calculated is said, and stops nothing else", () => {
  it.each<[string, Partial<Change> & { readonly before?: Json; readonly after?: unknown }]>([
    ["a secret in the query", { after: { kind: "HogQLQuery", query: new Secret("${secret:A}") } }],
    ["a query of another kind", { after: { kind: "PathsQuery" } }],
    ["an unreadable range", { after: { ...counting("a"), dateRange: { date_from: "soon" } } }],
    [
      "a project that does not exist yet",
      { after: counting("a"), work: { scope: "acme/projects/new", body: { query: counting("a") }, key: "a" } },
    ],
  ])("%s", async (_name, wrong) => {
    const { run, sent } = world();
    const effects = await run([change("wrong", wrong), change("right", { after: counting("four") })]);
    expect(totals(effects)).toEqual([expect.any(String), [[undefined, 4, null]]]);
    expect(sent).toHaveLength(1);
  });

  it("a live query that cannot be calculated: the declared one is shown alone", async () => {
    const { insights } = await world().run([change("a", { before: { kind: "PathsQuery" }, after: counting("four") })]);
    expect(insights[0]).toMatchObject({ series: [{ before: null, after: { total: 4 } }], notes: [expect.any(String)] });
  });

  it("an error of one project does not speak for another", async () => {
    const { run, sent } = world(failing("scope", 403));
    const other = { scope: "acme/projects/app", body: { query: counting("b") }, key: "b" };
    await run([change("a", { after: counting("a") }), change("b", { work: other })]);
    expect(new Set(sent.map(({ path }) => path?.["project_id"]))).toEqual(new Set(["2", "3"]));
  });

  it("an answer that breaks the reader", async () => {
    const broken = {
      results: [
        new Proxy(
          {},
          {
            get: () => {
              throw new RangeError("broken");
            },
          },
        ),
      ],
    };
    const effects = await world(() => broken).run([change("a", { after: counting("a") })]);
    expect(totals(effects)).toEqual([expect.any(String)]);
  });

  it("a reason without end is cut", async () => {
    const effects = await world(() => ({ error: "x".repeat(200_000) })).run([change("a", { after: counting("a") })]);
    expect(JSON.stringify(effects).length).toBeLessThan(1_000);
  });

  it("an error of one question", async () => {
    const broken = failing("server", 500);
    const { run } = world((event, input) => (event === "bad" ? broken(event, input) : byLength(event, input)));
    const changes = [change("a", { after: counting("bad") }), change("b", { after: counting("four") })];
    expect(totals(await run(changes))).toEqual(["answered 500", [[undefined, 4, null]]]);
  });

  it.each<[ErrorKind, number]>([
    ["scope", 403],
    ["auth", 401],
    ["not_found", 404],
  ])("after an error that all would get, nothing more is asked: %s", async (kind, status) => {
    const { run, sent } = world(failing(kind, status));
    const changes = Array.from({ length: 10 }, (_, at) =>
      change(`i${String(at)}`, { after: counting(`e${String(at)}`) }),
    );
    expect(totals(await run(changes))).toEqual(changes.map(() => `answered ${String(status)}`));
    expect(sent.length).toBeLessThanOrEqual(3);
  });
});

describe("limits", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      change(`i${String(at)}`, { before: counting("old"), after: counting(`new ${String(at)}`) }),
    );

  it("of insights: the first ones are asked, the others counted", async () => {
    const { run, sent } = world();
    const effects = await run(many(500));
    expect(effects.insights).toHaveLength(20);
    expect(effects.left_out).toEqual({ count: 480, reason: "limit" });
    // 20 declared queries, and the one live query that all of them have.
    expect(sent).toHaveLength(21);
  });

  it("of time: what was not begun is counted", async () => {
    const slow = world((event, input) => {
      slow.now += 25_000;
      return byLength(event, input);
    });
    const effects = await slow.run(many(10));
    expect(effects.insights.length).toBeGreaterThan(0);
    expect(effects.left_out).toEqual({ count: 10 - effects.insights.length, reason: "time" });
    expect(slow.sent.every(({ deadline }) => deadline === NOW + 60_000)).toBe(true);
  });

  it("an interrupt ends them, and keeps what is known", async () => {
    const stopped = world((event, input) => {
      if (event === "new 5") stopped.controller.abort();
      return byLength(event, input);
    });
    const effects = await stopped.run(many(10));
    expect(effects.insights.length).toBeGreaterThan(0);
    expect(effects.left_out).toEqual({ count: 10 - effects.insights.length, reason: "interrupted" });
    expect(stopped.sent.every(({ signal }) => signal === stopped.controller.signal)).toBe(true);
  });
});

describe("series are paired by what they count", () => {
  const side =
    (...rows: readonly JsonObject[]): Answer =>
    (event, _input) => ({ results: event === "before" ? rows.slice(0, -1) : rows.slice(1) });
  const counted = (id: string, order: number, value: number): JsonObject => ({
    data: [value],
    days: ["2026-11-25"],
    label: id,
    action: { id, order },
  });
  const compared = async (answer: Answer) =>
    (await world(answer).run([change("a", { before: counting("before"), after: counting("after") })])).insights[0];

  it("and not by their place: what is gone and what is new stand alone, if there are several", async () => {
    const effect = await compared((event) => ({
      results:
        event === "before"
          ? [counted("a", 0, 10), counted("b", 1, 20)]
          : [counted("c", 0, 1), counted("d", 1, 2), counted("b", 2, 30)],
    }));
    expect(effect).toMatchObject({
      series: [
        { label: "c", before: null },
        { label: "d", before: null },
        { label: "b", before: { total: 20 }, after: { total: 30 }, percent: 50 },
        { label: "a", after: null },
      ],
    });
  });

  it("the one that is left on each side is a pair with both names", async () => {
    const effect = await compared(side(counted("a", 0, 10), counted("b", 1, 20), counted("c", 2, 5)));
    expect(effect).toMatchObject({
      series: [
        { label: "b", percent: 0 },
        { label: "a → c", percent: -50 },
      ],
    });
  });

  it("not at all, if the queries are of different kinds", async () => {
    const run = world((event) => ({ results: event === "before" ? [counted("a", 0, 10)] : [{ name: "a", count: 3 }] }));
    const funnel = { kind: "FunnelsQuery", series: [{ kind: "EventsNode", event: "after" }] };
    const { insights } = await run.run([change("a", { before: counting("before"), after: funnel })]);
    expect(insights[0]).toMatchObject({
      shape: "steps",
      series: [{ before: null, percent: null }, { after: null }],
      notes: [expect.any(String)],
    });
  });

  it("a small change is not taken for none", async () => {
    const effect = await compared((event) => ({
      results: [counted("a", 0, event === "before" ? 10_000_000 : 10_004_000)],
    }));
    expect(effect).toMatchObject({ series: [{ percent: 0.04 }] });
  });
});

describe("breakdowns", () => {
  const BROKEN_DOWN = { ...counting("a"), breakdownFilter: { breakdown: "value" } };

  const values =
    (count: number): Answer =>
    () => ({
      results: Array.from({ length: count }, (_, at) => ({
        data: [at, at],
        days: ["2026-11-24", "2026-11-25"],
        label: `value ${String(at)}`,
        breakdown_value: `value ${String(at)}`,
        action: { order: 0, name: "$pageview" },
      })),
    });

  it("show the ten largest values, and count the others", async () => {
    const { insights } = await world(values(25)).run([change("a", { after: BROKEN_DOWN })]);
    const [effect] = insights;
    if (effect === undefined || !isCalculated(effect)) throw new Error("not calculated");
    expect(effect.series.map(({ label }) => label)).toEqual(
      Array.from({ length: 10 }, (_, at) => `value ${String(24 - at)}`),
    );
    expect(effect.series_left_out).toBe(15);
  });

  it("as totals are added up, and no value is named", async () => {
    const effects = await world(values(25)).run([change("a", { after: BROKEN_DOWN })], { breakdowns: "totals" });
    expect(effects.insights[0]).toMatchObject({
      series: [{ label: "$pageview", after: { total: 600, points: [{ value: 300 }, { value: 300 }] } }],
      series_left_out: 0,
    });
    expect(JSON.stringify(effects)).not.toContain("value 3");
  });
});
