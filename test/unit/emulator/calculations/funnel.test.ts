import { beforeAll, describe, expect, test } from "vitest";
import { EVENT_SEED, TODAY } from "./events.ts";
import { ORG, sender, start, type Body, type Reply, type Send } from "../harness.ts";
import { startEmulator } from "../../../../src/emulator/index.ts";

const F = "/api/projects/2/insights/funnel/";
const HOUR = 3600;
let send: Send;
let deployed: Send;

beforeAll(async () => {
  const options = { seed: EVENT_SEED, now: TODAY };
  const [one, other] = [await startEmulator(options), await startEmulator({ ...options, dialect: "deployed" })];
  [send, deployed] = [sender(one), sender(other)];
  return async () => void (await Promise.all([one.close(), other.close()]));
});

const WEEK = { date_from: "2030-01-03", date_to: "2030-01-09" };
const STEPS = { ...WEEK, events: [{ id: "view" }, { id: "signup" }, { id: "pay" }] };
const steps = (reply: Reply): readonly Body[] => reply.json["result"] as unknown as readonly Body[];
const counts = async (body: object): Promise<unknown[]> =>
  steps(await send("POST", F, { ...STEPS, ...body })).map((step) => step["count"]);

describe("a funnel", () => {
  test("has the documented shape: people per step, and the time since the previous step", async () => {
    const { json } = await send("POST", F, STEPS);
    expect(Object.keys(json)).toEqual(["is_cached", "last_refresh", "timezone", "result"]);
    expect(json["result"]).toEqual([
      {
        count: 3,
        action_id: "view",
        average_conversion_time: null,
        median_conversion_time: null,
        converted_people_url: expect.any(String),
        dropped_people_url: null,
        order: "0",
      },
      {
        count: 3,
        action_id: "signup",
        // ann 24 hours, bob 48, cid 96
        average_conversion_time: 56 * HOUR,
        median_conversion_time: 48 * HOUR,
        converted_people_url: expect.any(String),
        dropped_people_url: expect.any(String),
        order: "1",
      },
      {
        count: 2,
        action_id: "pay",
        // ann 28 hours, bob 12 hours and a second
        average_conversion_time: (28 * HOUR + 12 * HOUR + 1) / 2,
        median_conversion_time: (28 * HOUR + 12 * HOUR + 1) / 2,
        converted_people_url: expect.any(String),
        dropped_people_url: expect.any(String),
        order: "2",
      },
    ]);
  });

  test.each<[string, object, unknown[]]>([
    ["any events between ordered steps", {}, [3, 3, 2]],
    // ann views twice and then signs up at once; bob cancels before he pays; cid's signup follows the view
    ["no other events between strict steps", { funnel_order_type: "strict" }, [3, 3, 0]],
    ["ordered steps only in their order", { events: [{ id: "signup" }, { id: "view" }] }, [3, 1]],
    [
      "unordered steps in any order",
      { events: [{ id: "signup" }, { id: "view" }], funnel_order_type: "unordered" },
      [3, 3],
    ],
    ["a window that is long enough for two", { funnel_window_interval: 2 }, [3, 2, 0]],
    ["a window in hours", { funnel_window_interval: 48, funnel_window_interval_type: "HOUR" }, [3, 2, 0]],
    ["a window in weeks", { funnel_window_interval: 1, funnel_window_interval_type: "week" }, [3, 3, 2]],
    ["a window in months", { funnel_window_interval: 1, funnel_window_interval_type: "MONTH" }, [3, 3, 2]],
    ["the deprecated window", { funnel_window_days: 2 }, [3, 2, 0]],
    [
      "the new window, which overrides the deprecated one",
      { funnel_window_days: 2, funnel_window_interval: 14 },
      [3, 3, 2],
    ],
    ["the same event twice", { events: [{ id: "view" }, { id: "view" }] }, [3, 1]],
    ["one step", { events: [{ id: "pay" }] }, [2]],
    ["an action", { events: [{ id: "view", order: 0 }], actions: [{ id: 5, order: 1 }] }, [3, 3]],
    ["only the requested days", { date_from: "2030-01-04" }, [3, 2, 1]],
    ["only events with a property", { properties: [{ key: "browser", value: "Chrome" }] }, [2, 0, 0]],
    // bob cancels after he signed up and before he pays
    [
      "no people who did an excluded event between two steps",
      { exclusions: [{ id: "cancel", funnel_from_step: 1, funnel_to_step: 2 }] },
      [2, 2, 1],
    ],
    [
      "people who did the excluded event elsewhere",
      { exclusions: [{ id: "cancel", funnel_from_step: 0, funnel_to_step: 1 }] },
      [3, 3, 2],
    ],
    ["exclusions over the whole funnel by default", { exclusions: [{ id: "cancel" }] }, [2, 2, 1]],
  ])("counts %s", async (_name, body, expected) => {
    expect(await counts(body)).toEqual(expected);
  });

  test("a person who never reaches the second step can still be excluded within the window", async () => {
    const body = { events: [{ id: "signup" }, { id: "refund" }], exclusions: [{ id: "cancel" }] };
    expect(await counts(body)).toEqual([2, 0]);
  });

  test("breaks down by a property of the first step, up to the limit", async () => {
    const body = { ...STEPS, breakdown: "browser" };
    const found = steps(await send("POST", F, body)).map((step) => [step["breakdown_value"], step["count"]]);
    expect(found).toEqual([
      ["Chrome", 1],
      ["Chrome", 1],
      ["Chrome", 1],
      ["Firefox", 1],
      ["Firefox", 1],
      ["Firefox", 1],
      ["none", 1],
      ["none", 1],
      ["none", 0],
    ]);
    expect(await counts({ ...body, breakdown_limit: 1 })).toEqual([1, 1, 1]);
  });

  test("counts groups instead of people", async () => {
    const { emulator, send: ask } = await start({ now: TODAY });
    const events = ["a", "b"].map((distinct_id, hour) => ({
      event: distinct_id === "a" ? "view" : "pay",
      distinct_id,
      timestamp: `2030-01-03T0${hour}:00:00Z`,
      properties: { $group_1: "acme" },
    }));
    emulator.addEvents(2, events);
    const body = { ...WEEK, events: [{ id: "view" }, { id: "pay" }] };
    const seen = async (index: number): Promise<unknown[]> =>
      steps(await ask("POST", F, { ...body, aggregation_group_type_index: index })).map((step) => step["count"]);
    expect([await seen(0), await seen(1), await seen(2)]).toEqual([
      [1, 0],
      [1, 1],
      [0, 0],
    ]);
  });

  test("the two other views show the rate of each day and the times of all people", async () => {
    const trends = await send("POST", F, { ...STEPS, funnel_viz_type: "trends" });
    expect(trends.json["result"]?.[0]?.["data"]).toEqual([100, 100, 0, 0, 0, 0, 0]);
    const times = await send("POST", F, { ...STEPS, funnel_viz_type: "time_to_convert" });
    // ann 52 hours, bob 60 hours and a second
    expect(times.json["result"]?.["average_conversion_time"]).toBe((52 * HOUR + 60 * HOUR + 1) / 2);
  });

  test.each<[string, object, string | null]>([
    ["neither events nor actions", { events: undefined }, null],
    ["an order that is unknown", { funnel_order_type: "any" }, "funnel_order_type"],
    ["a view that is unknown", { funnel_viz_type: "flow" }, "funnel_viz_type"],
    ["a window of 0", { funnel_window_interval: 0 }, "funnel_window_interval"],
    ["a window with an unknown unit", { funnel_window_interval_type: "YEAR" }, "funnel_window_interval_type"],
    ["an exclusion without an event", { exclusions: [{}] }, "exclusions"],
    ["an exclusion outside of the funnel", { exclusions: [{ id: "x", funnel_to_step: 3 }] }, "exclusions"],
    ["an invalid group index", { aggregation_group_type_index: -1 }, "aggregation_group_type_index"],
  ])("refuses %s", async (_name, body, attr) => {
    const reply = await send("POST", F, { ...STEPS, ...body });
    expect([reply.status, reply.json["attr"]]).toEqual([400, attr]);
  });
});

