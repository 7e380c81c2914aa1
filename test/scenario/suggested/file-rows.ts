/** Suggestions that write into the files of a configuration. */
import { expect } from "vitest";
import { config, seedOf } from "../../support/acme.ts";
import { differing, type Row } from "./plan-rows.ts";
import { suggestion, world } from "./world.ts";

export const FILE_ROWS: readonly Row[] = [
  {
    name: "a pinned object that is missing: create it anew",
    of: ['plan/resource.ts: "apply" "--recreate" address'],
    test: async () => {
      const id = "0190aa11-0000-4000-8000-0000000000ff";
      const made = await world(config({ domains: { a: { id, domain: "a.acme.com" } } }), { seed: seedOf() });
      const line = suggestion(await made.run(["plan", ...made.args]), /^driftline apply .*--recreate/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(made.emulator.find("domain")).toHaveLength(1);
    },
  },
  {
    name: "a drift: write the live values into the files",
    of: ['report/summary.ts: "drift" "--accept"'],
    test: async () => {
      const made = await differing();
      const line = suggestion(await made.run(["drift", ...made.args]), /^driftline drift .*--accept/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(await made.run(["drift", ...made.args])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "a declaration without an id of an object that is not there: remove it by its address",
    of: ['engine/accept/candidates.ts: "drift" "--accept" change.address "--yes"'],
    test: async () => {
      const made = await world(config({ domains: { a: { domain: "a.acme.com" } } }), { seed: seedOf() });
      const accepted = await made.run(["drift", "--accept", "--yes", ...made.args]);
      expect(await made.follow(suggestion(accepted, /^driftline drift .*--yes$/))).toMatchObject({ code: 0 });
      expect(await made.run(["drift", ...made.args])).toMatchObject({ code: 0 });
    },
  },
];
