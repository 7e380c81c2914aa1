/** A saved plan whose objects cannot be read any more is not stale: the reason is that of the read. */
import { assert, asyncProperty, constantFrom, nat, record } from "fast-check";
import { expect, it } from "vitest";
import type { Fault } from "../../src/emulator/index.ts";
import { ACME } from "../support/acme.ts";
import { budget } from "../support/budget.ts";
import { outcomesOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { linesWith } from "../support/normalized.ts";
import { config, saved, saml, writes } from "../support/saved-plan.ts";
import { instantClock } from "../fault/support.ts";

const EXPIRED = { DRIFTLINE_API_KEY: "phx_expired" };
const unpinned = { driftline: 1, organizations: { acme: { name: "Acme Inc", domains: { a: saml("a.acme.com") } } } };
const pruning = config({ exclusive: ["domains"] });
const failing = (status: number): Fault => ({ type: "status", status });
const runtime = { clock: instantClock() };

describeDialects("a saved plan that is applied", () => {
  it.each([
    ["a pinned organization", config(), []],
    ["an organization that is found by its name", unpinned, []],
    ["removals", pruning, ["--prune"]],
  ])("with an expired key ends with 11: %s", async (_name, configuration, args) => {
    const space = await saved(configuration, args);
    const result = await space.apply([], EXPIRED);
    expect(result.code, result.stdout + result.stderr).toBe(11);
    expect(result.stdout + result.stderr).not.toContain("stale");
    expect(writes(space)).toEqual([]);
  });

  it.each([
    ["an update", config(), []],
    ["a removal", config({ domains: {}, exclusive: ["domains"] }), ["--prune"]],
  ])("while a list cannot be read ends with 1: %s", async (_name, configuration, args) => {
    const space = await saved(configuration, args);
    space.emulator.faults.add({ method: "GET", path: "/domains", fault: failing(500) });
    const options = ["apply", "--plan", "plan.json", "--yes", "--format", "json"];
    const result = await space.run(options, { runtime });
    expect(result.code, result.stdout + result.stderr).toBe(1);
    const tried = outcomesOf(result).changes.filter(({ action }) => action !== "no_op");
    expect(tried.map(({ status, error }) => [status, error?.code])).toEqual(tried.map(() => ["skipped", "unreadable"]));
    expect(tried.length).toBeGreaterThan(0);
    expect(writes(space)).toEqual([]);
  });

  it("writes nothing if a part of it cannot be read, and is applied later", async () => {
    const space = await saved(config({ enforce_2fa: true }));
    space.emulator.faults.add({ method: "GET", path: "/domains", fault: failing(500) });
    const options = ["apply", "--plan", "plan.json", "--yes"];
    const result = await space.run(options, { runtime });
    expect(result.code).toBe(1);
    expect(linesWith(result.stderr, "could not be read")).toMatchSnapshot();
    expect(writes(space)).toEqual([]);
    space.emulator.faults.clear();
    expect((await space.run(options)).code).toBe(0);
  });

  it("with a key that expires while the question is asked ends with 11", async () => {
    const space = await saved();
    const ask = async (): Promise<string> => {
      space.emulator.faults.add({ fault: failing(401) });
      return Promise.resolve("yes");
    };
    const result = await space.run(["apply", "--plan", "plan.json"], {
      runtime: { ...runtime, interactive: true, ask },
    });
    expect(result.code, result.stdout + result.stderr).toBe(11);
    expect(writes(space)).toEqual([]);
  });

  it("is never stale if the service only fails to answer", async () => {
    const faults = record({
      status: constantFrom(401, 403, 404, 429, 500, 503),
      path: constantFrom(/domains/, /organizations\/?$/, /insights/, ACME),
      nth: nat(3),
      times: constantFrom(1, 99),
    });
    await assert(
      asyncProperty(faults, async ({ status, path, nth, times }) => {
        const insights = { projects: { web: { id: "2", insights: { s: { name: "Signups", description: "new" } } } } };
        const space = await saved(config({ ...insights, exclusive: ["domains"] }), ["--prune"]);
        space.emulator.faults.add({ method: "GET", path, nth: nth + 1, times, fault: failing(status) });
        const leaves = "the fault may hit a later read";
        const result = await space.run(["apply", "--plan", "plan.json", "--yes"], { runtime, leaves });
        expect(result.stdout + result.stderr).not.toContain("stale_plan");
      }),
      { numRuns: budget(100) },
    );
  });
});
