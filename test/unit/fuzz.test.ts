/** A short run of `npm run fuzz`. test/bench/fuzzing.ts says what is counted. */
import { expect, it } from "vitest";
import { fuzz, KINDS, MOST_STEPS } from "../bench/fuzzing.ts";

it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])("no damaged input crashes or takes long: %s", async (name) => {
  const { median, most } = await fuzz(name, { count: 200, seed: 1 });
  expect(median).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(MOST_STEPS * median);
});
