import { describe, expect, test } from "vitest";
import { checkSeed } from "../../../../src/emulator/seed/load.ts";
import { SeedError, type Seed } from "../../../../src/emulator/index.ts";
import { clock, sender, start, type Body, type Send } from "../harness.ts";
import { TODAY } from "./events.ts";

const seedOf = (series: object): Seed =>
  checkSeed({ organizations: [{ name: "Acme", projects: [{ id: 2, name: "Web", event_series: [series] }] }] });
const VIEWS = {
  event: "view",
  people: 40,
  per_day: 20,
  weekly_shape: [1, 1, 1, 1, 1, 0, 0],
  properties: { plan: { free: 3, pro: 1 } },
};

async function ask(send: Send, more: object): Promise<readonly Body[]> {
  const query = { kind: "TrendsQuery", series: [{ event: "view" }], dateRange: { date_from: "all" }, ...more };
  const { json } = await send("POST", "/api/projects/2/query/", { query });
  return json["results"] as unknown as readonly Body[];
}

async function emulated(series: object, now: () => Date = TODAY): Promise<Send> {
  return (await start({ seed: seedOf(series), now, dialect: "deployed" })).send;
}

describe("a series of events", () => {
  test("lasts until now, and has more events on some days of the week", async () => {
    const [line] = await ask(await emulated(VIEWS), {});
    const days = line?.["days"] as unknown as readonly string[];
    const data = line?.["data"] as unknown as readonly number[];
    // The first day of the 90 is a Saturday, and "all" begins with the first event.
    expect([days[0], days.at(-1)]).toEqual(["2029-10-15", "2030-01-10"]);
    for (const [index, day] of days.slice(0, -1).entries()) {
      const weekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
      expect(weekend ? data[index] === 0 : (data[index] ?? 0) >= 17 && (data[index] ?? 0) <= 23).toBe(true);
    }
    // Today has only the events until 15:00.
    expect(data.at(-1)).toBeGreaterThan(0);
    expect(data.at(-1)).toBeLessThan(20);
  });

  test("is the same in every emulator, and does not change while one runs", async () => {
    const time = clock("2030-01-10T15:00:00Z");
    const { emulator, send } = await start({ seed: seedOf(VIEWS), now: time.now, dialect: "deployed" });
    const first = await ask(send, { dateRange: { date_from: "-30d", date_to: "2030-01-10" } });
    time.pass(3_600_000);
    const again = await ask(sender(emulator), { dateRange: { date_from: "-30d", date_to: "2030-01-10" } });
    const other = await ask(await emulated(VIEWS), { dateRange: { date_from: "-30d", date_to: "2030-01-10" } });
    expect(again.map((line) => line["data"])).toEqual(first.map((line) => line["data"]));
    expect(other.map((line) => line["data"])).toEqual(first.map((line) => line["data"]));
  });

  test("has people with one value of each property, by weight", async () => {
    const send = await emulated(VIEWS);
    const series = [{ event: "view", math: "dau" }];
    const trendsFilter = { display: "BoldNumber" };
    const [all] = await ask(send, { series, trendsFilter });
    const [free, pro] = await ask(send, { series, trendsFilter, breakdownFilter: { breakdown: "plan" } });
    expect([all?.["aggregated_value"], free?.["breakdown_value"], pro?.["breakdown_value"]]).toEqual([
      40,
      "free",
      "pro",
    ]);
    expect(Number(free?.["aggregated_value"]) + Number(pro?.["aggregated_value"])).toBe(40);
    expect(Number(pro?.["aggregated_value"])).toBeGreaterThan(3);
  });

  test("can be added through the control interface", async () => {
    const { emulator, send } = await start({ now: TODAY, dialect: "deployed" });
    emulator.insert("event_series", { project: 2 }, { event: "view", days: 2, per_day: 3 });
    expect((await ask(send, {}))[0]?.["data"]?.length).toBe(2);
  });

  test.each<[string, object]>([
    ["/days", { event: "a", days: 0 }],
    ["/people", { event: "a", people: 1.5 }],
    ["/per_day", { event: "a", per_day: "5" }],
    ["/per_day", { event: "a", days: 1000, per_day: 10_000 }],
    ["/weekly_shape", { event: "a", weekly_shape: [1, 2] }],
    ["/properties", { event: "a", properties: { plan: ["free"] } }],
    ["/event", { days: 3 }],
    ["/hours", { event: "a", hours: 3 }],
  ])("is refused for %s of %j", (field, series) => {
    expect(() => seedOf(series)).toThrow(SeedError);
    expect(() => seedOf(series)).toThrow(`/organizations/0/projects/0/event_series/0${field}`);
  });
});
