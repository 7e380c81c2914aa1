/**
 * SIGKILL at every I/O boundary of an apply of every kind; at a fifth of them, unless DRIFTLINE_TESTS is `all`.
 *
 * Terms: a boundary is a place in an apply where it sends a request or touches a file of its state (journal, lock); see
 * {@link Boundary} for its moments.
 * Algorithm: the boundaries of an undisturbed run are counted first. Then there is a run, and a service, for each boundary,
 * which ends there; many of them share a process, and are killed together. After each the next run has to converge: exit code 0, all as
 * after a run that was not killed, nothing created or removed twice, no intent left open, and an empty plan.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readJournal } from "../../src/apply/journal/records.ts";
import type { Dialect } from "../../src/emulator/index.ts";
import { allKinds } from "../../src/kinds/registry.ts";
import { outcomesOf, planOf, type CliResult } from "../support/cli.ts";
import { part } from "../support/budget.ts";
import { DIALECTS } from "../support/dialects.ts";
import { seededRandom } from "../support/random.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { instantClock } from "./support.ts";
import { everything, SEED_OF_EVERYTHING } from "./kill/everything.ts";
import { killTogether, leadingTo, URL_OF_ALL, type Boundary, type Fate } from "./kill/together.ts";

const APPLY = ["apply", "--yes", "--format", "json", "--settle-after", "1", "--confirm-organization", "Gone Inc"];
/** The number of runs that are killed at once. */
const TOGETHER = 24;
const FIELDS = "name domain target_email level description enforce_2fa deleted paused interval destination".split(" ");

/** An undisturbed run. */
interface Whole {
  /** The hash of its plan. All other runs have the same one before they are killed. */
  readonly hash: string;
  readonly boundaries: Fate["boundaries"];
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly once: readonly string[];
}

describe.each(DIALECTS)("an apply of every kind on a %s server that is killed", (dialect) => {
  it.each([
    ["request", "before and after it takes effect"],
    ["touch", "of its journal or lock, before, in the middle and after"],
  ] as const)("at any %s, %s, is finished by the next one", async (what, words) => {
    const whole = await countWhole(dialect);
    const counted = whole.boundaries[what];
    // Each fifth boundary is tried in one of the dialects, or each in both.
    const mine = (upTo: number) => part(part(numbersUpTo(upTo)), DIALECTS.indexOf(dialect), DIALECTS.length);
    const numbers = mine(2 * counted);
    let [isThere, killed] = [true, 0];
    for (let at = 0; at < numbers.length && (isThere || (numbers[at] ?? 0) <= counted); at += TOGETHER) {
      const boundaries = numbers.slice(at, at + TOGETHER).map((number) => ({ what, number }));
      const reached = await killAt(dialect, whole, boundaries);
      killed += reached.filter(Boolean).length;
      isThere = reached.every(Boolean);
    }
    console.log(
      `${dialect}: killed at ${String(killed)} boundaries of each ${what}, ${words} (counted: ${String(counted)})`,
    );
    // Reads of one list at the same time share a request, and records that come up at the same time a write: that differs from run to run.
    expect(killed).toBeGreaterThanOrEqual(Math.floor(mine(counted).length * 0.8));
  });
});

function numbersUpTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

async function space(dialect: Dialect): Promise<Workspace> {
  const random = seededRandom(7);
  const made = await workspace({ seed: SEED_OF_EVERYTHING, dialect, random: () => random.next() });
  await made.configure(everything(dialect));
  return made;
}

/** Runs a command in this process, by the address of all services. */
function run(one: Workspace, args: readonly string[]): Promise<CliResult> {
  const runtime = { clock: instantClock(), dispatcher: leadingTo(one) };
  return one.run(args, { env: { DRIFTLINE_URL: URL_OF_ALL }, runtime });
}

/** So much is removed that the hash of the plan has to be approved. */
async function approved(one: Workspace): Promise<readonly string[]> {
  const plan = await run(one, ["plan", "--format", "json"]);
  expect(plan.code, plan.stderr).toBe(0);
  return [...APPLY, "--approve", planOf(plan).hash];
}

