import { expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { describeDialects } from "../support/dialects.ts";
import { SEED } from "../support/workspace.ts";
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
