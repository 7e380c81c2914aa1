import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import {
  ACME,
  VERIFIED,
  NOOP,
  QUERY,
  numbered,
  seedOf,
  config,
  web,
  domains,
  stored,
  one,
  writes,
  changeOf,
  outcomeOf,
  planJson,
  applyJson,
} from "../support/acme.ts";
import { outcomesOf, planOf } from "../support/cli.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** An organization with 3 domains, one of them declared. */
async function exclusive(more: object = {}): Promise<Workspace> {
  const space = await workspace({ seed: seedOf({ domains: numbered(3).map((domain) => ({ domain })) }) });
  await space.configure(config({ exclusive: ["domains"], domains: domains(["d0.acme.com"]), ...more }));
  return space;
}

describeDialects("removal", () => {
  it("undeclared objects are kept and counted as unmanaged; --unmanaged lists them", async () => {
    const space = await workspace({ seed: seedOf({ domains: numbered(3).map((domain) => ({ domain })) }) });
    await space.configure(config({ domains: domains(["d0.acme.com"]) }));
    const document = planOf(await planJson(space, "--prune"));
    expect(document.summary).toMatchObject({ delete: 0, unmanaged: 2 });
    expect(document.unmanaged.map(({ kind, key }) => [kind, key])).toEqual([
      ["domain", "d1.acme.com"],
      ["domain", "d2.acme.com"],
    ]);
    expect((await space.run(["plan"])).stdout).not.toContain("d1.acme.com");
    expect((await space.run(["plan", "--unmanaged"])).stdout).toContain("d1.acme.com");
    expect((await space.drift()).code).toBe(0);
    await space.apply(["--prune"]);
    expect(writes(space)).toEqual([]);
  });

  it("taking a key out of the configuration sends nothing", async () => {
    const space = await exclusive();
    await space.configure(config({}));
    await space.apply(["--prune"]);
    expect(writes(space)).toEqual([]);
  });

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

  it("an absent insight is deleted by a flag, so that it can be restored", async () => {
    const space = await workspace({ seed: seedOf({}, { insights: [{ id: 7, name: "Signups" }] }) });
    await space.configure(web({ insights: { signups: { name: "Signups", lifecycle: { state: "absent" } } } }));
    await space.apply();
    expect(writes(space)).toEqual(["PATCH projects/2/insights/7"]);
    expect(one(space.emulator.find("insight"))["deleted"]).toBe(true);
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

  it("an exclusive kind prunes in its own scope only", async () => {
    const exports = (name: string) => [{ name, destination: NOOP }];
    const space = await workspace({
      seed: {
        organizations: [
          {
            id: ACME,
            name: "Acme Inc",
            batch_exports: exports("Own"),
            projects: [
              { id: 2, name: "Web", batch_exports: [...exports("Kept"), ...exports("Web")] },
              { id: 3, name: "Shop", batch_exports: exports("Shop") },
            ],
          },
        ],
      },
    });
    const kept = { name: "Kept", interval: "hour", destination: NOOP };
    await space.configure(web({ exclusive: ["batch_exports"], batch_exports: { kept } }));
    await space.apply(["--prune"]);
    expect(stored(space, "batch_export")).toEqual(["Kept", "Own", "Shop"]);
  });

  it("an exclusive kind of the organization does not prune a resource of its project", async () => {
    const space = await workspace({ seed: seedOf({}, { batch_exports: [{ name: "Web", destination: NOOP }] }) });
    await space.configure(
      config({
        exclusive: ["batch_exports"],
        projects: { web: { id: "2", batch_exports: { web: { name: "Web", interval: "hour", destination: NOOP } } } },
      }),
    );
    expect(planOf(await planJson(space)).summary).toMatchObject({ delete: 0, unmanaged: 0 });
  });

  it("lifecycle.forget leaves an object alone and exempts it from pruning", async () => {
    const space = await exclusive({
      domains: {
        ...domains(["d0.acme.com"]),
        kept: { domain: "d1.acme.com", sso_enforcement: "google-oauth2", lifecycle: { forget: true } },
      },
    });
    await space.apply(["--prune"]);
    expect(writes(space)).toEqual(["DELETE organizations/:id/domains/:id"]);
    expect(stored(space, "domain", "domain")).toEqual(["d0.acme.com", "d1.acme.com"]);
  });

  it("a forgotten object that is not there is not created", async () => {
    const space = await workspace({ seed: seedOf() });
    await space.configure(config({ domains: domains(["d0.acme.com"], { forget: true }) }));
    await space.apply();
    expect(writes(space)).toEqual([]);
  });
});

describeDialects("a delete needs more than being declared", () => {
  it("protect always blocks a delete: 13, regardless of other options", async () => {
    const space = await workspace({ seed: seedOf({ domains: [{ domain: "d0.acme.com" }] }) });
    await space.configure(config({ domains: domains(["d0.acme.com"], { state: "absent", protect: true }) }));
    const planned = await planJson(space);
    expect(planned.code).toBe(13);
    expect(changeOf(planned, "acme/domains/d0-acme-com")).toMatchObject({
      action: "delete",
      blocked: { rule: "protect" },
    });
    expect((await applyJson(space, "--prune", "--approve", planOf(await planJson(space, "--prune")).hash)).code).toBe(
      13,
    );
    expect(writes(space)).toEqual([]);
  });

  it("protect blocks a replace: 13, and neither of the two objects is changed", async () => {
    const space = await workspace({ seed: seedOf({}, { batch_exports: [{ name: "Events", destination: NOOP }] }) });
    await space.configure(
      web({
        batch_exports: {
          events: {
            name: "Events",
            interval: "hour",
            destination: { type: "HTTP", config: { url: "https://x.example" } },
            lifecycle: { protect: true },
          },
        },
      }),
    );
    expect(changeOf(await planJson(space), "acme/projects/web/batch_exports/events")).toMatchObject({
      action: "replace",
      blocked: { rule: "protect" },
    });
    expect((await applyJson(space)).code).toBe(13);
    expect((await space.run(["apply", "--yes", "--prune", "--approve", planOf(await planJson(space)).hash])).code).toBe(
      13,
    );
    expect(writes(space)).toEqual([]);
  });

  /** What is declared, so that `removed` of `live` domains are pruned. */
  const undeclared = (live: number, removed: number): object => ({
    domains: domains(numbered(live).slice(removed)),
    exclusive: ["domains"],
  });
  const absent = (_live: number, removed: number): object => ({
    domains: domains(numbered(removed), { state: "absent" }),
  });

  it.each<[string, (live: number, removed: number) => object, number, number, boolean]>([
    ["pruned, 5 of 6", undeclared, 6, 5, false],
    ["pruned, 1 of 1: nothing would be left", undeclared, 1, 1, true],
    ["pruned, 6 of 7", undeclared, 7, 6, true],
    ["pruned, 2 of 9, which are too few to have a share", undeclared, 9, 2, false],
    ["pruned, 1 of 10, a tenth", undeclared, 10, 1, false],
    ["pruned, 2 of 10, more than a tenth", undeclared, 10, 2, true],
    ["pruned, 2 of 20, a tenth", undeclared, 20, 2, false],
    ["declared absent, 9 of 9", absent, 9, 9, false],
    ["declared absent, 5 of 10, a half", absent, 10, 5, false],
    ["declared absent, 6 of 10, more than a half", absent, 10, 6, true],
    ["declared absent, 20 of 40", absent, 40, 20, false],
    ["declared absent, 21 of 42", absent, 42, 21, true],
  ])(
    "too many deletes are blocked unless the hash is approved: %s",
    async (_name, declared, live, removed, isRefused) => {
      const space = await workspace({ seed: seedOf({ domains: numbered(live).map((domain) => ({ domain })) }) });
      await space.configure(config({ enforce_2fa: true, name: "Acme Inc", ...declared(live, removed) }));
      const { hash } = planOf(await planJson(space, "--prune"));
      // The rest is written: what the organization enforces waits for no removal.
      expect((await applyJson(space, "--prune")).code).toBe(isRefused ? 14 : 0);
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

  it("replaces count towards the limit", async () => {
    const names = numbered(6);
    const space = await workspace({
      seed: seedOf({}, { batch_exports: names.map((name) => ({ name, destination: NOOP })) }),
    });
    const destination = { type: "HTTP", config: { url: "https://x.example" } };
    await space.configure(
      web({
        batch_exports: Object.fromEntries(
          names.map((name, index) => [`e${String(index)}`, { name, interval: "hour", destination }]),
        ),
      }),
    );
    expect((await applyJson(space)).code).toBe(13);
    expect(writes(space)).toEqual([]);
  });

  it("the approval is for one plan: another one needs another", async () => {
    const space = await workspace({ seed: seedOf({ domains: numbered(25).map((domain) => ({ domain })) }) });
    await space.configure(config({ domains: domains(numbered(21), { state: "absent" }) }));
    const { hash } = planOf(await planJson(space));
    await space.configure(config({ domains: domains(numbered(22), { state: "absent" }) }));
    expect((await applyJson(space, "--approve", hash)).code).toBe(13);
    expect(writes(space)).toEqual([]);
  });

  it("an object that has changed since it was seen is not deleted", async () => {
    const space = await workspace({ seed: seedOf({ domains: numbered(2).map((domain) => ({ domain })) }) });
    await space.configure(config({ exclusive: ["domains"], domains: domains(numbered(2).slice(1)) }));
    const stale = space.emulator.faults.add({
      method: "GET",
      path: /\/domains\/[0-9a-f-]{36}/,
      fault: { type: "mask-field", field: "domain", mask: "renamed.acme.com" },
    });
    const result = await applyJson(space, "--prune");
    expect(result.code).toBe(12);
    expect(stale.hits).toBe(1);
    expect(stored(space, "domain", "domain")).toEqual(numbered(2));
  });

  it("a delete confirms with a GET that the object exists, if its kind has one", async () => {
    const space = await exclusive();
    const gone = space.emulator
      .find("domain", (object) => object["domain"] !== "d0.acme.com")
      .map(({ id }) => String(id));
    await space.apply(["--prune"]);
    for (const id of gone) {
      const calls = space.emulator.requests.filter(({ path }) => path.includes(id)).map(({ method }) => method);
      expect(calls).toEqual(["GET", "DELETE"]);
    }
  });

  it("an object that a blocked create looks like is not pruned", async () => {
    const space = await workspace({ seed: seedOf({}, { insights: [{ id: 7, name: "Signups", query: QUERY }] }) });
    await space.configure(web({ exclusive: ["insights"], insights: { signups: { name: "Sign-ups", query: QUERY } } }));
    expect((await applyJson(space, "--prune")).code).toBe(13);
    expect(stored(space, "insight")).toEqual(["Signups"]);
  });
});

describeDialects("order", () => {
  it("nothing is deleted after a failure", async () => {
    const space = await workspace({
      seed: seedOf({ domains: numbered(2).map((domain) => ({ domain, ...VERIFIED })) }),
    });
    space.emulator.faults.add({ method: "PATCH", fault: { type: "status", status: 403 } });
    await space.configure(
      config({
        domains: {
          keep: { domain: "d0.acme.com", sso_enforcement: "google-oauth2" },
          go: { domain: "d1.acme.com", lifecycle: { state: "absent" } },
        },
      }),
    );
    const result = await applyJson(space);
    expect(result.code).toBe(11);
    expect(outcomeOf(result, "acme/domains/go")).toMatchObject({ status: "skipped", error: { code: "not_removed" } });
    expect(stored(space, "domain", "domain")).toEqual(["d0.acme.com", "d1.acme.com"]);
    expect(writes(space).some((line) => line.startsWith("DELETE"))).toBe(false);
  });

  it("a failure skips the changes that depend on it, and independent ones go on: 14", async () => {
    const space = await workspace({ seed: seedOf({ domains: [{ domain: "d0.acme.com", ...VERIFIED }] }) });
    space.emulator.faults.add({ method: "POST", path: /\/organizations\/?$/, fault: { type: "status", status: 403 } });
    const beta = { name: "Beta", lifecycle: { create: true }, domains: domains(["beta.com"]) };
    await space.configure({
      driftline: 1,
      organizations: {
        acme: { id: ACME, domains: { a: { domain: "d0.acme.com", sso_enforcement: "google-oauth2" } } },
        beta,
      },
    });
    const result = await applyJson(space);
    expect(result.code).toBe(14);
    expect(outcomesOf(result).changes.map(({ address, status }) => [address, status])).toEqual([
      ["acme", "applied"],
      ["beta", "failed"],
      ["acme/domains/a", "applied"],
      ["beta/domains/beta-com", "skipped"],
    ]);
  });

  it("a rename comes before the create that takes its former name, deletes come last", async () => {
    const space = await workspace({
      seed: seedOf({ domains: [{ domain: "gone.com" }] }, { insights: [{ id: 7, name: "Signups" }] }),
    });
    await space.configure(
      config({
        domains: domains(["gone.com"], { state: "absent" }),
        projects: {
          web: {
            id: "2",
            insights: { a: { id: 7, name: "Sign-ups" }, b: { name: "Signups", lifecycle: { create: true } } },
          },
        },
      }),
    );
    await space.apply();
    expect(writes(space)).toEqual([
      "PATCH projects/2/insights/7",
      "POST projects/2/insights",
      "DELETE organizations/:id/domains/:id",
    ]);
    expect(stored(space, "insight")).toEqual(["Sign-ups", "Signups"]);
  });
});
