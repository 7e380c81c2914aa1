import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import {
  NOOP,
  QUERY,
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
import { planOf } from "../support/cli.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace } from "../support/workspace.ts";

describeDialects("an organization", () => {
  const beta = (lifecycle: object): object => ({ driftline: 1, organizations: { beta: { name: "Beta", lifecycle } } });

  it.each([
    ["without the option", []],
    ["with another name", ["--confirm-organization", "Beta Corp"]],
    ["with its id", ["--confirm-organization", "0190aa11-0000-4000-8000-00000000000b"]],
  ])("is never deleted unless its name is typed: %s is 13", async (_name, args) => {
    const space = await workspace({
      seed: { organizations: [{ name: "Acme Inc" }, { id: "0190aa11-0000-4000-8000-00000000000b", name: "Beta" }] },
    });
    await space.configure(beta({ state: "absent" }));
    expect((await planJson(space)).code).toBe(0);
    expect((await applyJson(space, ...args)).code).toBe(13);
    expect(writes(space)).toEqual([]);
  });

  it("is deleted if its name is typed", async () => {
    const space = await workspace({ seed: { organizations: [{ name: "Acme Inc" }, { name: "Beta" }] } });
    await space.configure(beta({ state: "absent" }));
    const { code, stdout } = await space.run(["apply", "--yes", "--confirm-organization", "Beta"]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("blocked");
    expect(stored(space, "organization")).toEqual(["Acme Inc"]);
  });

  it("is created only with lifecycle.create: a mistyped name creates neither an organization nor its children", async () => {
    const space = await workspace({ seed: seedOf() });
    await space.configure({
      driftline: 1,
      organizations: { acme: { name: "Acme inc", domains: domains(["acme.com"]) } },
    });
    const planned = await planJson(space);
    expect(planned.code).toBe(13);
    expect(planOf(planned).changes.map(({ action, blocked }) => [action, blocked?.rule])).toEqual([
      ["create", "organization_create"],
      ["create", "parent"],
    ]);
    expect((await applyJson(space)).code).toBe(13);
    expect(writes(space)).toEqual([]);
  });

  it("is created with its children in the same apply", async () => {
    const space = await workspace({ seed: seedOf() });
    const people = { memberships: { "eve@beta.com": { level: "admin" } } };
    await space.configure({
      driftline: 1,
      organizations: {
        beta: {
          name: "Beta",
          enforce_2fa: true,
          lifecycle: { create: true },
          domains: domains(["beta.com"]),
          ...people,
        },
      },
    });
    const result = await applyJson(space);
    expect(result.code).toBe(0);
    expect(stored(space, "organization")).toEqual(["Acme Inc", "Beta"]);
    const founded = one(space.emulator.find("organization", ({ name }) => name === "Beta"));
    expect(founded["enforce_2fa"]).toBe(true);
    expect(one(space.emulator.find("domain"))["organization_id"]).toBe(founded.id);
    expect(one(space.emulator.find("invite"))).toMatchObject({
      organization_id: founded.id,
      target_email: "eve@beta.com",
    });
    expect((await space.drift()).code).toBe(0);
  });

  it("with only an id is just a scope", async () => {
    const space = await workspace({ seed: seedOf() });
    await space.configure(config({}));
    expect(planOf(await planJson(space)).summary).toMatchObject({ update: 0, create: 0 });
    await space.configure({ driftline: 1, organizations: { gone: { id: "0190aa11-0000-4000-8000-0000000000ff" } } });
    expect((await applyJson(space)).code).toBe(1);
    expect(writes(space)).toEqual([]);
  });
});

describeDialects("identity", () => {
  it("a missing pinned insight is restored, and changed to the declared values", async () => {
    const space = await workspace({
      seed: seedOf({}, { insights: [{ id: 7, name: "Signups", description: "old", deleted: true }] }),
    });
    await space.configure(web({ insights: { signups: { id: 7, name: "Signups", description: "new" } } }));
    expect(changeOf(await planJson(space), "acme/projects/web/insights/signups")).toMatchObject({
      action: "restore",
      id: "7",
    });
    await space.apply();
    expect(one(space.emulator.find("insight"))).toMatchObject({ id: 7, deleted: false, description: "new" });
    expect((await space.drift()).code).toBe(0);
  });

  it("a pinned insight that cannot be restored is a failure: no other one is made", async () => {
    const space = await workspace({ seed: seedOf() });
    await space.configure(web({ insights: { signups: { id: 99, name: "Signups" } } }));
    const result = await applyJson(space);
    expect(result.code).toBe(1);
    expect(outcomeOf(result, "acme/projects/web/insights/signups")).toMatchObject({
      action: "restore",
      status: "failed",
    });
    expect(stored(space, "insight")).toEqual([]);
  });

  it("an insight that is not pinned does not come back from the deleted: it is a new one", async () => {
    const space = await workspace({ seed: seedOf({}, { insights: [{ id: 7, name: "Signups", deleted: true }] }) });
    await space.configure(web({ insights: { signups: { name: "Signups" } } }));
    await space.apply();
    expect(space.emulator.find("insight").map(({ deleted }) => deleted)).toEqual([true, false]);
  });

  it("two live objects with one natural key are an error that lists both ids and asks for a pin", async () => {
    const space = await workspace({
      seed: seedOf(
        {},
        {
          insights: [
            { id: 7, name: "Signups" },
            { id: 8, name: "Signups" },
          ],
        },
      ),
    });
    await space.configure(web({ insights: { signups: { name: "Signups", description: "x" } } }));
    const result = await applyJson(space);
    expect(result.code).toBe(1);
    expect(linesWith(result.stderr, "ambiguous")).toContain("7, 8");
    expect(linesWith(result.stderr, "ambiguous")).toMatchSnapshot();
    expect(writes(space)).toEqual([]);
  });

  it("renamed_from keeps identity over a rename", async () => {
    const space = await workspace({
      seed: seedOf({}, { insights: [{ id: 7, name: "Signups", query: QUERY }] }),
    });
    await space.configure(
      web({ insights: { signups: { name: "Sign-ups", query: QUERY, lifecycle: { renamed_from: "Signups" } } } }),
    );
    await space.apply();
    expect(one(space.emulator.find("insight"))).toMatchObject({ id: 7, name: "Sign-ups" });
    space.emulator.clearRequests();
    await space.apply();
    expect(writes(space)).toEqual([]);
  });

  it("renamed_from with both names present is an error", async () => {
    const space = await workspace({
      seed: seedOf(
        {},
        {
          insights: [
            { id: 7, name: "Signups" },
            { id: 8, name: "Sign-ups" },
          ],
        },
      ),
    });
    await space.configure(web({ insights: { signups: { name: "Sign-ups", lifecycle: { renamed_from: "Signups" } } } }));
    expect((await applyJson(space)).code).toBe(1);
    expect(writes(space)).toEqual([]);
  });

  it.each<[string, object, number]>([
    ["is refused", {}, 13],
    ["is carried out with lifecycle.create", { lifecycle: { create: true } }, 0],
  ])(
    "a create that equals an unmanaged object in all but its name looks like a forgotten rename: it %s",
    async (_name, lifecycle, code) => {
      const space = await workspace({
        seed: seedOf({}, { insights: [{ id: 7, name: "Signups", query: QUERY, tags: ["growth"] }] }),
      });
      await space.configure(
        web({ insights: { signups: { name: "Sign-ups", query: QUERY, tags: ["growth"], ...lifecycle } } }),
      );
      expect((await planJson(space)).code).toBe(code);
      expect((await applyJson(space)).code).toBe(code);
      expect(stored(space, "insight")).toEqual(code === 0 ? ["Sign-ups", "Signups"] : ["Signups"]);
    },
  );

  it("a batch export of a project is one on both routes", async () => {
    const space = await workspace({
      seed: seedOf({}, { batch_exports: [{ name: "Events", interval: "day", destination: NOOP }] }),
    });
    const id = String(one(space.emulator.find("batch_export")).id);
    const declared = { id, name: "Events", interval: "day", destination: NOOP };
    await space.configure(
      config({
        exclusive: ["batch_exports"],
        batch_exports: { events: declared },
        projects: { web: { id: "2", exclusive: ["batch_exports"] } },
      }),
    );
    expect(planOf(await planJson(space, "--prune")).summary).toMatchObject({ no_op: 2, delete: 0, unmanaged: 0 });
  });

  it("a plugin that the service has moved to another group is the same plugin", async () => {
    const space = await workspace({ dialect: "deployed", seed: seedOf() });
    const sink = { name: "Sink", plugin_type: "source", capabilities: { methods: ["onEvent"] } };
    await space.configure(config({ pipeline_destinations: { sink } }));
    await space.apply();
    const { id } = one(space.emulator.find("pipeline_destination"));
    space.emulator.edit("pipeline_destination", id, { capabilities: { methods: ["processEvent"] } });
    expect(changeOf(await planJson(space), "acme/pipeline_destinations/sink")).toMatchObject({
      action: "update",
      id: String(id),
    });
    await space.apply();
    expect(one(space.emulator.find("pipeline_destination"))["capabilities"]).toEqual({ methods: ["onEvent"] });
  });

  it("a global plugin of another organization never matches and is never pruned", async () => {
    const shared = { name: "Sink", plugin_type: "source", is_global: true, capabilities: { methods: ["onEvent"] } };
    const space = await workspace({
      dialect: "deployed",
      seed: {
        organizations: [...seedOf().organizations, { name: "Other", foreign: true, pipeline_destinations: [shared] }],
      },
    });
    await space.configure(
      config({
        exclusive: ["pipeline_destinations"],
        pipeline_destinations: {
          sink: { name: "Sink", plugin_type: "source", capabilities: { methods: ["onEvent"] } },
        },
      }),
    );
    expect(planOf(await planJson(space, "--prune")).summary).toMatchObject({ create: 1, delete: 0, unmanaged: 0 });
    await space.apply(["--prune"]);
    expect(space.emulator.find("pipeline_destination")).toHaveLength(2);
  });

  it.each<[string, object, number]>([
    ["a number as its key", { 2: {} }, 0],
    ["an id", { web: { id: "2" } }, 0],
    ["a name", { site: { name: "Web" } }, 0],
    ["a key that is its name", { Web: {} }, 0],
    ["an unknown id", { web: { id: "99" } }, 10],
    ["an unknown name", { web: { name: "web" } }, 10],
    ["a project of another organization", { web: { id: "3" } }, 10],
  ])("a project is found by %s", async (_name, projects, code) => {
    const space = await workspace({
      seed: { organizations: [...seedOf().organizations, { name: "Other", projects: [{ id: 3, name: "Shop" }] }] },
    });
    const filled = Object.fromEntries(
      Object.entries(projects).map(([key, project]) => [
        key,
        { ...(project as object), insights: { s: { name: "Signups" } } },
      ]),
    );
    await space.configure(config({ projects: filled }));
    expect((await applyJson(space)).code).toBe(code);
    expect(stored(space, "insight")).toEqual(code === 0 ? ["Signups"] : []);
  });
});

describeDialects("batch exports", () => {
  const declared = (destination: object, more: object = {}): object =>
    web({ batch_exports: { events: { name: "Events", interval: "hour", destination, ...more } } });

  it("are created paused and then unpaused, so that a duplicate could never export", async () => {
    const space = await workspace({ seed: seedOf() });
    await space.configure(declared(NOOP));
    await space.apply();
    const sent = space.emulator.requests.filter(({ method }) => method === "POST");
    expect(
      sent.map(({ method, path }) => `${method} ${path.split("/").findLast((part) => part !== "") ?? ""}`),
    ).toEqual(["POST batch_exports", "POST unpause"]);
    expect(sent[0]?.body).toMatchObject({ paused: true });
    expect(one(space.emulator.find("batch_export"))["paused"]).toBe(false);
  });

  it("that a crash left paused are unpaused by the next apply", async () => {
    const space = await workspace({ seed: seedOf() });
    await space.configure(declared(NOOP));
    space.emulator.faults.add({ path: "unpause", fault: { type: "status", status: 403 }, nth: 1, times: 10 });
    space.emulator.faults.add({ method: "PATCH", fault: { type: "status", status: 403 } });
    expect((await applyJson(space)).code).not.toBe(0);
    expect(one(space.emulator.find("batch_export"))["paused"]).toBe(true);
    const healed = await workspace({
      seed: seedOf({}, { batch_exports: [{ name: "Events", destination: NOOP, paused: true }] }),
    });
    await healed.configure(declared(NOOP));
    expect(changeOf(await planJson(healed), "acme/projects/web/batch_exports/events").fields).toEqual([
      { path: "/paused", prior: true, planned: false },
    ]);
    await healed.apply();
    expect(one(healed.emulator.find("batch_export"))["paused"]).toBe(false);
  });

  it("that are declared paused stay so", async () => {
    const space = await workspace({ seed: seedOf() });
    await space.configure(declared(NOOP, { paused: true }));
    await space.apply();
    expect(writes(space)).toEqual(["POST projects/2/batch_exports"]);
    expect((await space.drift()).code).toBe(0);
  });

  it("of another destination.type are created before the old one is deleted, and unpaused last", async () => {
    const space = await workspace({
      seed: seedOf({}, { batch_exports: [{ name: "Events", destination: NOOP }] }),
    });
    const before = one(space.emulator.find("batch_export")).id;
    await space.configure(declared({ type: "HTTP", config: { url: "https://x.example", token: "t" } }));
    expect(changeOf(await planJson(space), "acme/projects/web/batch_exports/events").action).toBe("replace");
    await space.apply();
    expect(writes(space)).toEqual([
      "POST projects/2/batch_exports",
      "DELETE projects/2/batch_exports/:id",
      "POST projects/2/batch_exports/:id/unpause",
    ]);
    const after = one(space.emulator.find("batch_export"));
    expect(after.id).not.toBe(before);
    expect(after).toMatchObject({ paused: false, destination: { type: "HTTP" } });
    expect((await space.drift()).code).toBe(0);
  });

  it("whose replacement could not be created keep the old one", async () => {
    const space = await workspace({ seed: seedOf({}, { batch_exports: [{ name: "Events", destination: NOOP }] }) });
    space.emulator.faults.add({ method: "POST", fault: { type: "status", status: 403 } });
    await space.configure(declared({ type: "HTTP", config: { url: "https://x.example", token: "t" } }));
    expect((await applyJson(space)).code).toBe(11);
    expect(one(space.emulator.find("batch_export"))).toMatchObject({ paused: false, destination: NOOP });
  });
});
