/**
 * Creates exactly once, with any fault on their requests: every POST that creates is hit by a fault at least the first
 * time.
 *
 * Truth is the emulator's store. After the faulted run: what was reported applied is there exactly once, what was
 * reported failed or skipped is not there, nothing is there twice, and exit code and outcomes agree. After a run
 * without faults: exit code 0, everything exactly once, and an empty plan.
 */
import type { Dialect, FaultRule } from "../../src/emulator/index.ts";
import { isAsDeclared, type Outcome } from "../../src/model/outcome.ts";
import { outcomesOf, planOf, type CliResult } from "../support/cli.ts";
import { seededRandom, type Random } from "../support/random.ts";
import { CREATE_FAULTS, PROBE_FAULTS, STALE, type Named } from "./create-faults.ts";
import { configurationOf, creatable, objectsOf, SEED, type Made } from "./resources.ts";
import { createRules, type Rules, type Tally } from "./tally.ts";
import type { MakeWorld, SoakWorld } from "./world.ts";

const APPLY = ["apply", "--yes", "--format", "json"];

interface Setting {
  readonly world: SoakWorld;
  readonly random: Random;
  readonly kinds: readonly Made[];
  /** Resources of each kind. */
  readonly each: number;
  readonly tally: Tally;
}

/** Runs one world: creates with faults, then without. @throws Error that describes the violation */
export async function soakCreates(make: MakeWorld, seed: number, tally: Tally): Promise<void> {
  const random = seededRandom(seed);
  const dialect: Dialect = random.chance(0.5) ? "document" : "deployed";
  const world = await make({ seed: SEED, dialect, maxRequests: 1_000_000 }, random);
  const setting: Setting = { world, random, kinds: creatable(dialect), each: 1 + random.below(8), tally };
  try {
    await world.configure(configurationOf(setting.kinds, setting.each));
    await faultedRun(setting);
    // The next run may start while the service still processes abandoned requests of the last one.
    if (random.chance(0.5)) await world.drain();
    world.emulator.faults.clear();
    const settled = await world.run(APPLY);
    await world.drain();
    require(settled.code === 0, `a run without faults exits with ${String(settled.code)}`, settled);
    for (const { made, n, count } of counts(setting)) {
      if (count !== 1) require(false, `${made.address(n)} is there ${String(count)} times in the end`, settled);
    }
    const last = await world.run(["plan", "--detailed-exitcode", "--format", "json"]);
    require(last.code === 0, `the plan after it exits with ${String(last.code)}`, last);
    tally.add("worlds");
  } finally {
    await world.close();
  }
}

async function faultedRun(setting: Setting): Promise<void> {
  const { world, tally } = setting;
  const creates = createRules();
  const others = createRules();
  addFaults(setting, creates, others);
  const faulted = await world.run(APPLY);
  const outcomes = new Map(outcomesOf(faulted).changes.map((outcome) => [outcome.address, outcome]));
  for (const { made, n, count } of counts(setting)) {
    const outcome = outcomes.get(made.address(n));
    require(outcome !== undefined, `${made.address(n)} has no outcome`, faulted);
    if (outcome === undefined) return;
    tally.add(`creates ${outcome.status}`);
    const said = `${outcome.address} is ${outcome.status}`;
    require(isTrue(outcome, count), `${said}, and there ${String(count)} times`, faulted);
  }
  const ends = new Set([...outcomes.values()].map(({ status }) => status));
  if (ends.has("unknown"))
    require(faulted.code === 15, `unknown outcomes, but exit code ${String(faulted.code)}`, faulted);
  if (faulted.code === 0) require([...outcomes.values()].every(isAsDeclared), "exit code 0 is not so", faulted);
  if (faulted.code === 15) require(ends.has("unknown"), "exit code 15 without an unknown outcome", faulted);
  tally.add("faulted creates", creates.collect(tally));
  others.collect(tally);
}

/** Reports whether an outcome determines how often the object exists. */
function isTrue(outcome: Outcome, count: number): boolean {
  const { status } = outcome;
  if (isAsDeclared(outcome) || status === "unverified") return count === 1;
  return status === "unknown" ? count <= 1 : count === 0;
}

/** Every first create fails, some repeated ones too, and sometimes a list. */
function addFaults({ world, random, kinds, each }: Setting, creates: Rules, others: Rules): void {
  const add = (rules: Rules, rule: Omit<FaultRule, "fault">, { name, faults }: Named): void => {
    const [first] = faults.map((fault) => world.emulator.faults.add({ ...rule, times: rule.times ?? 1, fault }));
    if (first !== undefined) rules.note(name, first);
  };
  const paths = new Map(kinds.map(({ path }) => [path.source, path]));
  for (const path of paths.values()) {
    const creating = each * kinds.filter((made) => made.path.source === path.source).length;
    for (let nth = 1; nth <= 2 * creating; nth += 1) {
      if (nth <= creating || random.chance(0.4))
        add(creates, { method: "POST", path, nth }, random.pick(CREATE_FAULTS)(random));
    }
    // The first list is that of the plan. The second one checks whether another user was faster.
    for (let nth = 3; nth < 3 + 4 * creating; nth += 1) {
      if (random.chance(0.1)) add(others, { method: "GET", path, nth }, random.pick(PROBE_FAULTS)(random));
    }
    if (random.chance(0.2)) add(others, { method: "GET", path, nth: 3, times: 2 }, STALE);
  }
}

function counts({
  world,
  kinds,
  each,
}: Setting): readonly { readonly made: Made; readonly n: number; readonly count: number }[] {
  return kinds.flatMap((made) =>
    Array.from({ length: each }, (_, n) => ({ made, n, count: objectsOf(world.emulator, made, n).length })),
  );
}

/** @throws Error with the output of the command */
export function require(holds: boolean, what: string, result: CliResult): void {
  if (!holds) throw new Error(`${what}\n${result.stderr}${summaryOf(result)}`);
}

function summaryOf(result: CliResult): string {
  const { changes } = planOf(result) as unknown as { readonly changes: readonly Outcome[] };
  return changes
    .filter(({ action, status }) => action !== "no_op" && status !== "applied")
    .map(({ address, action, status, error }) => `  ${address}: ${action} ${status} ${error?.message ?? ""}\n`)
    .join("");
}
