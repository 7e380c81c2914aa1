import { describe, expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { outcomesOf, planOf } from "../support/cli.ts";
import { mails, SELF } from "../support/people.ts";
import { WAYS } from "../support/ways.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";

const [SEEDED] = SEED.organizations;
const NEW = { name: "New Inc", lifecycle: { create: true } };

const config = (organizations: object): object => ({ driftline: 1, organizations });
const people = ({ emulator }: Workspace, id: string): readonly unknown[] => [
  emulator
    .find("member", (one) => one["organization_id"] === id)
    .map((one) => [(one["user"] as { readonly email: string }).email, one["level"]]),
  emulator.find("invite", (one) => one["organization_id"] === id).map((one) => one["target_email"]),
];
const idOf = ({ emulator }: Workspace, name: string): string =>
  String(emulator.find("organization", (one) => one["name"] === name)[0]?.id);
const reads = ({ emulator }: Workspace, path: string): number =>
  emulator.requests.filter((one) => one.method === "GET" && one.path.includes(path)).length;

describeDialects("an organization that is created together with its people", () => {
  it("has its creator, who is not invited", async () => {
    const space = await workspace();
    const memberships = { [SELF]: { level: "owner" }, "eve@new.com": { level: "admin" } };
    await space.configure(config({ new: { ...NEW, memberships } }));
    const { changes } = await space.apply();
    expect(changes.map(({ address, action, status }) => [address, action, status])).toEqual([
      ["new", "create", "applied"],
      ["new/memberships/eve@new.com", "create", "applied"],
      [`new/memberships/${SELF}`, "no_op", "unchanged"],
    ]);
    expect(changes.at(-1)?.reason).toMatchSnapshot();
    expect(people(space, idOf(space, "New Inc"))).toEqual([[[SELF, 15]], ["eve@new.com"]]);
    expect(mails(space)).toBe(1);
  });

  it("says which project it gets, and manages that one from the next apply on", async () => {
    const space = await workspace();
    const insights = { s: { name: "Signups" } };
    await space.configure(config({ new: { ...NEW, projects: { first: { name: "Default project", insights } } } }));
    const document = await space.plan();
    expect(document.diagnostics).toMatchObject([{ code: "project_not_created", address: "new/projects/first" }]);
    expect(document.changes.at(-1)?.blocked?.rule).toBe("parent");
    await space.apply([], 14);
    await space.apply();
    expect(space.emulator.find("insight", ({ name }) => name === "Signups")).toHaveLength(1);
  });
});

const GONE = { name: "New Inc", lifecycle: { state: "absent" } };
const DELETE = ["apply", "--yes", "--format", "json", "--confirm-organization", "New Inc"];
const EXPORT = { name: "Events", interval: "hour", paused: false, destination: { type: "NoOp", config: {} } };
const acme = (more: object = {}): object => ({ id: SEEDED?.id, ...more });

/** A space whose key's user created an organization, which is the current one, and has deleted it. */
async function withoutCurrent(): Promise<Workspace> {
  const space = await workspace({ dialect: "deployed", keys: [{ key: "scoped", scopes: ["*"] }] });
  const send = async (method: string, path: string, body?: object): Promise<{ readonly id?: string }> => {
    const headers = { authorization: "Bearer scoped", "content-type": "application/json" };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const text = await (await fetch(new URL(path, space.emulator.url), init)).text();
    return text === "" ? {} : (JSON.parse(text) as { readonly id?: string });
  };
  const { id } = await send("POST", "/api/organizations/", { name: "Short-lived" });
  await send("DELETE", `/api/organizations/${String(id)}/`);
  space.emulator.clearRequests();
  return space;
}

describe("a user without a current organization", () => {
  it("does not result from deleting an organization with driftline", async () => {
    const space = await workspace({ dialect: "deployed" });
    const reason = async () => (await space.plan()).changes.find(({ address }) => address === "new")?.reason;
    await space.configure(config({ acme: acme(), new: NEW }));
    const reasons = [await reason()];
    await space.apply();
    await space.configure(config({ acme: acme(), new: GONE }));
    expect([...reasons, await reason()]).toMatchSnapshot();
    const result = await space.run(DELETE);
    expect([result.code, outcomesOf(result).changes.at(-1)]).toMatchObject([0, { address: "new", status: "applied" }]);
    space.emulator.clearRequests();
    expect((await space.plan()).summary.no_op).toBe(2);
    expect(space.emulator.requests.map(({ status }) => status)).toEqual([200]);
  });

  it.each(WAYS)("is healed by one read for a plan with $name", async ({ plan }) => {
    const space = await withoutCurrent();
    await space.configure(
      config({ acme: { name: "Acme Inc", projects: { web: { id: "2", insights: { s: { name: "S" } } } } } }),
    );
    const document = await plan(space);
    expect([document.diagnostics, document.summary]).toMatchObject([[], { unknown: 0, create: 1 }]);
    expect(reads(space, "@current")).toBe(1);
  });

  it.each(WAYS)("has no current project afterwards: $name unpauses by PATCH", async ({ apply }) => {
    const space = await withoutCurrent();
    const batch_exports = { events: EXPORT };
    await space.configure(config({ acme: acme({ projects: { web: { id: "2", batch_exports } } }) }));
    expect((await apply(space)).changes.at(-1)).toMatchObject({ action: "create", status: "applied" });
    expect(space.emulator.find("batch_export")).toMatchObject([{ paused: false }]);
    expect(space.emulator.requests.filter(({ status }) => status === 401)).toHaveLength(1);
  });

  it("is reported as that, with every resource unknown, if no read heals it", async () => {
    const space = await withoutCurrent();
    space.emulator.faults.add({ path: "@current", fault: { type: "status", status: 403 } });
    await space.configure(config({ acme: { name: "Acme Inc", domains: { a: { domain: "a.com" } } } }));
    const result = await space.run(["plan", "--format", "json"]);
    expect(result.code).toBe(1);
    expect(planOf(result).summary).toMatchObject({ create: 0, unknown: 2 });
    expect(planOf(result).diagnostics[0]?.hint).toContain("current organization");
  });
});
