/** The creates of one kind in one scope look for those of other runs together, whichever end in which order. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createGathering } from "../../../../src/apply/schedule/gathering.ts";
import type { Change } from "../../../../src/model/change.ts";
import { groupBy } from "../../../../src/model/group-by.ts";
import { budget } from "../../../support/budget.ts";

type Step = "join" | "leave" | "join, leave" | "join, join";

const ACTIONS = ["create", "replace", "update"] as const;
const STEPS: readonly Step[] = ["join", "leave", "join, leave", "join, join"];

interface Wanted {
  readonly action: (typeof ACTIONS)[number];
  readonly kind: "domain" | "insight";
  readonly scope: string;
  readonly steps: Step;
  /** In which order the changes come. */
  readonly turn: number;
}

const wanted: fc.Arbitrary<Wanted> = fc.record({
  action: fc.constantFrom(...ACTIONS),
  kind: fc.constantFrom("domain", "insight"),
  scope: fc.constantFrom("acme", "beta"),
  steps: fc.constantFrom(...STEPS),
  turn: fc.integer({ min: 0, max: 1000 }),
});

const changeOf = ({ action, kind, scope }: Wanted, at: number): Change =>
  ({ address: `${scope}/${String(at)}`, action, kind, work: { scope } }) as Change;
const groupOf = ({ action, kind, scope }: Wanted): string => (action === "update" ? "" : `${action} ${kind} ${scope}`);

it("each part is worked on once, with its whole group, after the last of the group has joined or ended", () => {
  fc.assert(
    fc.property(fc.array(wanted, { maxLength: 8 }), (all) => {
      const changes = all.map(changeOf);
      const gathering = createGathering(changes);
      const worked: (readonly number[])[] = [];
      const pending = new Set(all.keys());
      const order = [...all.keys()].toSorted((a, b) => (all[a]?.turn ?? 0) - (all[b]?.turn ?? 0) || a - b);
      const firstJoins: number[] = [];
      for (const at of order) {
        const own = all[at];
        const address = changes[at]?.address ?? "";
        if (own === undefined) continue;
        for (const [index, step] of own.steps.split(", ").entries()) {
          const isFirstJoin = step === "join" && index === 0 && own.action !== "update";
          if (isFirstJoin) firstJoins.push(at);
          pending.delete(at);
          const before = worked.length;
          if (step === "leave") gathering.leave(address);
          else gathering.join(address, at, (parts) => Promise.resolve(void worked.push([...parts])));
          const isGroupDone = ![...pending].some((one) => all[one] !== undefined && groupOf(all[one]) === groupOf(own));
          // A part of no group, and one that comes after its group, begins at once.
          if (step === "join" && !isFirstJoin) expect(worked.slice(before)).toEqual([[at]]);
          else if (!isGroupDone) expect(worked).toHaveLength(before);
        }
      }
      const groups = groupBy(firstJoins, (at) => (all[at] === undefined ? "" : groupOf(all[at])));
      const together = [...groups.values()].map((parts) => JSON.stringify(parts));
      const found = worked.map((parts) => JSON.stringify(parts));
      for (const parts of together) expect(found).toContain(parts);
      const joins = all.flatMap(({ steps }) => steps.split(", ").filter((step) => step === "join"));
      expect(worked.flat()).toHaveLength(joins.length);
    }),
    { numRuns: budget(3_000) },
  );
});
