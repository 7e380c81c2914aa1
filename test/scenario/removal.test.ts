import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { numbered, seedOf, config, domains, stored, one, writes, planJson, applyJson } from "../support/acme.ts";
import { outcomesOf, planOf } from "../support/cli.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** An organization with 3 domains, one of them declared. */
async function exclusive(more: object = {}): Promise<Workspace> {
  const space = await workspace({ seed: seedOf({ domains: numbered(3).map((domain) => ({ domain })) }) });
  await space.configure(config({ exclusive: ["domains"], domains: domains(["d0.acme.com"]), ...more }));
  return space;
}

describeDialects("removal", () => {
  it("state: absent deletes, and is a no-op from then on", async () => {
    const space = await workspace({
      seed: seedOf({ domains: [{ domain: "d0.acme.com" }, { domain: "d1.acme.com" }] }),
    });
    await space.configure(config({ domains: domains(["d0.acme.com"], { state: "absent" }) }));
    expect((await space.drift()).code).toBe(2);
    await space.apply();
    expect(stored(space, "domain", "domain")).toEqual(["d1.acme.com"]);
    space.emulator.clearRequests();
    await space.apply();
    expect(writes(space)).toEqual([]);
    const { code, document } = await space.drift();
    // That the entry has done its work is said quietly.
    expect([code, document.diagnostics, document.changes.map(({ removable }) => removable)]).toEqual([
      0,
      [],
      [undefined, "state"],
    ]);
    for (const format of ["text", "markdown", "html"])
      expect((await space.run(["plan", "--format", format])).stdout).toContain("has no effect on this service");
    space.emulator.faults.add({ method: "GET", path: "/domains", fault: { type: "status", status: 403 } });
    expect(JSON.stringify((await space.drift()).document.changes)).not.toContain("removable");
  });

  it("undeclared objects of an exclusive kind are always listed as deletes, blocked without --prune, and make drift exit 2", async () => {
    const space = await exclusive();
    const { changes, summary } = planOf(await planJson(space));
    expect(summary).toMatchObject({ delete: 2, blocked: 2 });
    expect(changes.filter(({ action }) => action === "delete").map(({ blocked }) => blocked)).toEqual([
      { rule: "prune", lift: "`driftline apply --prune`", command: ["driftline", "apply", "--prune"] },
      { rule: "prune", lift: "`driftline apply --prune`", command: ["driftline", "apply", "--prune"] },
    ]);
    expect((await space.drift()).code).toBe(2);
    expect((await applyJson(space)).code).toBe(13);
    expect(writes(space)).toEqual([]);
    await space.apply(["--prune"]);
    expect(stored(space, "domain", "domain")).toEqual(["d0.acme.com"]);
    expect((await space.drift()).code).toBe(0);
  });
});

describeDialects("a delete needs more than being declared", () => {
  /** What is declared, so that `removed` of `live` domains are pruned. */
  const undeclared = (live: number, removed: number): object => ({
    domains: domains(numbered(live).slice(removed)),
    exclusive: ["domains"],
  });
  const absent = (_live: number, removed: number): object => ({
    domains: domains(numbered(removed), { state: "absent" }),
  });

  it.each<[string, (live: number, removed: number) => object, number, number, boolean]>([
    ["pruned, 1 of 1: nothing would be left", undeclared, 1, 1, true],
    ["pruned, 2 of 20, a tenth", undeclared, 20, 2, false],
    ["declared absent, 6 of 10, more than a half", absent, 10, 6, true],
  ])(
    "too many deletes are blocked unless the hash is approved: %s",
    async (_name, declared, live, removed, isRefused) => {
      const space = await workspace({ seed: seedOf({ domains: numbered(live).map((domain) => ({ domain })) }) });
      await space.configure(config({ enforce_2fa: true, name: "Acme Inc", ...declared(live, removed) }));
      const { hash } = planOf(await planJson(space, "--prune"));
      // The rest is written: what the organization enforces waits for no removal.
      const first = await applyJson(space, "--prune");
      expect(first.code).toBe(isRefused ? 14 : 0);
      const held = outcomesOf(first).changes.flatMap(({ blocked }) => blocked?.command ?? []);
      // The hash approves nothing any more.
      expect(new Set(held)).toEqual(new Set(isRefused ? ["driftline", "plan"] : []));
      expect(one(space.emulator.find("organization"))["enforce_2fa"]).toBe(true);
      expect(stored(space, "domain", "domain")).toHaveLength(isRefused ? live : live - removed);
      if (!isRefused) return;
      const before = writes(space);
      expect(before.filter((write) => !write.startsWith("PATCH organizations/"))).toEqual([]);
      expect((await applyJson(space, "--prune", "--approve", hash)).code).toBe(13);
      expect(writes(space)).toEqual(before);
      const rest = planOf(await planJson(space, "--prune"));
      expect((await applyJson(space, "--prune")).code).toBe(13);
      expect((await applyJson(space, "--prune", "--approve", rest.hash)).code).toBe(0);
      expect(stored(space, "domain", "domain")).toHaveLength(live - removed);
    },
  );

  it("the approval is for one plan: another one needs another", async () => {
    const space = await workspace({ seed: seedOf({ domains: numbered(25).map((domain) => ({ domain })) }) });
    await space.configure(config({ domains: domains(numbered(21), { state: "absent" }) }));
    const { hash } = planOf(await planJson(space));
    await space.configure(config({ domains: domains(numbered(22), { state: "absent" }) }));
    expect((await applyJson(space, "--approve", hash)).code).toBe(13);
    expect(writes(space)).toEqual([]);
  });
});
