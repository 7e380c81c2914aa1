import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { normalized } from "../support/normalized.ts";
import { SEED } from "../support/workspace.ts";
import { world } from "./support/world.ts";

const organizationId = SEED.organizations[0]?.id ?? "";
const domain = { organizationId, domain: "acme.com" };

describeDialects("a renamed resource", () => {
  const taking = { ...domain, adopt: true };

  it("keeps its object, which the removal of the old name does not delete", async () => {
    const { emulator, provider, later } = await world();
    const old = await provider.create(domain);
    const next = await later();
    const renamed = await next.create(taking);
    expect(renamed.id).toBe(old.id);
    await next.remove(old.id, old.outs);
    expect(emulator.find("domain", () => true)).toHaveLength(1);
    // The renamed resource can still delete it.
    await next.remove(renamed.id, renamed.outs);
    expect(emulator.find("domain", () => true)).toEqual([]);
  });

  it("keeps it even if the run ended in between, and it was refreshed and changed since", async () => {
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
    // The resource itself can delete it after the run that renamed it.
    const last = await later();
    await last.diff(renamed.id, outs, changed);
    await last.remove(renamed.id, outs);
    expect(emulator.find("domain", () => true)).toEqual([]);
  });

  it("does not share its object with another resource of the program", async () => {
    const { provider, later } = await world();
    const made = await provider.create(domain);
    const next = await later();
    await next.diff(made.id, made.outs, domain);
    const error: unknown = await next.create(taking).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(Error);
    expect(normalized(String(error))).toMatchSnapshot();
  });

  it("gets a new object if it is replaced, even if it had adopted one", async () => {
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
