import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { normalized } from "../support/normalized.ts";
import { SEED } from "../support/workspace.ts";
import { world } from "./support/world.ts";

const organizationId = SEED.organizations[0]?.id ?? "";
const domain = { organizationId, domain: "acme.com" };

describeDialects("a resource that got another name", () => {
  const taking = { ...domain, adopt: true };

  it("goes on with its object, which the end of the old name does not delete", async () => {
    const { emulator, provider, later } = await world();
    const old = await provider.create(domain);
    const next = await later();
    const renamed = await next.create(taking);
    expect(renamed.id).toBe(old.id);
    await next.remove(old.id, old.outs);
    expect(emulator.find("domain", () => true)).toHaveLength(1);
    // It is still its own to delete.
    await next.remove(renamed.id, renamed.outs);
    expect(emulator.find("domain", () => true)).toEqual([]);
  });

  it("goes on with it also where the run ended in between, and was refreshed and changed since", async () => {
    const { emulator, provider, later } = await world();
    const old = await provider.create(taking);
    const renamed = await (await later()).create(taking);
    const refreshed = await (await later()).read(renamed.id, renamed.outs);
    const next = await later();
    const changed = { ...taking, domain: "acme.org" };
    await next.diff(renamed.id, refreshed.props, changed);
    const outs = await next.update(renamed.id, refreshed.props, changed);
    await next.remove(old.id, old.outs);
    expect(emulator.find("domain", () => true)).toMatchObject([{ domain: "acme.org" }]);
    // What it is replaced by makes it go.
    const last = await later();
    await last.diff(renamed.id, outs, changed);
    await last.remove(renamed.id, outs);
    expect(emulator.find("domain", () => true)).toEqual([]);
  });

  it("is not another one of the same program", async () => {
    const { provider, later } = await world();
    const made = await provider.create(domain);
    const next = await later();
    await next.diff(made.id, made.outs, domain);
    const error: unknown = await next.create(taking).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(Error);
    expect(normalized(String(error))).toMatchSnapshot();
  });

  it("is a new one where it was replaced, whatever it once took over", async () => {
    const { emulator, provider, later } = await world();
    const { id } = await provider.create(domain);
    const pinned = { ...domain, adopt: id };
    const made = await (await later()).create(pinned);
    const next = await later();
    await next.diff(made.id, made.outs, pinned);
    await next.remove(made.id, made.outs);
    const again = await next.create(pinned);
    expect([again.id === id, emulator.find("domain", () => true).length]).toEqual([false, 1]);
  });
});
