import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { createClient } from "../../src/api/client.ts";
import { systemClock } from "../../src/api/limits/clock.ts";
import { createRedactor } from "../../src/api/redact/redact.ts";
import { isWhole } from "../support/budget.ts";
import { describeEngine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import type { Deployment, Stack } from "./support/stack.ts";

const COUNT = 1_000;
/** Rows in a requested page. */
const PAGE = 500;

const insights = Array.from({ length: COUNT }, (_, index) => ({
  id: 1_000 + index,
  short_id: `short${String(index).padStart(3, "0")}`,
  name: `Insight ${String(index)}`,
}));

/** The state of one insight, copied for all of them: the test does not measure how long creates take. */
function repeated({ version, deployment }: Deployment): object {
  const { resources = [], ...rest } = deployment;
  const one = resources.find((resource) => String(resource["type"]).endsWith(":Insight")) as JsonObject;
  const others = resources.filter((resource) => resource !== one);
  const copies = insights.map(({ id, name, short_id }) => ({
    ...one,
    urn: String(one["urn"]).replace(/::[^:]*$/, `::insight${String(id)}`),
    id: String(id),
    inputs: { ...(one["inputs"] as JsonObject), name },
    outputs: { ...(one["outputs"] as JsonObject), name, shortId: short_id },
  }));
  return { version, deployment: { ...rest, resources: [...others, ...copies] } };
}

// Counts, like those of test/bench.
describe.runIf(isWhole)("speed", () => {
  describeEngine("a refresh", (_dialect, { createStack }) => {
    it(`of ${String(COUNT)} insights reads pages, not objects`, async () => {
      const stack = await createStack({
        latencyMs: 5,
        seed: { organizations: [{ id: ACME, name: "Acme Inc", projects: [{ id: 2, name: "Web", insights }] }] },
      });
      const { emulator } = stack;
      await stack.declare({ first: { type: "Insight", args: { projectId: 2, name: "Insight 0", adopt: true } } });
      await stack.run("up", "--yes", "--skip-preview");
      await stack.restore(repeated(await stack.deployment()));
      emulator.edit("insight", 1_500, { name: "edited" });

      emulator.clearRequests();
      const started = performance.now();
      const steps = await stack.steps("refresh", "--preview-only");
      const shared = { requests: emulator.requests.length, ms: Math.round(performance.now() - started) };
      expect(steps).toEqual([{ op: "update", name: "insight1500", paths: ["name"] }]);
      expect(shared.requests).toBeLessThanOrEqual(Math.ceil(COUNT / PAGE) + 5);

      // The cost of one read per object, without the engine's own time.
      const client = createClient({
        url: emulator.url,
        key: emulator.key,
        mode: "read",
        profile: "posthog",
        clock: systemClock,
        redactor: createRedactor(),
      });
      const single = performance.now();
      await Promise.all(
        insights.map(({ id }) => client.request("insights.get", { path: { project_id: "2", id: String(id) } })),
      );
      const each = { requests: client.requests(), ms: Math.round(performance.now() - single) };
      await client.close();
      console.log(
        `refresh of ${String(COUNT)} insights: ${String(shared.requests)} requests, ${String(shared.ms)} ms with the engine; one read each: ${String(each.requests)} requests, ${String(each.ms)} ms for the requests alone`,
      );
    });
  });

  describeEngine("an update of 20 insights", (_dialect, { createStack }) => {
    const methods = ({ emulator }: Stack): Readonly<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const { method } of emulator.requests) counts[method] = (counts[method] ?? 0) + 1;
      emulator.clearRequests();
      return counts;
    };

    it("sends one write for each, reads each once at most, and sends nothing if there is no change", async () => {
      const stack = await createStack();
      const up = async (description: string): Promise<Readonly<Record<string, number>>> => {
        const names = Array.from({ length: 20 }, (_, index) => `insight${String(index)}`);
        const args = (name: string): JsonObject => ({ projectId: 2, name, description });
        await stack.declare(Object.fromEntries(names.map((name) => [name, { type: "Insight", args: args(name) }])));
        stack.emulator.clearRequests();
        const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
        expect(code, output).toBe(0);
        return methods(stack);
      };
      // Creates in flight together share a look. On an idle machine it is one for all, beside the list.
      const { GET: reads, ...created } = await up("first");
      expect(created).toEqual({ POST: 20 });
      expect(reads).toBeLessThanOrEqual(7);
      // The check of the key.
      expect(await up("first")).toEqual({ GET: 1 });
      // It, one list for all, and each object once right before it is written.
      expect(await up("second")).toEqual({ GET: 22, PATCH: 20 });
    });
  });
});
