/** A replace creates the new object with everything of the old one that a read shows, and says what it cannot carry over. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ACME, config, NOOP, one, web } from "../support/acme.ts";
import { WAYS } from "../support/ways.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const HTTP = { type: "HTTP", config: { url: "https://acme.com/hook", token: "t-0123456789" } };
const START = "2026-01-01T00:00:00Z";
const NIGHTLY = { name: "Nightly", interval: "day", destination: NOOP };
const ADDRESS = "acme/projects/web/batch_exports/nightly";

async function withExport(fields: object): Promise<Workspace> {
  const space = await workspace({ dialect: "deployed" });
  const values = { name: "Nightly", interval: "day", destination: HTTP, model: "persons", start_at: START };
  space.emulator.insert("batch_export", { project: 2 }, { ...values, ...fields });
  await space.configure(web({ batch_exports: { nightly: NIGHTLY } }));
  return space;
}

async function withInvite(): Promise<Workspace> {
  const space = await workspace({ dialect: "deployed" });
  const invite = { target_email: "carol@acme.com", first_name: "Carol", level: 8, message: "Welcome" };
  space.emulator.insert("invite", { organization: ACME }, invite);
  return space;
}

/** The journals that hold open intents: a journal is removed with the last one. */
async function journalsOf({ folder }: Workspace): Promise<readonly string[]> {
  const files = await readdir(join(folder, "state"), { recursive: true });
  return files.filter((file) => file.endsWith(".journal"));
}

