import { describe, expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { ACME, NOOP } from "../support/acme.ts";
import { engine } from "./support/engine.ts";
import { createYamlStack } from "./support/packaged-stack.ts";
import { createStack, type Program } from "./support/stack.ts";
import { world } from "./support/world.ts";

describeDialects("a replace, which deletes before it creates", () => {
  it("keeps what the program does not declare of a batch export", async () => {
    const { emulator, provider } = await world();
    const batchExport = provider.as("batchExport");
    const declared = { projectId: 2, name: "Nightly", interval: "day", paused: false, hogqlQuery: null };
    const http = { ...declared, destination: { type: "HTTP", config: { url: "https://acme.com", token: "t" } } };
    const { id, outs } = await batchExport.create(http);
    const settings = { model: "persons", start_at: "2026-01-01T00:00:00Z" };
    emulator.edit("batch_export", id, settings);
    await batchExport.remove(id, outs);
    await batchExport.create({ ...declared, destination: NOOP });
    expect(emulator.find("batch_export")).toMatchObject([{ ...settings, destination: NOOP, paused: false }]);
  });

  it("keeps level and message of an invite", async () => {
    const { emulator, provider } = await world();
    const invite = provider.as("invite");
    const declared = { organizationId: ACME, targetEmail: "carol@acme.com" };
    const { id, outs } = await invite.create({ ...declared, firstName: "Carol" });
    emulator.edit("invite", id, { level: 8, message: "Welcome" });
    await invite.remove(id, outs);
    await invite.create({ ...declared, firstName: "Caro" });
    expect(emulator.find("invite")).toMatchObject([{ first_name: "Caro", level: 8, message: "Welcome" }]);
  });

  it("of another person or after an unrelated delete keeps nothing", async () => {
    const { emulator, provider } = await world();
    const invite = provider.as("invite");
    const { id, outs } = await invite.create({ organizationId: ACME, targetEmail: "carol@acme.com", level: 8 });
    await invite.remove(id, outs);
    await invite.create({ organizationId: ACME, targetEmail: "dave@acme.com" });
    expect(emulator.find("invite")).toMatchObject([{ target_email: "dave@acme.com", level: 1 }]);
  });

  it("that a crash cuts in two keeps it as well, in the run that creates", async () => {
    const { emulator, provider, later } = await world();
    const declared = { projectId: 2, name: "Nightly", interval: "day", paused: false, hogqlQuery: null };
    const http = { ...declared, destination: { type: "HTTP", config: { url: "https://acme.com", token: "t" } } };
    const { id, outs } = await provider.as("batchExport").create({ ...http, adopt: false });
    const settings = { model: "persons", start_at: "2026-01-01T00:00:00Z" };
    emulator.edit("batch_export", id, settings);
    const next = { ...declared, destination: NOOP, adopt: id };
    const first = (await later()).as("batchExport");
    await first.diff(id, outs, next);
    await first.remove(id, outs);
    const second = (await later()).as("batchExport");
    // The engine compares the resource that it has to create.
    await second.diff(id, outs, next);
    await second.create(next);
    expect(emulator.find("batch_export")).toMatchObject([{ ...settings, destination: NOOP, paused: false }]);
  });

  it("whose create is refused keeps it as well if the engine tries again, as an onError hook asks it to", async () => {
    const { emulator, provider, later } = await world();
    const declared = { organizationId: ACME, targetEmail: "carol@acme.com" };
    const { id, outs } = await provider.as("invite").create({ ...declared, firstName: "Carol" });
    emulator.edit("invite", id, { level: 8, message: "Welcome" });
    const next = { ...declared, firstName: "Caro" };
    const invite = (await later()).as("invite");
    await invite.diff(id, outs, next);
    await invite.remove(id, outs);
    emulator.faults.add({ method: "POST", nth: 1, fault: { type: "status", status: 403 } });
    await expect(invite.create(next)).rejects.toThrow("403");
    await invite.create(next);
    expect(emulator.find("invite")).toMatchObject([{ first_name: "Caro", level: 8, message: "Welcome" }]);
  });

  it("that never goes on keeps nothing for a resource that has nothing to do with it", async () => {
    const { emulator, provider, later } = await world();
    const invite = { organizationId: ACME, targetEmail: "carol@acme.com" };
    const { id, outs } = await provider.as("invite").create({ ...invite, firstName: "Carol" });
    emulator.edit("invite", id, { level: 8, message: "Welcome" });
    const first = (await later()).as("invite");
    await first.diff(id, outs, { ...invite, firstName: "Caro" });
    await first.remove(id, outs);
    const made = await (await later()).as("invite").create({ ...invite, firstName: "Caro" });
    expect(emulator.find("invite")).toMatchObject([{ first_name: "Caro", level: 1 }]);
    expect(emulator.find("invite")[0]?.["message"] ?? null).toBeNull();
    // Nor is a delete the first half of a replace if the program has the resource no longer.
    emulator.edit("invite", made.id, { level: 8 });
    await (await later()).as("invite").remove(made.id, made.outs);
    const last = (await later()).as("invite");
    await last.diff(made.id, made.outs, invite);
    await last.create(invite);
    expect(emulator.find("invite")).toMatchObject([{ level: 1 }]);
  });
});

const { bin, missing } = engine();

describe.skipIf(missing !== undefined)("a replace on the real engine", () => {
  it.each([
    ["dynamic", createStack],
    ["packaged", createYamlStack],
  ])("keeps what the old object had, even if its create fails and the next up does it (%s)", async (_form, create) => {
    const stack = await create(bin, { dialect: "deployed" });
    const { emulator, declare, run } = stack;
    const program = (firstName: string): Program => ({
      carol: { type: "Invite", args: { organizationId: ACME, targetEmail: "carol@acme.com", firstName } },
    });
    await declare(program("Carol"));
    await run("up", "--yes", "--skip-preview");
    emulator.edit("invite", emulator.find("invite")[0]?.id ?? "", { level: 8, message: "Welcome" });
    await declare(program("Car"));
    await run("up", "--yes", "--skip-preview");
    expect(emulator.find("invite")).toMatchObject([{ first_name: "Car", level: 8, message: "Welcome" }]);
    await declare(program("Caro"));
    const refused = emulator.faults.add({ method: "POST", fault: { type: "status", status: 400 } });
    expect((await stack.pulumi(["up", "--yes", "--skip-preview"])).code).not.toBe(0);
    expect([refused.hits, emulator.find("invite")]).toEqual([1, []]);
    emulator.faults.clear();
    await run("up", "--yes", "--skip-preview");
    expect(emulator.find("invite")).toMatchObject([{ first_name: "Caro", level: 8, message: "Welcome" }]);
    await run("preview", "--refresh", "--expect-no-changes");
  });
});
