/** A pinned organization that a complete list lacks, and whose own read fails: it may well exist. */
import { expect, it } from "vitest";
import type { Fault } from "../../src/emulator/index.ts";
import { planOf } from "../support/cli.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { simulatedTime } from "../support/simulated-time.ts";
import { workspace } from "../support/workspace.ts";

const UNLISTED = "0190aa11-0000-4000-8000-00000000dead";

async function planned(fault: Fault | undefined) {
  const time = simulatedTime();
  const space = await workspace({ now: time.now, sleep: time.sleep });
  const { faults, requests } = space.emulator;
  if (fault !== undefined) faults.add({ path: new RegExp(`organizations/${UNLISTED}/?$`), fault });
  const domains = { corp: { domain: "acme.com" } };
  await space.configure({ driftline: 1, organizations: { acme: { id: UNLISTED, name: "Acme Inc", domains } } });
  const run = (...args: readonly string[]) => time.run(space.run(args, { runtime: { clock: time.clock } }));
  const { code, stdout, stderr } = await run("plan", "--format", "json");
  const plan = planOf({ code, stdout, stderr });
  await run("apply", "--yes");
  return {
    actions: plan.changes.map(({ action }) => action),
    codes: plan.diagnostics.map((one) => one.code),
    offered: plan.changes.flatMap(({ blocked, command }) => [blocked?.rule, blocked?.command, command]).filter(Boolean),
    writes: requests.filter(({ method }) => method !== "GET").length,
  };
}

const UNKNOWN = { actions: ["unknown", "unknown"], offered: [], writes: 0 };

describeDialects(
  "a pinned organization that no list shows",
  () => {
    it.each<[string, Fault]>([
      ["fails", { type: "status", status: 500 }],
      ["is refused", { type: "status", status: 403 }],
      ["times out", { type: "status", status: 408 }],
      ["gets no answer", { type: "drop-before" }],
    ])("is unknown if its own read %s", async (_name, fault) => {
      const found = await planned(fault);
      expect(found).toMatchObject(UNKNOWN);
      expect(found.codes).not.toContain("pin_missing");
    });

    it("is missing if the service says that there is none, and still nothing is created", async () => {
      expect(await planned(undefined)).toMatchObject({ ...UNKNOWN, codes: ["pin_missing"] });
    });
  },
  ALL_DIALECTS,
);
