import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { ACME, NOOP } from "../support/acme.ts";
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
});
