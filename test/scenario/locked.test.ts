import { expect, it, onTestFinished } from "vitest";
import { stateFiles } from "../../src/engine/state/state-files.ts";
import { acquireLock } from "../../src/files/lock.ts";
import { applyJson, config, domains, outcomeOf, seedOf, writes } from "../support/acme.ts";
import { workspace } from "../support/workspace.ts";

it("an apply beside another one to the same service writes nothing, and says who holds the lock", async () => {
  const space = await workspace({ seed: seedOf() });
  await space.configure(config({ domains: domains(["a.acme.com"]) }));
  const other = await acquireLock(stateFiles(space.env, space.emulator.url).lock, Date.now);
  onTestFinished(other.release);
  const refused = await applyJson(space);
  expect(refused.code).toBe(1);
  expect(outcomeOf(refused, "acme/domains/a-acme-com")).toMatchObject({ status: "skipped", error: { code: "locked" } });
  expect(refused.stderr).toContain(String(process.pid));
  expect(writes(space)).toEqual([]);
  await other.release();
  expect((await applyJson(space)).code).toBe(0);
});
