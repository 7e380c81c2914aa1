import { describe, expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { describeDialects } from "../support/dialects.ts";
import { SEED } from "../support/workspace.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { engine } from "./support/engine.ts";
import { createYamlStack } from "./support/packaged-stack.ts";
import { createStack, type Program } from "./support/stack.ts";
import { world } from "./support/world.ts";

const organizationId = SEED.organizations[0]?.id ?? "";
const sent = ({ requests }: Emulator, status: number): number =>
  requests.filter((request) => request.status === status).length;

describeDialects("an organization of a stack", (dialect) => {
  it("has its creator, who is adopted and not invited", async () => {
    const { emulator, provider } = await world();
    const { id } = await provider.as("organization").create({ name: "Beta" });
    const creator = { organizationId: id, email: "owner@example.com", level: 15 };
    await expect(provider.as("membership").create(creator)).rejects.toThrow("adopt: true");
    await provider.as("membership").create({ ...creator, adopt: true });
    expect(emulator.find("invite")).toEqual([]);
  });

  it("may be deleted although it is the current one, and the rest of the stack goes on", async () => {
    const { emulator, provider } = await world();
    const organization = provider.as("organization");
    const { id, outs } = await organization.create({ name: "Beta" });
    await organization.remove(id, { ...outs, confirmDelete: "Beta" });
    const insight = await provider.as("insight").create({ projectId: 2, name: "Signups" });
    expect(insight.id).not.toBe("");
    // The user has no current project from now on, so a deployed server refuses to unpause.
    const batchExport = { name: "Events", interval: "hour", paused: false, destination: { type: "NoOp", config: {} } };
    await provider.as("batchExport").create({ projectId: 2, ...batchExport });
    expect(emulator.find("batch_export")).toMatchObject([{ paused: false }]);
    expect(sent(emulator, 401)).toBe(dialect === "deployed" ? 1 : 0);
    await provider.as("domain").create({ organizationId, domain: "acme.com" });
  });
});

const { bin, missing } = engine();

describe.skipIf(missing !== undefined)("on the real engine and a deployed server", () => {
  it.each([
    ["dynamic", createStack],
    ["packaged", createYamlStack],
  ])(
    "the current organization is created with its people, deleted, and the rest goes on (%s)",
    async (_form, create) => {
      const stack = await create(bin, { dialect: "deployed" });
      const { emulator, declare, run } = stack;
      const beta: Program = { beta: { type: "Organization", args: { name: "Beta", confirmDelete: "Beta" } } };
      const owner = { organizationId: "${beta.id}", email: "owner@example.com", level: 15, adopt: true };
      await declare({ ...beta, owner: { type: "Membership", args: owner } });
      await run("up", "--yes", "--skip-preview");
      // The creator comes with the organization. In Pulumi the membership goes before it, so it only leaves the state.
      expect(emulator.find("invite")).toEqual([]);
      await declare({ ...beta, owner: { type: "Membership", args: owner, options: { retainOnDelete: true } } });
      await run("up", "--yes", "--skip-preview");
      await declare({});
      await run("up", "--yes", "--skip-preview");
      expect(emulator.find("organization", ({ name }) => name === "Beta")).toEqual([]);

      const destination = { type: "NoOp", config: {} };
      await declare({
        signups: { type: "Insight", args: { projectId: 2, name: "Signups" } },
        corp: { type: "Domain", args: { organizationId, domain: "acme.com" } },
        events: { type: "BatchExport", args: { projectId: 2, name: "Events", interval: "hour", destination } },
      });
      await run("up", "--yes", "--skip-preview");
      expect(emulator.find("batch_export")).toMatchObject([{ paused: false }]);
      expect([sent(emulator, 401), emulator.find("insight").length]).toEqual([1, 1]);
      await run("preview", "--refresh", "--expect-no-changes");
    },
  );

  it.each([
    ["dynamic", createStack],
    ["packaged", createYamlStack],
  ])("its sample insights keep no insight from being created, not even an equal one (%s)", async (_form, create) => {
    const stack = await create(bin, { dialect: "deployed" });
    const { emulator, declare, run } = stack;
    const beta: Program = { beta: { type: "Organization", args: { name: "Beta" } } };
    await declare(beta);
    await run("up", "--yes", "--skip-preview");
    const samples = emulator.find("insight");
    expect(samples).toHaveLength(6);
    const url = `${emulator.url}/api/organizations/${(await stack.state())[0]?.id ?? ""}/`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${emulator.key}` } });
    const { projects } = (await answer.json()) as { readonly projects: readonly { readonly id: number }[] };
    const projectId = projects[0]?.id ?? 0;
    const { query = null, description = null } = samples[0] as unknown as JsonObject;
    const series = [{ kind: "EventsNode", event: "$pageview" }];
    // Pulumi knows its objects by their ids, so it need not ask whether one was renamed.
    await declare({
      ...beta,
      first: { type: "Insight", args: { projectId, name: "First", query: { kind: "TrendsQuery", series } } },
      equal: { type: "Insight", args: { projectId, name: "Equal", query, description } },
    });
    await run("up", "--yes", "--skip-preview");
    expect(emulator.find("insight").slice(0, 6)).toEqual(samples);
    const added = emulator.find("insight").slice(6);
    expect(new Set(added.map(({ name }) => name))).toEqual(new Set(["Equal", "First"]));
    await run("preview", "--refresh", "--expect-no-changes");
  });
});
