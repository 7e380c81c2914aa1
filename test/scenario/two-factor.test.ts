import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { planJson } from "../support/acme.ts";
import { planOf } from "../support/cli.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";

const [SEEDED] = SEED.organizations;
const MEMBERS = [
  { email: "owner@example.com", level: 15, is_2fa_enabled: true },
  { email: "ada@acme.com", level: 15 },
  { email: "eve@acme.com", level: 15 },
  { email: "bob@acme.com", level: 8 },
];

const organization = (more: object): object => ({ driftline: 1, organizations: { acme: { id: SEEDED?.id, ...more } } });

async function space(more: object, own: object = {}): Promise<Workspace> {
  const made = await workspace({
    seed: { organizations: [{ ...SEEDED, members: MEMBERS, ...own }] } as never,
  });
  await made.configure(organization(more));
  return made;
}

const warned = async (made: Workspace): Promise<readonly string[]> =>
  planOf(await planJson(made))
    .diagnostics.filter(({ code }) => code === "people_without_2fa")
    .map(({ message }) => message);

describeDialects("two-factor authentication for everybody", () => {
  it("names the people who have none, and goes on", async () => {
    const made = await space({ enforce_2fa: true }, {});
    const [message, ...more] = await warned(made);
    expect(more).toEqual([]);
    expect(message).toContain("ada@acme.com");
    expect(message).toContain("eve@acme.com");
    expect(message).toContain("3 of 4");
    expect(message).not.toContain("owner@example.com");
    expect(message).toContain("bob@acme.com");
    const result = await made.run(["apply", "--yes"]);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain("driftline.yaml");
    expect(result.stderr).toContain("warning people_without_2fa");
  });

  it.each(["members", "memberships"])("reads the members once, even if %s are declared as well", async (people) => {
    const made = await space({ enforce_2fa: true, [people]: { "bob@acme.com": { level: "admin" } } });
    expect(await warned(made)).toHaveLength(1);
    expect(made.emulator.requests.filter(({ path }) => path.includes("/members"))).toHaveLength(1);
  });

  it.each<[string, object, object]>([
    ["is required already", { enforce_2fa: true }, { enforce_2fa: true }],
    ["is not declared", { is_member_join_email_enabled: false }, {}],
    ["is to be turned off", { enforce_2fa: false }, { enforce_2fa: true }],
    [
      "is used by everybody",
      { enforce_2fa: true },
      { members: MEMBERS.map((member) => ({ ...member, is_2fa_enabled: true })) },
    ],
  ])("has no warning if it %s", async (_name, declared, own) => {
    expect(await warned(await space(declared, own))).toEqual([]);
  });

  it("does not list members if nothing changes", async () => {
    const made = await space({ enforce_2fa: true }, { enforce_2fa: true });
    await planJson(made);
    expect(made.emulator.requests.some(({ path }) => path.includes("/members"))).toBe(false);
  });

  it("is planned without a warning if members may not be read", async () => {
    const made = await space({ enforce_2fa: true });
    made.emulator.faults.add({ path: "/members", fault: { type: "status", status: 403 } });
    const result = await planJson(made);
    expect(result.code).toBe(0);
    expect(planOf(result).diagnostics).toEqual([]);
    expect(planOf(result).summary.update).toBe(1);
  });
});
