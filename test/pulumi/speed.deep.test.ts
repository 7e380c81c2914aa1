import { expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { createClient } from "../../src/api/client.ts";
import { systemClock } from "../../src/api/limits/clock.ts";
import { createRedactor } from "../../src/api/redact/redact.ts";
import { describeEngine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import type { Deployment } from "./support/stack.ts";

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

describeEngine("a refresh", (_dialect, { createStack }) => {
  it(`of ${String(COUNT)} insights reads pages, not objects`, { timeout: 300_000 }, async () => {
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
