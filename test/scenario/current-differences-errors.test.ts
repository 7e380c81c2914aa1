/** What answers of today's service mean that meant something else before. A test is named by the row that it is about. */
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/api/limits/clock.ts";
import { applyJson, NOOP, outcomeOf, web } from "../support/acme.ts";
import { SQL } from "../support/queries.ts";
import { ACME, today, writes } from "../support/today.ts";
import { workspace } from "../support/workspace.ts";

const INSIGHT = "acme/projects/web/insights/i";
const EXPORT = "0190aa11-0000-4000-8000-00000000000e";
const clock = { ...systemClock, sleep: () => Promise.reject(new Error("it waits")) };

describe("errors and the like", () => {
  it("402 expected for plan limits: a setting that needs a plan is a 400", async () => {
    const space = await today({ enforce_2fa: true }, { switches: { plan_limits: true } });
    const { status, error } = outcomeOf(await applyJson(space), "acme");
    expect([status, error?.code]).toEqual(["failed", "payment_required"]);
    expect(writes(space)).toMatchObject([{ status: 400 }]);
  });

  it.each([
    ["limit_exceeded", "Resource limit exceeded.", "allows no more"],
    ["payment_required", "You must upgrade your plan.", "paid plan"],
  ])("402 expected for plan limits: with the code %s it is told by the code", async (code, detail, said) => {
    const space = await workspace({ dialect: "current" });
    await space.configure(web({ insights: { i: { name: "I", query: SQL } } }));
    const text = JSON.stringify({ type: "validation_error", code, detail, attr: null });
    space.emulator.faults.add({ method: "POST", fault: { type: "answer", status: 402, text } });
    const { status, error } = outcomeOf(await applyJson(space), INSIGHT);
    expect([status, error?.code, error?.hint]).toEqual(["failed", code, expect.stringContaining(said)]);
    expect(writes(space)).toHaveLength(1);
  });

  it.each([
    ["it is being deleted", { is_pending_deletion: true }],
    ["it is deactivated", { is_active: false }],
    ["it admits verified domains only", { enforce_verified_domains: true }],
  ])("403 = scope or rights: not if the organization says that %s", async (_name, state) => {
    const space = await workspace({ dialect: "current" });
    space.emulator.edit("organization", ACME, state);
    const { code, stderr } = await space.run(["call", "domains.list", `organization_id=${ACME}`]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("answered 403");
    expect(stderr).not.toContain("organization:read");
  });

  it("403 = scope or rights: not if a service takes no filters any more", async () => {
    const space = await workspace({ dialect: "current" });
    await space.configure(web({ insights: { i: { name: "I", filters: { insight: "TRENDS" } } } }));
    const { error } = outcomeOf(await applyJson(space), INSIGHT);
    expect([error?.code, error?.hint]).toEqual([expect.any(String), expect.not.stringContaining("insight:write")]);
  });

  it("429 = wait: only if time helps", async () => {
    const space = await workspace({ dialect: "current", switches: { backfill_limit: 0 } });
    space.emulator.insert("batch_export", { project: 2 }, { id: EXPORT, name: "E", destination: NOOP });
    const call = (name: string, ...more: readonly string[]) =>
      space.run(["call", `project_batch_exports.${name}`, "project_id=2", `id=${EXPORT}`, ...more], {
        runtime: { clock },
      });
    const full = await call("create_backfill", "start_at=2026-01-01T00:00:00Z", "--yes");
    expect(full.stderr).toContain("too_many_concurrent_backfills");
    expect(writes(space)).toHaveLength(1);
    space.emulator.faults.add({ method: "GET", fault: { type: "throttle", retryAfter: 1 } });
    expect((await call("get")).stderr).toContain("it waits");
  });

  it("unknown live field = ignore: a replace does not lose it", async () => {
    const space = await workspace({ dialect: "current" });
    const live = { name: "I", interval: "hour", destination: NOOP };
    space.emulator.insert("batch_export", { project: 2 }, { id: EXPORT, ...live });
    space.emulator.setLaterFields("batch_exports", { retention_days: { value: 30, write: "kept" } });
    await space.configure(web({ batch_exports: { i: { ...live, model: "persons" } } }));
    await space.apply();
    expect(writes(space)[0]).toMatchObject({ method: "POST", body: { model: "persons", retention_days: 30 } });
  });
});
