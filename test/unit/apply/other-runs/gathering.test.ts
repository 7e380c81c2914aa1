/** The creates of one kind in one scope meet, whichever begin, come and end in which order. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createGathering } from "../../../../src/apply/other-runs/gathering.ts";
import type { Change } from "../../../../src/model/change.ts";
import { budget } from "../../../support/budget.ts";

const wanted = fc.record({
  action: fc.constantFrom("create", "replace"),
  kind: fc.constantFrom("domain", "insight"),
  scope: fc.constantFrom("acme", "beta"),
  /** When it begins, meets and ends. */
  moments: fc.uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 3, maxLength: 3 }),
  meets: fc.integer({ min: 0, max: 2 }),
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("each waits for those of its group that have begun, and for no others", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(wanted, { maxLength: 8 }), async (all) => {
      const gathering = createGathering();
      const underWay = new Map<string, Set<number>>();
      const [waiting, free] = [new Set<number>(), new Set<number>()];
      const events = all.flatMap(({ action, kind, scope, moments, meets }, index) => {
        const group = underWay.get(action + kind + scope) ?? new Set();
        underWay.set(action + kind + scope, group);
        const address = String(index);
        const [begins = 0, comes = 0, ends = 0] = moments.toSorted((a, b) => a - b);
        let end = (): void => undefined;
        const begin = (): void => {
          group.add(index);
          const work = (): Promise<void> => new Promise((resolve) => (end = resolve));
          void gathering.during({ address, action, kind, work: { scope } } as Change, work);
        };
        const meet = (): void => {
          group.delete(index);
          for (let times = 0; times < meets; times += 1) {
            waiting.add(index);
            void gathering.meet(address).then(() => free.add(index));
          }
        };
        const leave = (): void => {
          group.delete(index);
          end();
        };
        return [
          { at: begins, run: begin },
          ...(meets > 0 ? [{ at: comes, run: meet }] : []),
          { at: ends, run: leave },
        ].map((one) => ({ ...one, group, index }));
      });
      for (const { run, group } of events.toSorted((a, b) => a.at - b.at)) {
        const before = new Set(free);
        run();
        await turn();
        const members = new Set(events.filter((one) => one.group === group).map(({ index }) => index));
        const released = [...free].filter((index) => !before.has(index));
        expect(released).toEqual(
          group.size > 0 ? [] : [...waiting].filter((one) => members.has(one) && !before.has(one)),
        );
      }
      expect(free).toEqual(waiting);
    }),
    { numRuns: budget(1_000) },
  );
});

it("a change of no group does not wait", async () => {
  await expect(createGathering().meet("acme/domains/a.com")).resolves.toBeUndefined();
});
