import { describe, expect, test } from "vitest";
import { clock, start, type Body, type Send } from "../harness.ts";
import { EVENT_SEED } from "../calculations/events.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";
import type { JsonObject } from "../../../../src/emulator/json.ts";

const I = "/api/projects/2/insights/";
let emulator: Emulator;
let send: Send;

describe("refresh", () => {
  const filters = { insight: "TRENDS", events: [{ id: "view" }], date_from: "2030-01-03", date_to: "2030-01-04" };
  const time = clock("2030-01-10T00:00:00Z");
  const state = ({ json }: { readonly json: Body }): unknown[] => [json["is_cached"], json["last_refresh"]];
  const data = ({ json }: { readonly json: Body }): unknown =>
    (JSON.parse(String(json["result"])) as readonly Body[])[0]?.["data"];

  test("calculates a stale result, and is_cached reports that", async () => {
    ({ emulator, send } = await start({ seed: EVENT_SEED, now: time.now }));
    emulator.insert("insight", { project: 2 }, { filters });
    const read = async (query = ""): ReturnType<Send> => send("GET", `${I}1/${query}`);
    expect(state(await read())).toEqual(["false", null]);
    const first = await read("?refresh=true");
    expect([...state(first), data(first)]).toEqual(["false", "2030-01-10T00:00:00Z", [2, 1]]);
    time.pass(60_000);
    expect(state(await read("?refresh=true"))).toEqual(["true", "2030-01-10T00:00:00Z"]);
    expect(state(await read())).toEqual(["true", "2030-01-10T00:00:00Z"]);
    time.pass(120_000);
    expect(state(await read("?refresh=true"))).toEqual(["false", "2030-01-10T00:03:00Z"]);
  });

  test("a change makes a result stale immediately", async () => {
    ({ emulator, send } = await start({ seed: EVENT_SEED, now: time.now }));
    emulator.insert("insight", { project: 2 }, { filters });
    await send("GET", `${I}1/?refresh=true`);
    time.pass(1000);
    await send("PATCH", `${I}1/`, { filters: { ...filters, events: [{ id: "signup" }] } });
    const again = await send("GET", `${I}1/?refresh=true`);
    expect([again.json["is_cached"], data(again)]).toEqual(["false", [0, 1]]);
  });

  test.each<[string, JsonObject, unknown]>([
    [
      "a query of trends",
      {
        kind: "TrendsQuery",
        series: [{ kind: "EventsNode", event: "view" }],
        dateRange: { date_from: "2030-01-04", date_to: "2030-01-05" },
      },
      [{ data: [1, 2] }],
    ],
    [
      "a query of funnels",
      {
        kind: "FunnelsQuery",
        series: [
          { kind: "EventsNode", event: "view" },
          { kind: "ActionsNode", id: 5 },
        ],
        dateRange: { date_from: "2030-01-03", date_to: "2030-01-09" },
      },
      [{ count: 3 }, { count: 3 }],
    ],
    ["a query of another kind", { kind: "PathsQuery" }, null],
    [
      "a query that the emulator cannot calculate",
      { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "view", math: "p99" }] },
      null,
    ],
  ])("deployed: the result of %s", async (_name, source, expected) => {
    ({ emulator, send } = await start({ seed: EVENT_SEED, now: time.now, dialect: "deployed" }));
    emulator.insert("insight", { project: 2 }, { query: { kind: "InsightVizNode", source } });
    const { json } = await send("GET", `${I}1/?refresh=true`);
    expect(json["is_cached"]).toBe(false);
    if (expected === null) expect(json["result"]).toBe(null);
    else expect(json["result"]).toMatchObject(expected as object);
    const basic = await send("GET", `${I}1/?basic=true`);
    expect([basic.json["last_refresh"], "result" in basic.json]).toEqual([json["last_refresh"], false]);
  });
});
