/** An import by an id without a place, as the state of another tool holds it. */
import { describe, expect, it } from "vitest";
import { ACME } from "../support/acme.ts";
import { pluginWorld, type PluginWorld } from "./support/plugin-world.ts";

const BETA = "0190aa11-0000-4000-8000-0000000000be";
/** Ada is in both. */
const ORGANIZATIONS = [
  { id: ACME, name: "Acme Inc", members: [{ email: "ada@acme.com", level: 8 }] },
  { id: BETA, name: "Beta", members: [{ email: "ada@acme.com", level: 1 }] },
];
const seed = { organizations: ORGANIZATIONS };

/** The memberships of Ada, by organization. */
function memberships({ emulator }: PluginWorld): Readonly<Record<string, { readonly id: string; uuid: string }>> {
  const rows = emulator.find("member", ({ user }) => (user as { readonly email: string }).email === "ada@acme.com");
  return Object.fromEntries(
    rows.map(({ id, organization_id: place, user }) => [
      String(place),
      { id: String(id), uuid: (user as { readonly uuid: string }).uuid },
    ]),
  );
}

describe("an import by an id without a place", () => {
  it("finds the only organization that has the membership, with a list of each", async () => {
    const world = await pluginWorld({ seed });
    const { emulator, plugin } = world;
    const { [ACME]: acme, [BETA]: beta } = memberships(world);
    emulator.clearRequests();
    const found = await plugin.read("Member", beta?.id ?? "");
    expect(found).toMatchObject({ id: beta?.uuid, inputs: { organizationId: BETA, email: "ada@acme.com", level: 1 } });
    expect((await plugin.read("Member", ` ${acme?.id.toUpperCase() ?? ""}`)).inputs).toMatchObject({
      organizationId: ACME,
      level: 8,
    });
    // The list of organizations, and that of the members of each.
    expect(emulator.requests.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
    // The result is that of an import with the place.
    expect(await plugin.read("Member", `${BETA}/ada@acme.com`)).toEqual(found);
  });

  it.each([
    ["Domain", { domain: "acme.com" }],
    ["Invite", { targetEmail: "eve@acme.com" }],
    ["IdentityProviderConfig", { name: "Okta" }],
  ])("finds an object of the type %s", async (type, inputs) => {
    const { plugin, next } = await pluginWorld({ seed, dialect: "current" });
    const { id } = await plugin.create(type, { ...inputs, organizationId: ACME });
    const found = await (await next()).read(type, id);
    expect(found).toMatchObject({ id, inputs: { organizationId: ACME } });
  });

  it("refuses an id that two organizations have", async () => {
    const domains = [{ id: "0190aa11-0000-4000-8000-0000000000d0", domain: "acme.com" }];
    const organizations = ORGANIZATIONS.map((one) => ({ ...one, domains }));
    const { plugin } = await pluginWorld({ seed: { organizations } });
    await expect(plugin.read("Domain", domains[0]?.id ?? "")).rejects.toThrow("several organizations");
  });

  it("refuses the id of a person, who may be in several organizations", async () => {
    const world = await pluginWorld({ seed });
    const { [ACME]: acme } = memberships(world);
    await expect(world.plugin.read("Member", acme?.uuid ?? "")).rejects.toThrow("ORGANIZATION_ID/E-MAIL");
  });

  it.each([
    ["Insight", "PROJECT_ID/ID"],
    ["BatchExport", "ORGANIZATION_ID/ID or PROJECT_ID/ID"],
    ["Membership", "ORGANIZATION_ID/E-MAIL"],
  ])("looks for no %s, which an id alone does not place", async (type, form) => {
    const { emulator, plugin } = await pluginWorld({ seed });
    emulator.clearRequests();
    await expect(plugin.read(type, ACME)).rejects.toThrow(`Write its id as ${form}`);
    expect(emulator.requests).toEqual([]);
  });

  it("does not say that it is nowhere if an organization cannot be read", async () => {
    const world = await pluginWorld({ seed });
    const { emulator, plugin } = world;
    const { [ACME]: acme, [BETA]: beta } = memberships(world);
    emulator.faults.add({ path: `organizations/${BETA}/members`, fault: { type: "status", status: 403 } });
    expect((await plugin.read("Member", acme?.id ?? "")).inputs).toMatchObject({ organizationId: ACME });
    await expect(plugin.read("Member", beta?.id ?? "")).rejects.toThrow("403");
  });

  it("does not say that it is nowhere if the key sees only some of the people", async () => {
    const world = await pluginWorld({ seed, dialect: "current" });
    const { emulator, plugin } = world;
    const { [ACME]: acme, [BETA]: beta } = memberships(world);
    emulator.edit("organization", BETA, { members_can_see_org_members: false });
    for (const { id, organization_id: place } of emulator.find("member"))
      if (place === BETA) emulator.edit("member", String(id), { level: 1 });
    expect((await plugin.read("Member", acme?.id ?? "")).inputs).toMatchObject({ organizationId: ACME });
    await expect(plugin.read("Member", beta?.id ?? "")).rejects.toThrow("sees only a part of the members");
  });
});
