/** An invite that the service does not make as it is declared is not sent again every night. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ACME, acme, blocks, changed, today, writes } from "../support/today.ts";
import type { Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/invites/eve";
const EVE = { target_email: "eve@acme.com", level: "member" };
const HOUR = 60 * 60_000;
const LIVE = { target_email: "eve@acme.com", level: 1, message: "Hello" };

const declared = (more: object): object => ({ invites: { eve: { ...EVE, ...more } } });
const rules = async ({ plan }: Workspace, ...args: readonly string[]): Promise<readonly string[]> =>
  blocks(await plan(...args)).map(({ rule }) => rule);
const ago = (hours: number): { readonly created_at: string } => ({
  created_at: new Date(Date.now() - hours * HOUR).toISOString(),
});

/** An open invite that was made two days ago, and what is declared of it. */
async function invited(declaration: object, live: { readonly created_at?: string } = {}): Promise<Workspace> {
  const space = await today(declaration);
  space.emulator.insert("invite", { organization: ACME }, { ...LIVE, ...live });
  return space;
}

const forget = ({ folder }: Workspace): Promise<void> => rm(join(folder, "state"), { recursive: true, force: true });

describe("an open invite", () => {
  it.each<[string, object]>([
    ["message", { message: "Welcome" }],
    ["first name", { first_name: "Eve" }],
    ["projects", { private_project_access: [{ id: 2, level: "member" }] }],
  ])("is replaced for its %s alone only with renew, and not within a day", async (_name, more) => {
    const space = await invited(declared(more));
    expect(await rules(space)).toEqual(["resend"]);
    expect(await rules(space, "--only", ADDRESS)).toEqual(["resend"]);
    expect((await space.drift()).code).toBe(2);
    await space.apply([], 13);
    expect(writes(space)).toEqual([]);
    await space.configure(acme(declared({ ...more, lifecycle: { renew: true } })));
    const [live] = space.emulator.find("invite");
    space.emulator.edit("invite", String(live?.id), ago(20));
    expect(await rules(space)).toEqual(["resend"]);
    expect(await rules(space, "--only", ADDRESS)).toEqual(["resend"]);
    space.emulator.edit("invite", String(live?.id), ago(25));
    await space.apply();
    expect(space.emulator.find("invite")).toMatchObject([more]);
  });

  it.each([
    ["an invite", declared({ level: "admin" }), ADDRESS],
    ["a membership", { memberships: { "eve@acme.com": { level: "admin" } } }, "acme/memberships/eve@acme.com"],
  ])("is replaced for the level of %s if it is a day old, or if it is asked for", async (_name, config, address) => {
    const old = await invited(config, ago(25));
    await old.apply();
    expect(old.emulator.find("invite")).toMatchObject([{ level: 8 }]);
    const young = await invited(config, ago(23));
    expect(await rules(young)).toEqual(["resend"]);
    await young.apply([], 13);
    await young.apply(["--only", address]);
    expect(young.emulator.find("invite")).toMatchObject([{ level: 8 }]);
  });

  it("with renew is not replaced if nothing differs", async () => {
    const space = await invited(declared({ message: "Hello", lifecycle: { renew: true } }));
    expect(changed(await space.plan())).toEqual([]);
  });
});

describe("an invite of which the service ignores a field", () => {
  const ACCESS = { private_project_access: [{ id: 2, level: "member" }] };

  async function ignoring(config: object, field: string): Promise<Workspace> {
    const space = await invited(config);
    space.emulator.faults.add({ method: "POST", path: "/invites/", fault: { type: "ignore-field", field } });
    return space;
  }

  it.each<[string, object, string]>([
    ["projects", declared({ ...ACCESS, lifecycle: { renew: true } }), "private_project_access"],
    ["message", declared({ message: "Welcome", lifecycle: { renew: true } }), "message"],
    ["level", declared({ level: "admin" }), "level"],
    ["level as a membership", { memberships: { "eve@acme.com": { level: "admin" } } }, "level"],
  ])("is made once for its %s, and the next runs say why not again", async (_name, config, field) => {
    const space = await ignoring(config, field);
    await space.apply([], 14);
    for (const hours of [0, 30, 60]) {
      const [live] = space.emulator.find("invite");
      space.emulator.edit("invite", String(live?.id), ago(hours));
      expect(await rules(space)).toEqual(["resend"]);
      await space.apply([], 13);
    }
    expect(writes(space).map(({ method }) => method)).toEqual(["DELETE", "POST"]);
  });

  it("is blocked after the create that showed it", async () => {
    const space = await today(declared(ACCESS));
    space.emulator.faults.add({
      method: "POST",
      path: "/invites/",
      fault: { type: "ignore-field", field: "private_project_access" },
    });
    await space.apply([], 14);
    expect(await rules(space)).toEqual(["resend"]);
    await space.configure(acme(declared({ private_project_access: [] })));
    expect(changed(await space.plan())).toEqual([]);
  });

  it("is not made again within a day on a new machine, and another value is tried", async () => {
    const space = await ignoring(declared({ level: "admin" }), "level");
    await space.apply([], 14);
    await forget(space);
    await space.apply([], 13);
    expect(writes(space)).toHaveLength(2);
    await space.configure(acme(declared({ level: "owner" })));
    const [live] = space.emulator.find("invite");
    space.emulator.edit("invite", String(live?.id), ago(25));
    expect(await rules(space)).toEqual([]);
  });
});
