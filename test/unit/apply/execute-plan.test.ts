import { describe, expect, it } from "vitest";
import { executePlan } from "../../../src/apply/execute-plan.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { apiError, change, INSIGHTS, lost, world } from "./support.ts";
import { updatingDomain } from "./written.ts";

describe("a run with callbacks", () => {
  it("reports the state of every change at any moment", async () => {
    const given = world();
    given.add("insights", { name: "same" });
    const [live] = given.live("insight", INSIGHTS.scope);
    const seen: string[][] = [];
    let now: () => readonly Outcome[] = () => [];
    const look = (): void => void seen.push(now().map(({ status, requests }) => `${status} ${String(requests)}`));
    given.on("domains.create", (serve) => {
      look();
      return serve();
    });
    const changes = [change("domain", { domain: "a.com" }), change("insight", { name: "same" }, { ...INSIGHTS, live })];
    for (const list of ["acme domain", "acme/projects/web insight"])
      given.lists.set(list, { status: "known", objects: [] });
    const plan = {
      summary: {} as never,
      options: { prune: false, only: [], rotate: [] },
      changes,
      unmanaged: [],
      diagnostics: [],
    };
    await executePlan(plan, {
      ...given.context(),
      onBegin: (soFar) => {
        now = soFar;
        look();
      },
    });
    look();
    expect(seen).toEqual([
      ["skipped 0", "unchanged 0"],
      ["unknown 2", "unchanged 0"],
      ["applied 2", "unchanged 0"],
    ]);
  });

  it("reports a change that has only read so far as not begun", async () => {
    const { given, update } = updatingDomain();
    const seen: string[] = [];
    let now: () => readonly Outcome[] = () => [];
    for (const operation of ["domains.get", "domains.update"])
      given.on(operation, (serve) => {
        seen.push(...now().map(({ status }) => status));
        return serve();
      });
    const options = { prune: false, only: [], rotate: [] };
    const plan = { summary: {} as never, options, changes: [update], unmanaged: [], diagnostics: [] };
    await executePlan(plan, { ...given.context(), onBegin: (soFar) => (now = soFar) });
    expect(seen).toEqual(["skipped", "unknown"]);
  });

  it("waits after a failed list before it reads the list again", async () => {
    const given = world();
    given.on("domains.create", () => Promise.reject(lost("domains.create")));
    given.on("domains.list", () => Promise.reject(apiError("domains.list", {})));
    await given.apply(change("domain", { domain: "a.com" }));
    // The pause after the failure is over by the time the list is asked for again.
    expect(given.clock.slept.slice(0, 2)).toEqual([500, 4_500]);
  });

  it("waits with a signal, so an interruption can end it", async () => {
    const given = world();
    const signals: unknown[] = [];
    const { clock } = given;
    const sleep = clock.sleep.bind(clock);
    clock.sleep = (ms, signal) => {
      signals.push(signal);
      return sleep(ms);
    };
    given.on("domains.create", () => Promise.reject(lost("domains.create")));
    given.on("domains.list", () => Promise.reject(apiError("domains.list", {})));
    await given.apply(change("domain", { domain: "a.com" }));
    expect(signals.length).toBeGreaterThan(5);
    expect(new Set(signals)).toEqual(new Set([given.abort.signal]));
  });
});
