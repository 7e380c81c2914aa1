/** A slice of the model; `npm run soak -- model` runs any number. DRIFTLINE_SEED selects other histories. */
import { expect, it } from "vitest";
import { createTally } from "../soak/tally.ts";
import { soakModel } from "./model.ts";
import { budget } from "../support/budget.ts";

const SEED = Number(process.env["DRIFTLINE_SEED"] ?? 1);
/** Each test runs 40 histories. */
const SEEDS = Array.from({ length: budget(12) }, (_, index) => SEED + index);

it.each(SEEDS)(
  "40 random histories: nothing twice, nothing removed that was not to be, and every run comes to rest (seed %i)",
  async (seed) => {
    const tally = createTally();
    await soakModel(seed, tally, 40);
    expect(tally.figure("histories")).toBe(40);
    expect(tally.figure("apply killed")).toBeGreaterThan(3);
    expect(tally.figure("writes")).toBeGreaterThan(50);
  },
);
