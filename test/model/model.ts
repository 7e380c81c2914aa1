import * as fc from "fast-check";
import type { Tally } from "../soak/tally.ts";
import { histories } from "./steps.ts";
import { live } from "./world.ts";

/** Lives through random histories; one that fails is made as small as it gets, and told with its seed. */
export async function soakModel(seed: number, tally: Tally, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(histories, (history) => live(history, tally)),
    // A failure is made smaller for no longer than this.
    { seed, numRuns, interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
  );
}