describe.each(WAYS)("by $name", ({ plan: planAll, apply }) => {
  const plan = async (space: Workspace) => (await planAll(space)).changes.find(({ action }) => action === "replace");

  it("a batch export keeps model and start when its destination becomes another one", async () => {
    const space = await withExport({});
    const change = await plan(space);
    expect(change?.blocked).toBeNull();
    expect(change?.fields.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/destination/type", "/destination/config/url"]),
    );
    expect(JSON.stringify(change)).not.toContain("t-0123456789");
    await apply(space);
    expect(one(space.emulator.find("batch_export"))).toMatchObject({
      destination: NOOP,
      model: "persons",
      start_at: START,
      paused: false,
    });
  });

  it("a batch export keeps the filters of its rows", async () => {
    const filters = [{ key: "plan", operator: "exact", type: "event", value: ["pro"] }];
    const space = await withExport({ filters });
    await apply(space);
    expect(one(space.emulator.find("batch_export"))).toMatchObject({ destination: NOOP, filters });
  });

  it("an invite keeps level and message when its name changes", async () => {
    const space = await withInvite();
    await space.configure(
      config({
        invites: { carol: { target_email: "carol@acme.com", first_name: "Caro", lifecycle: { renew: true } } },
      }),
    );
    expect((await plan(space))?.fields).toEqual([{ path: "/first_name", prior: "Carol", planned: "Caro" }]);
    await apply(space);
    expect(one(space.emulator.find("invite"))).toMatchObject({ first_name: "Caro", level: 8, message: "Welcome" });
  });

  it("a membership keeps name and message of the invite when its level changes", async () => {
    const space = await withInvite();
    await space.configure(config({ memberships: { "carol@acme.com": { level: "member" } } }));
    expect((await plan(space))?.fields).toEqual([{ path: "/level", prior: 8, planned: 1 }]);
    await apply(space);
    expect(one(space.emulator.find("invite"))).toMatchObject({ first_name: "Carol", level: 1, message: "Welcome" });
  });

  it.each([400, 500, 503])(
    "an invite keeps both although its create was answered %i after the delete",
    async (status) => {
      const space = await withInvite();
      await space.configure(
        config({
          invites: { carol: { target_email: "carol@acme.com", first_name: "Caro", lifecycle: { renew: true } } },
        }),
      );
      space.emulator.faults.add({ method: "POST", path: /\/invites\/?$/, fault: { type: "status", status } });
      await apply(space);
      expect(space.emulator.find("invite")).toEqual([]);
      space.emulator.faults.clear();
      const next = (await planAll(space)).changes.find(({ action }) => action === "create");
      expect(next?.fields.map(({ path }) => path)).toEqual(expect.arrayContaining(["/level", "/message"]));
      await apply(space);
      expect(one(space.emulator.find("invite"))).toMatchObject({ first_name: "Caro", level: 8, message: "Welcome" });
    },
  );

  it("an invite keeps both even if no answer shows whether it was deleted", async () => {
    const space = await withInvite();
    await space.configure(
      config({
        invites: { carol: { target_email: "carol@acme.com", first_name: "Caro", lifecycle: { renew: true } } },
      }),
    );
    const path = /\/invites\/?$/;
    await plan(space);
    // The plan of the apply reads the list, and so does the apply before it creates and before it deletes.
    space.emulator.faults.add({ method: "GET", path, nth: 4, times: 99, fault: { type: "status", status: 503 } });
    space.emulator.faults.add({ method: "DELETE", fault: { type: "process-then-drop" } });
    await apply(space);
    expect(space.emulator.find("invite")).toEqual([]);
    space.emulator.faults.clear();
    await apply(space);
    expect(one(space.emulator.find("invite"))).toMatchObject({ first_name: "Caro", level: 8, message: "Welcome" });
    expect(await journalsOf(space)).toEqual([]);
  });

  it("the kept values of an invite are deleted once it exists again, even if its create was refused several times", async () => {
    const space = await withInvite();
    await space.configure(
      config({
        invites: { carol: { target_email: "carol@acme.com", first_name: "Caro", lifecycle: { renew: true } } },
      }),
    );
    space.emulator.faults.add({ method: "POST", fault: { type: "status", status: 400 } });
    for (let tries = 1; tries <= 3; tries += 1) await apply(space);
    expect(await journalsOf(space)).toHaveLength(1);
    space.emulator.faults.clear();
    await apply(space);
    expect(await journalsOf(space)).toEqual([]);
    space.emulator.remove("invite", one(space.emulator.find("invite")).id);
    const next = (await planAll(space)).changes.find(({ action }) => action === "create");
    expect(next?.fields.map(({ path }) => path)).not.toContain("/message");
  });

  it("the kept values of an invite are deleted by an apply that finds it and has nothing to change", async () => {
    const space = await withInvite();
    await space.configure(
      config({
        invites: { carol: { target_email: "carol@acme.com", first_name: "Caro", lifecycle: { renew: true } } },
      }),
    );
    space.emulator.faults.add({ method: "POST", nth: 1, fault: { type: "process-then-drop" } });
    space.emulator.faults.add({
      method: "GET",
      path: /\/invites\/?$/,
      nth: 4,
      times: 99,
      fault: { type: "drop-before" },
    });
    await apply(space);
    expect(await journalsOf(space)).toHaveLength(1);
    space.emulator.faults.clear();
    space.emulator.clearRequests();
    await apply(space);
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await journalsOf(space)).toEqual([]);
  });

  it("a query that is never shown blocks, and nothing is sent", async () => {
    const space = await withExport({ hogql_query: "SELECT event FROM events" });
    expect((await plan(space))?.blocked?.rule).toBe("replace_loses");
    await apply(space).catch(() => undefined);
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("a value that cannot be carried over", () => {
  it("is given up with --allow-loss and the address", async () => {
    const space = await withExport({ hogql_query: "SELECT event FROM events" });
    const allowing = async (address: string) => (await space.run(["apply", "--yes", "--allow-loss", address])).code;
    expect([await allowing("acme/projects/web/batch_exports/other"), await allowing("acme")]).toEqual([10, 13]);
    expect((await space.run(["plan"])).code).toBe(0);
    const outcomes = await space.apply(["--allow-loss", ADDRESS]);
    expect(outcomes.changes.map(({ status }) => status)).toEqual(["unchanged", "applied"]);
    expect(one(space.emulator.find("batch_export"))).toMatchObject({ destination: NOOP, hogql_query: null });
  });

  it("is sent if it is declared", async () => {
    const space = await withExport({ hogql_query: "SELECT event FROM events" });
    await space.configure(web({ batch_exports: { nightly: { ...NIGHTLY, hogql_query: "SELECT 1" } } }));
    await space.apply();
    expect(one(space.emulator.find("batch_export"))).toMatchObject({ destination: NOOP, hogql_query: "SELECT 1" });
  });
});
