/** A part of the soaks. `npm run soak` runs any number. DRIFTLINE_SEED selects another part. */
import { expect, it } from "vitest";
import { budget, isWhole } from "../support/budget.ts";
import { soakCreates } from "./creates.ts";
import { soakLists } from "./lists.ts";
import { createTally, type Tally } from "./tally.ts";
import { overSockets, simulated } from "./world.ts";

const FAULTED = budget(2_000);
const SHOWN = FAULTED.toLocaleString("en");
const SEED = Number(process.env["DRIFTLINE_SEED"] ?? 1);

/** Runs worlds until a figure is high enough. A failure names its seed. */
async function until(
  count: number,
  figure: string,
  run: (seed: number, tally: Tally) => Promise<void>,
): Promise<Tally> {
  const tally = createTally();
  for (let seed = SEED; tally.figure(figure) < count; seed += 1) {
    await run(seed, tally).catch((error: unknown) => {
      throw new Error(`seed ${String(seed)}: ${String(error)}`, { cause: error });
    });
  }
  return tally;
}

it(`${SHOWN} faulted creates: nothing twice, nothing lost, no outcome that is not so`, async () => {
  const tally = await until(FAULTED, "faulted creates", (seed, into) => soakCreates(simulated, seed, into));
  if (!isWhole) return;
  expect(tally.figure("creates applied")).toBeGreaterThan(FAULTED / 2);
  expect(tally.hits.get("commit after the time-out") ?? 0).toBeGreaterThan(5);
});

it("some of them over real sockets", async () => {
  const tally = await until(budget(20), "faulted creates", (seed, into) => soakCreates(overSockets, seed, into));
  if (isWhole) expect(tally.figure("creates applied")).toBeGreaterThan(0);
});

it(`${SHOWN} faulty lists: nothing is planned that is not planned without faults`, async () => {
  const tally = await until(FAULTED, "faulty lists", (seed, into) => soakLists(simulated, seed, into));
  if (!isWhole) return;
  expect(tally.figure("with faults: unknown")).toBeGreaterThan(50);
  expect(tally.figure("plans whole in spite of faults")).toBeGreaterThan(5);
  expect(tally.figure("without faults: delete")).toBeGreaterThan(5);
});
