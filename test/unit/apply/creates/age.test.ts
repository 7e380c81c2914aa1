/** Several runs have to agree on the oldest object, in whichever order the service lists them. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { inOrderOfAge } from "../../../../src/apply/creates/age.ts";
import type { LiveObject } from "../../../../src/model/live.ts";
import { budget } from "../../../support/budget.ts";

const objectOf = (id: string, createdAt: string | undefined): LiveObject => ({
  kind: "insight",
  scope: "acme/projects/web",
  id,
  pins: { id },
  keys: ["Made"],
  values: {},
  onDifference: "update",
  createdAt,
});
const idsOf = (objects: readonly LiveObject[]): readonly string[] => inOrderOfAge(objects).map(({ id }) => id);

/** Few values, so that many objects have the same time. The notations are those of services. */
const times = fc.oneof(
  fc.constantFrom(undefined, "", "soon"),
  fc
    .tuple(
      fc.integer({ min: 0, max: 1 }),
      fc.constantFrom("", ".1", ".100", ".100001", ".1000009"),
      fc.constantFrom("Z", "+00:00"),
    )
    .map(([second, fraction, zone]) => `2026-01-01T00:00:0${String(second)}${fraction}${zone}`),
);
const uuids = fc.uuid();
const numbers = fc.integer({ min: 1, max: 1500 }).map(String);

it.each([
  ["numbers", numbers],
  ["uuids", uuids],
] as const)("objects with %s for ids have one order", (_name, ids) => {
  const objects = fc.uniqueArray(fc.tuple(ids, times), { selector: ([id]) => id, maxLength: 6 });
  const shuffled = objects
    .map((all) => all.map(([id, time]) => objectOf(id, time)))
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  fc.assert(
    fc.property(shuffled, ([all, other]) => {
      expect(idsOf(other)).toEqual(idsOf(all));
    }),
    { numRuns: budget(5_000) },
  );
});

it.each([
  ["the seconds", "2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z"],
  ["the microseconds", "2026-01-01T00:00:01.100001Z", "2026-01-01T00:00:01.100002Z"],
  ["the zones", "2026-01-01T01:00:00+02:00", "2026-01-01T00:00:00Z"],
])("the older one comes first: %s decide before the id", (_name, older, younger) => {
  expect(idsOf([objectOf("1", younger), objectOf("2", older)])).toEqual(["2", "1"]);
});

it.each([
  ["the same time", "2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.100+00:00"],
  ["no time", undefined, undefined],
])("of objects with %s the smaller id comes first", (_name, one, other) => {
  expect(idsOf([objectOf("10", one), objectOf("9", other)])).toEqual(["9", "10"]);
});
