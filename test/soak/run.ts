/**
 * Faults by the hundred thousand: `npm run soak -- creates|sockets|lists|model [--count N | --minutes N] [--seed N]`.
 *
 * Each world has a seed of its own, the first one's is printed; what fails names its own, with which it comes again.
 */
import { parseArgs } from "node:util";
import { soakModel } from "../model/model.ts";
import { soakCreates } from "./creates.ts";
import { soakLists } from "./lists.ts";
import { createTally, render, type Tally } from "./tally.ts";
import { overSockets, simulated } from "./world.ts";

interface Soak {
  /** One world. */
  readonly run: (seed: number, tally: Tally) => Promise<void>;
  /** The figure that is counted, and its default number. */
  readonly figure: string;
  readonly count: number;
}

const SOAKS: Readonly<Record<string, Soak>> = {
  creates: { run: (seed, tally) => soakCreates(simulated, seed, tally), figure: "faulted creates", count: 100_000 },
  sockets: { run: (seed, tally) => soakCreates(overSockets, seed, tally), figure: "faulted creates", count: 2_000 },
  model: { run: (seed, tally) => soakModel(seed, tally, 20), figure: "histories", count: 2_000 },
  lists: { run: (seed, tally) => soakLists(simulated, seed, tally), figure: "faulty lists", count: 100_000 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string" }, minutes: { type: "string" }, seed: { type: "string" } },
});
const names = positionals.length > 0 ? positionals : Object.keys(SOAKS);
const seed = Number(values.seed ?? process.env["DRIFTLINE_SEED"] ?? Date.now() % 1_000_000_000);
for (const name of names) await soak(name);

async function soak(name: string): Promise<void> {
  const found = SOAKS[name];
  if (found === undefined) throw new Error(`There is no soak "${name}"; there are ${Object.keys(SOAKS).join(", ")}.`);
  const { run, figure, count } = found;
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const until = values.minutes === undefined ? Infinity : Number(values.minutes) * 60;
  const enough = values.minutes === undefined || values.count !== undefined ? Number(values.count ?? count) : Infinity;
  const tally = createTally();
  process.stdout.write(`${name}: seed ${String(seed)}\n`);
  let reported = 0;
  for (let world = 0; tally.figure(figure) < enough && seconds() < until; world += 1) {
    await run(seed + world, tally).catch((error: unknown) => {
      process.stdout.write(`again with: npm run soak -- ${name} --count 1 --seed ${String(seed + world)}\n`);
      throw error;
    });
    if (seconds() < reported + 60) continue;
    reported = seconds();
    process.stdout.write(`  ${reported.toFixed(0)} s: ${String(tally.figure(figure))} ${figure}\n`);
  }
  process.stdout.write(`${name}: seed ${String(seed)}, ${seconds().toFixed(0)} s\n${render(tally)}`);
}
