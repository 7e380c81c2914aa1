import * as fc from "fast-check";
import type { Tally } from "../soak/tally.ts";
import { histories } from "./steps.ts";
import { live } from "./world.ts";

/** Runs random histories. A failing history is shrunk and reported with its seed. */
export async function soakModel(seed: number, tally: Tally, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(histories, (history) => live(history, tally)),
    // The limit for shrinking a failure.
    { seed, numRuns, interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
  );
}
