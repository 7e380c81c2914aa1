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
});
