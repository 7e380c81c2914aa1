/** The list of a kind, as `pulumi do` asks the packaged provider for it. */
import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { COMMAND } from "../fault/hostile.ts";
import { leaksIn } from "../support/canary.ts";
import { ACME } from "../support/interface/declare.ts";
import { pluginWorld } from "./support/plugin-world.ts";

const INSIGHTS = Array.from({ length: 1_000 }, (_, index) => ({ name: `Insight ${String(index + 1)}` }));

const acme = (more: object): EmulatorOptions["seed"] => ({ organizations: [{ id: ACME, name: "Acme Inc", ...more }] });

describe("a list", () => {
  it("of 1,000 insights takes the requests of its pages, and no more for parts of it", async () => {
    const insights = [...INSIGHTS, { name: "Gone", deleted: true }];
    const { emulator, plugin } = await pluginWorld({
      maxPageSize: 100,
      seed: acme({ projects: [{ id: 2, name: "Web", insights }] }),
    });
    const all = await plugin.list("Insight", { projectId: "2" });
    expect(all.next).toBe("");
    expect(all.objects.map(({ name }) => name).toSorted()).toEqual(INSIGHTS.map(({ name }) => name).toSorted());
    expect(new Set(all.objects.map(({ id }) => /^2\/\d+$/.test(id)))).toEqual(new Set([true]));
    expect(emulator.requests.length).toBe(10);

    const first = await plugin.list("Insight", { projectId: "2" }, { limit: 700, pageSize: 400 });
    const cut = { limit: 700, pageSize: 400, continuationToken: first.next };
    const second = await plugin.list("Insight", { projectId: "2" }, cut);
    expect([...first.objects, ...second.objects]).toEqual(all.objects.slice(0, 700));
    expect([first.objects.length, second.next]).toEqual([400, ""]);
    expect(emulator.requests.length).toBe(10);
  });

  it("has ids that an import takes, of each kind", async () => {
    const project = { id: 2, name: "Web", insights: [{ name: "Signups" }] };
    const seed = acme({
      domains: [{ domain: "acme.com" }],
      members: [{ email: "ada@acme.com", level: 8 }],
      invites: [{ target_email: "carol@acme.com", level: 1 }],
      pipeline_destinations: [{ name: "Euros", plugin_type: "source", capabilities: { methods: ["onEvent"] } }],
      projects: [project],
    });
    const { plugin } = await pluginWorld({ seed, dialect: "deployed" });
    const wanted = {
      Organization: ["Acme Inc"],
      Domain: ["acme.com"],
      Invite: ["carol@acme.com"],
      Membership: ["ada@acme.com", "carol@acme.com", "owner@example.com"],
      Member: ["ada@acme.com", "owner@example.com"],
      PipelineDestination: ["Euros"],
      Insight: ["Signups"],
      BatchExport: [],
    };
    for (const [type, names] of Object.entries(wanted)) {
      const place = type === "Organization" ? {} : type === "Insight" ? { projectId: "2" } : { organizationId: ACME };
      const { objects } = await plugin.list(type, place);
      expect(objects.map(({ name }) => name).toSorted(), type).toEqual(names);
      for (const { id } of objects) expect((await plugin.read(type, id)).id, `${type} ${id}`).not.toBe("");
    }
  });

  it("has ids that a read takes as an import does, with all fields and without a secret", async () => {
    const config = { bucket_name: "b", region: "eu", prefix: "p/", aws_secret_access_key: "hush-hush-42" };
    const nightly = { name: "Nightly", interval: "day", destination: { type: "S3", config } };
    const seed = acme({
      projects: [{ id: 2, name: "Web", batch_exports: [nightly], insights: [{ name: "Signups" }] }],
    });
    const { plugin } = await pluginWorld({ seed });
    for (const type of ["Insight", "BatchExport"]) {
      const [{ id } = { id: "" }] = (await plugin.list(type, { projectId: "2" })).objects;
      const [read, imported] = [await plugin.read(type, id, {}), await plugin.read(type, id)];
      expect([read.id, read.inputs]).toEqual([imported.id, imported.inputs]);
      expect(Object.keys(read.props).length, type).toBeGreaterThan(Object.keys(imported.props).length - 1);
      expect(leaksIn(JSON.stringify(read.inputs), { secret: "hush-hush-42" })).toEqual([]);
    }
  });

  it("that the service refuses in the words of a pipeline's command, and with the key, shows neither", async () => {
    const { emulator, plugin } = await pluginWorld({ seed: acme({ projects: [{ id: 2, name: "Web" }] }) });
    const detail = `no\n::add-mask::x\n##vso[task.prependpath]/evil ${emulator.key}`;
    const text = JSON.stringify({ type: "validation_error", code: "invalid", detail, attr: null });
    emulator.faults.add({
      path: "/insights",
      fault: { type: "answer", status: 400, text, contentType: "application/json" },
    });
    const error: unknown = await plugin.list("Insight", { projectId: "2" }).catch((problem: unknown) => problem);
    expect(String(error)).toContain("insights");
    expect(String(error)).toMatch(/evil/);
    expect(String(error)).not.toMatch(COMMAND);
    expect(leaksIn(String(error), { key: emulator.key })).toEqual([]);
  });

  it("that cannot be read, or of no place, is an error and not empty", async () => {
    const { emulator, plugin } = await pluginWorld({ seed: acme({ projects: [{ id: 2, name: "Web" }] }) });
    await expect(plugin.list("Insight", {})).rejects.toThrow("projectId");
    await expect(plugin.list("Insight", { organizationId: ACME })).rejects.toThrow("projectId");
    await expect(plugin.list("BatchExport", {})).rejects.toThrow("organizationId or projectId");
    await expect(plugin.list("Insight", { projectId: "3" })).rejects.toThrow("insights");
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