async function countWhole(dialect: Dialect): Promise<Whole> {
  const one = await space(dialect);
  const before = contents(one);
  const args = await approved(one);
  one.emulator.clearRequests();
  const [fate] = await killTogether([{ space: one, args, at: { what: "request", number: 0 } }]);
  if (fate?.code !== 0) throw new Error(fate?.output);
  const { changes } = outcomesOf({ stdout: fate.output?.slice(fate.output.indexOf("{\n")) ?? "" } as CliResult);
  const names = allKinds.map(({ name }) => name).filter((name) => name !== "identity_provider_config");
  expect([...new Set(changes.map(({ kind }) => kind))].toSorted()).toEqual(names.toSorted());
  expect(new Set(changes.map(({ action }) => action))).toEqual(
    new Set(["create", "update", "replace", "restore", "delete"]),
  );
  return {
    hash: args.at(-1) ?? "",
    boundaries: fate.boundaries,
    before,
    after: contents(one),
    once: unrepeatable(one),
  };
}

/** Kills a run at each of these boundaries, and checks that the next one converges. Returns the boundaries that were reached. */
async function killAt(dialect: Dialect, whole: Whole, boundaries: readonly Boundary[]): Promise<readonly boolean[]> {
  const spaces = await Promise.all(boundaries.map(() => space(dialect)));
  const args = [...APPLY, "--approve", whole.hash];
  const doomed = boundaries.map((at, index) => ({ space: spaces[index] as Workspace, args, at }));
  const fates = new Map((await killTogether(doomed)).map((fate) => [fate.index, fate]));
  for (const [index, { space: killed, at }] of doomed.entries()) {
    const fate = fates.get(index) as Fate;
    const where = `${dialect}, ${at.what} ${String(at.number)}`;
    if (!fate.reached) expect(fate.code, `${where}: ${fate.output ?? ""}`).toBe(0);
    await expectConverges(killed, whole, where);
    await killed.emulator.close();
  }
  return doomed.map((_one, index) => fates.get(index)?.reached === true);
}

/** The run after a kill finishes the work, and after it there is nothing to do. */
async function expectConverges(killed: Workspace, whole: Whole, where: string): Promise<void> {
  const state = join(killed.folder, "state");
  const { emulator } = killed;
  // If nothing was written, the next run is like the first.
  if (emulator.requests.every(({ method }) => method === "GET") && !existsSync(state))
    return expect(contents(killed), where).toEqual(whole.before);
  const again = await run(killed, await approved(killed));
  expect(again.code, `${where}: ${again.stderr}${again.stdout}`).toBe(0);
  expect(contents(killed), where).toEqual(whole.after);
  expect(unrepeatable(killed), where).toEqual(whole.once);
  const left = readdirSync(state).filter((file) => /\.(?:journal|lock)$/.test(file));
  const open = await Promise.all(left.map((file) => readJournal(join(state, file))));
  // The next run that needs a lock breaks that of the dead process.
  const idle = outcomesOf(again).changes.every(({ action }) => action === "no_op");
  expect([idle ? [] : left.filter((file) => file.endsWith(".lock")), open.flat()], where).toEqual([[], []]);
  const last = await run(killed, ["plan", "--detailed-exitcode"]);
  expect(last.code, `${where}: ${last.stdout}`).toBe(0);
}

/** All live objects, without the values that differ from run to run. */
function contents({ emulator }: Workspace): readonly string[] {
  return Object.entries(emulator.dump())
    .flatMap(([kind, objects]) =>
      objects.map((object) => {
        const user = object["user"] as { readonly email?: string } | undefined;
        return JSON.stringify([kind, user?.email, ...FIELDS.map((field) => object[field] ?? null)]);
      }),
    )
    .toSorted();
}

/** The creates and deletes that took effect: each may occur once, regardless of the number of kills. */
function unrepeatable({ emulator }: Workspace): readonly string[] {
  return emulator.requests
    .filter(({ method, path, status }) => isUnrepeatable(method, path) && (status ?? 500) < 300)
    .map(
      ({ method, path, body }) =>
        `${method} ${path.replaceAll(/[0-9a-f-]{36}|\d+(?=\/$)/g, ":id")} ${JSON.stringify(body)}`,
    )
    .toSorted();
}

function isUnrepeatable(method: string, path: string): boolean {
  return method === "DELETE" || (method === "POST" && !/pause\/?$/.test(path));
}