describe("deployed: a funnel", () => {
  test("needs two steps", async () => {
    const reply = await deployed("POST", F, { ...WEEK, events: [{ id: "view" }] });
    expect([reply.status, reply.json["detail"]]).toEqual([400, "A funnel needs at least two steps."]);
  });

  test("has a list of steps for each breakdown value, and a number as order", async () => {
    const { json } = await deployed("POST", F, { ...STEPS, breakdown: "browser" });
    expect(json["result"]?.[1]?.[2]).toMatchObject({ count: 1, order: 2, breakdown_value: "Firefox", type: "events" });
  });

  test("correlation requires a key without scopes; paths and retention do not exist", async () => {
    const { send: scoped } = await start({ dialect: "deployed", keys: [{ key: "k", scopes: ["*"] }] });
    const asked = ["GET funnel/correlation", "POST path", "POST retention", "GET path", "GET retention"];
    const statuses = async (ask: Send): Promise<number[]> =>
      Promise.all(
        asked.map(async (line) => {
          const [method = "", name = ""] = line.split(" ");
          const body = method === "POST" ? {} : undefined;
          return (await ask(method, `/api/projects/2/insights/${name}/`, body)).status;
        }),
      );
    expect(await statuses(scoped)).toEqual([403, 403, 403, 404, 404]);
    expect(await statuses(deployed)).toEqual([200, 405, 405, 404, 404]);
  });
});

test("the events of a deleted project are deleted as well", async () => {
  const { emulator } = await start({ seed: EVENT_SEED });
  expect(emulator.dump().event.length).toBe(11);
  emulator.remove("organization", ORG);
  expect(emulator.dump().event).toEqual([]);
});
