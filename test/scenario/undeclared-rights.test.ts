/** Where people or domains are declared: an undeclared owner or admin is drift, an undeclared domain that lets people in is named. Nothing is planned for them. */
import { expect, it } from "vitest";
import { config, seedOf, VERIFIED, writes } from "../support/acme.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const OWNER = "owner@example.com";
const DECLARED = { [OWNER]: { level: "owner" } };
const EVE = "eve@acme.com";

/** An organization with an undeclared invite. */
const withInvite = (level: number): Promise<Workspace> =>
  workspace({ seed: seedOf({ invites: [{ target_email: EVE, level }] }) });

async function codesOf(space: Workspace, memberships: object, ...args: readonly string[]) {
  await space.configure(config({ memberships }));
  const drift = await space.run(["drift", ...args]);
  const plan = await space.run(["plan", "--detailed-exitcode", ...args]);
  const shown = await space.run(["plan", ...args]);
  return [drift.code, plan.code, shown.code];
}

describeDialects("people whom nothing declares", () => {
  it.each([8, 15])("differ with level %i, and nothing is planned", async (level) => {
    const space = await withInvite(level);
    expect(await codesOf(space, DECLARED)).toEqual([2, 0, 0]);
    const { changes, diagnostics } = await space.plan();
    expect(new Set(changes.map(({ action }) => action))).toEqual(new Set(["no_op"]));
    expect(diagnostics.map(({ code }) => code)).toEqual(["undeclared_rights"]);
    expect((await space.run(["drift"])).stdout).not.toMatch(/Nothing differs/u);
    expect((await space.run(["apply", "--yes"])).code).toBe(0);
    expect(writes(space)).toEqual([]);
  });

  it("do not differ with an invite that has expired", async () => {
    const old = { target_email: EVE, level: 15, created_at: "2020-01-01T00:00:00Z" };
    expect(await codesOf(await workspace({ seed: seedOf({ invites: [old] }) }), DECLARED)).toEqual([0, 0, 0]);
  });

  it("do not differ as plain members", async () => {
    expect(await codesOf(await withInvite(1), DECLARED)).toEqual([0, 0, 0]);
  });

  it("do not differ where no people are declared, or outside of --only", async () => {
    const space = await withInvite(15);
    expect(await codesOf(space, DECLARED, "--only", `acme/memberships/${OWNER}`)).toEqual([0, 0, 0]);
    await space.configure(config({ name: "Acme Inc" }));
    expect((await space.run(["drift", "--unmanaged"])).code).toBe(0);
  });

  it("do not differ if they are left to others", async () => {
    const forgotten = { ...DECLARED, [EVE]: { lifecycle: { forget: true } } };
    const space = await withInvite(15);
    expect(await codesOf(space, forgotten)).toEqual([0, 0, 0]);
    // They are named all the same.
    expect((await space.plan()).diagnostics.map(({ code, address }) => [code, address])).toEqual([
      ["protection_off", `acme/memberships/${EVE}`],
    ]);
    const plain = await withInvite(1);
    expect(await codesOf(plain, forgotten)).toEqual([0, 0, 0]);
    expect((await plain.plan()).diagnostics).toEqual([]);
  });

  it("stay a difference of a drift that is accepted without them", async () => {
    const space = await withInvite(15);
    await space.configure(config({ memberships: DECLARED }));
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(2);
    expect((await space.run(["drift", "--accept", "--unmanaged", "--yes"])).code).toBe(0);
    expect((await space.run(["drift"])).code).toBe(0);
  });
});

describeDialects("a domain that nothing declares", () => {
  const named = async (domain: object, declared: object, ...args: readonly string[]) => {
    const space = await workspace({
      seed: seedOf({ domains: [{ domain: "acme.com" }, { domain: "eve.example", ...domain }] }),
    });
    await space.configure(config(declared));
    return (await space.plan(...args)).diagnostics.map(({ code, message }) => [code, message]);
  };
  const joined = { ...VERIFIED, jit_provisioning_enabled: true };
  const forced = { ...VERIFIED, sso_enforcement: "google-oauth2" };
  const ours = { domains: { acme: { domain: "acme.com" } } };

  it.each([
    ["lets its people join", joined],
    ["decides how its people sign in", forced],
  ])("is named if it %s", async (does, values) => {
    const message = `eve.example is not declared, is verified, and ${does}`;
    expect(await named(values, ours)).toEqual([["undeclared_entrance", message]]);
  });

  it("is removed without a word of settings that it does not have", async () => {
    const space = await workspace({ seed: seedOf({ domains: [{ domain: "eve.example", ...joined }] }) });
    await space.configure(config({ domains: { eve: { domain: "eve.example", lifecycle: { state: "absent" } } } }));
    const change = (await space.plan()).changes.find(({ action }) => action === "delete");
    expect(change?.removes?.map(({ path }) => path)).toEqual(["/domain", "/jit_provisioning_enabled"]);
  });

  it("is not named if it lets nobody in, or where neither domains nor owners are declared, or outside of --only", async () => {
    expect(await named(VERIFIED, ours)).toEqual([]);
    expect(await named({ jit_provisioning_enabled: true }, ours)).toEqual([]);
    expect(await named(joined, { name: "Acme Inc" })).toEqual([]);
    expect(await named(joined, ours, "--only", "acme/domains/acme")).toEqual([]);
  });
});
