import { describe, expect, it } from "vitest";
import { notAttributed, onlyAttributed } from "../../../../src/engine/accept/attributed.ts";
import type { ModifiedFilter } from "../../../../src/engine/plan/modified-filter.ts";
import { driftOf } from "./support.ts";

const WEB = "acme/projects/web/insights";
const FILE = `driftline: 1
organizations:
  acme:
    name: Acme Inc
    projects:
      web:
        id: "2"
        insights:
          both: { id: 1, description: a }
          by: { id: 2, description: a }
          when: { id: 3, description: a }
          nothing: { id: 4, description: a }
          same: { id: 5, description: b }
`;
const ADA = { last_modified_by: { email: "ada@acme.com" } };
const AT = { last_modified_at: "2026-03-02T00:00:00Z" };
const rows = [{ ...ADA, ...AT }, ADA, AT, {}, {}].map((modified, index) => ({
  id: index + 1,
  short_id: `short${String(index)}`,
  name: String(index),
  description: "b",
  ...modified,
}));

describe("what a filtered drift accepts", () => {
  it.each<[string, ModifiedFilter | undefined, readonly string[]]>([
    ["everything without a filter", undefined, []],
    ["what is known to be as late", { since: 0 }, ["by", "nothing"]],
    ["what is known to be of the person", { by: "ada@acme.com" }, ["nothing", "when"]],
    ["what both is known of", { since: 0, by: "ada@acme.com" }, ["by", "nothing", "when"]],
  ])("is %s", async (_name, modified, left) => {
    const drift = await driftOf(FILE, { "insights.list": rows }, { modified });
    const attributed = onlyAttributed(drift);
    const addresses = left.map((name) => `${WEB}/${name}`);
    expect(attributed.left.map(({ address }) => address)).toEqual(addresses);
    const kept = drift.plan.changes.filter(({ address }) => !addresses.includes(address));
    expect(attributed.run.plan.changes).toEqual(kept);
    expect(attributed.run.plan.summary).toMatchObject({ update: 4 - left.length, no_op: 2 });
    for (const change of attributed.left)
      expect(notAttributed(change)).toMatchObject({
        code: "not_accepted",
        address: change.address,
        file: "driftline.yaml",
      });
  });
});
