/** What an update writes: what its preview has shown, and nothing else. For both ways to make a resource. */
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { failureIn } from "./support/provider-process.ts";
import { pluginWorld } from "./support/plugin-world.ts";
import { world } from "./support/world.ts";

interface Insights {
  readonly create: (inputs: JsonObject) => Promise<{ id: string; outs: JsonObject }>;
  readonly read: (id: string, props: JsonObject) => Promise<{ props: JsonObject }>;
  readonly update: (id: string, olds: JsonObject, news: JsonObject) => Promise<JsonObject>;
}

interface World {
  readonly emulator: Emulator;
  readonly insights: Insights;
  /** The process of the next run. */
  readonly next: () => Promise<Insights>;
}

const WAYS: Readonly<Record<string, () => Promise<World>>> = {
  "a dynamic resource": async () => {
    const { emulator, provider, later } = await world();
    return { emulator, insights: provider.as("insight"), next: async () => (await later()).as("insight") };
  },
  "a packaged resource": async () => {
    const { emulator, plugin, next } = await pluginWorld();
    const of = (one: typeof plugin): Insights => ({
      create: (inputs) => one.create("Insight", inputs),
      read: (id, props) => one.read("Insight", id, props),
      update: (id, olds, news) => one.update("Insight", id, olds, news),
    });
    return { emulator, insights: of(plugin), next: async () => of(await next()) };
  },
};

const query = (dateFrom: string, event: string) => ({
  kind: "InsightVizNode",
  source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event }], dateRange: { date_from: dateFrom } },
});
const INPUTS = { projectId: 2, name: "Signups", description: "ours", query: query("-7d", "signed up") };

describe.each(Object.entries(WAYS))("an update of %s", (_way, open) => {
  it("leaves alone what somebody else has changed, and the next refresh shows it", async () => {
    const { emulator, insights, next } = await open();
    const { id, outs } = await insights.create(INPUTS);
    emulator.edit("insight", Number(id), { description: "theirs", query: query("-30d", "signed up") });
    const news = { ...INPUTS, name: "Sign-ups", query: query("-7d", "paid") };
    const later = await next();
    const state = await later.update(id, outs, news);
    const live = { name: "Sign-ups", description: "theirs", query: query("-30d", "paid") };
    expect(emulator.find("insight")).toMatchObject([live]);
    expect(state).toMatchObject(news);
    expect((await (await next()).read(id, state)).props).toMatchObject(live);
  });

  it("writes what an earlier write did not achieve as well", async () => {
    const { emulator, insights, next } = await open();
    for (const method of ["POST", "PATCH"] as const)
      emulator.faults.add({ method, fault: { type: "ignore-field", field: "description" } });
    const error: unknown = await insights.create(INPUTS).catch((problem: unknown) => problem);
    const recorded = failureIn(error);
    expect(emulator.find("insight")).not.toMatchObject([{ description: "ours" }]);
    emulator.faults.clear();
    const news = { ...INPUTS, name: "Sign-ups" };
    const state = await (await next()).update(recorded?.id ?? "", recorded?.properties ?? {}, news);
    expect(emulator.find("insight")).toMatchObject([{ name: "Sign-ups", description: "ours" }]);
    // Only once.
    emulator.edit("insight", Number(recorded?.id), { description: "theirs" });
    await (await next()).update(recorded?.id ?? "", state, { ...news, name: "Signups" });
    expect(emulator.find("insight")).toMatchObject([{ name: "Signups", description: "theirs" }]);
  });
});
