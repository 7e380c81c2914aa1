/**
 * The replace of a batch export beside a change that fails, with a fault on any request: never do two exports run, never is a third one
 * made, and the pin is the old id as long as the old export exists. The next runs finish the replace, or name both exports and stop.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Document } from "yaml";
import { assert, asyncProperty, boolean, constantFrom, nat, record } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dialect, Fault, StoredObject } from "../../src/emulator/index.ts";
import { budget } from "../support/budget.ts";
import { outcomesOf, planOf, type CliResult } from "../support/cli.ts";
import { DIALECTS } from "../support/dialects.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";
import { ACME, applyNow, changesOf, configOf } from "./support.ts";

const ADDRESS = "acme/projects/web/batch_exports/e";
const NOOP = { type: "NoOp", config: {} };
const HTTP = { type: "HTTP", config: { url: "https://acme.com", token: "t-0123456789" } };
const START = "2026-01-01T00:00:00Z";
const PATH = /batch_exports/;

interface World {
  readonly dialect: Dialect;
  readonly isPinned: boolean;
  /** Whether the state folder is there in the next run. */
  readonly keepsState: boolean;
}

interface Given extends World {
  readonly space: Workspace;
  readonly oldId: string;
}

async function given(world: World): Promise<Given> {
  const space = await workspace({ dialect: world.dialect, seed: SEED });
  const values = { name: "E", interval: "hour", destination: NOOP, model: "persons", start_at: START };
  const { id } = space.emulator.insert("batch_export", { project: 2 }, values);
  // A stale read shows the state before the last write: the old export is in it.
  space.emulator.insert("insight", { project: 2 }, { name: "I" });
  const pin = world.isPinned ? { id: String(id) } : {};
  const config = configOf({
    acme: {
      id: ACME,
      domains: { d: { domain: "made.com" } },
      projects: { web: { id: "2", batch_exports: { e: { ...pin, name: "E", interval: "hour", destination: HTTP } } } },
    },
  });
  await space.configure(new Document(config).toString());
  return { ...world, space, oldId: String(id) };
}

const exportsOf = ({ space }: Given): readonly StoredObject[] => space.emulator.find("batch_export");

async function pinOf({ space }: Given): Promise<string | undefined> {
  return /id: (\S+)\n\s+name: E/u.exec(await readFile(join(space.folder, "driftline.yaml"), "utf8"))?.[1];
}

/** One run, and what must hold after it however it ended. */
async function apply(world: Given): Promise<CliResult> {
  const { space, oldId, isPinned, keepsState } = world;
  const result = await applyNow(space);
  const found = exportsOf(world);
  expect(found.length, "a third export").toBeLessThanOrEqual(2);
  expect(found.length, "no export is left").toBeGreaterThan(0);
  expect(found.filter(({ paused }) => paused !== true).length, "two exports run").toBeLessThanOrEqual(1);
  const old = found.find(({ id }) => String(id) === oldId);
  if (old !== undefined) {
    expect(old["paused"]).toBe(false);
    if (isPinned) expect(await pinOf(world), "the pin of an export that exists").toBe(oldId);
  }
  if (!keepsState) await rm(join(space.folder, "state"), { recursive: true, force: true });
  return result;
}

/** A person removes the replacement after a plan that names both exports and stops. */
async function removeReplacement(world: Given): Promise<void> {
  const { space, oldId } = world;
  const plan = planOf(await space.run(["plan", "--format", "json"]));
  const change = plan.changes.find(({ address }) => address === ADDRESS);
  const isStopped = change?.action === "unknown" || change?.blocked?.rule === "replacement_exists";
  if (!isStopped) return;
  const said = JSON.stringify([change, plan.diagnostics]);
  const [one, other] = exportsOf(world).map(({ id }) => String(id));
  expect(
    [one, other].filter((id) => id === undefined || !said.includes(id)),
    "both are named",
  ).toEqual([]);
  space.emulator.remove("batch_export", one === oldId ? (other ?? "") : (one ?? ""));
}

async function expectFinished(world: Given): Promise<void> {
  await removeReplacement(world);
  const results = [await apply(world), await apply(world), await apply(world)];
  const last = results.at(-1);
  expect(last && [last.code, changesOf(last)], results.map(({ stdout, stderr }) => stdout + stderr).join("\n")).toEqual(
    [0, []],
  );
  const [left, ...others] = exportsOf(world);
  expect(others).toEqual([]);
  expect(left).toMatchObject({ paused: false, model: "persons", start_at: START, destination: { type: "HTTP" } });
  if (world.isPinned) expect(await pinOf(world)).toBe(String(left?.id));
}

const FAULTS: readonly Fault[] = [
  { type: "drop-before" },
  { type: "process-then-drop" },
  { type: "half-body" },
  { type: "html-502" },
  { type: "stale-read" },
  ...[400, 401, 403, 404, 409, 500, 503].map((status): Fault => ({ type: "status", status })),
];

const WORLDS = DIALECTS.flatMap((dialect) =>
  [true, false].flatMap((isPinned) => [true, false].map((keepsState) => ({ dialect, isPinned, keepsState }))),
);

describe("the replace of a batch export", () => {
  it.each(WORLDS)(
    "is not begun beside a change that fails, and is made by the next run: $dialect, pinned $isPinned, state $keepsState",
    async (row) => {
      const world = await given(row);
      const { space, oldId } = world;
      space.emulator.faults.add({ method: "POST", path: "/domains", fault: { type: "status", status: 400 } });
      const first = await apply(world);
      expect(exportsOf(world).map(({ id }) => String(id))).toEqual([oldId]);
      const outcome = outcomesOf(first).changes.find(({ address }) => address === ADDRESS);
      expect(outcome).toMatchObject({ status: "skipped", id: oldId, error: { code: "not_removed" } });
      space.emulator.faults.clear();
      await expectFinished(world);
    },
  );

  it.each(WORLDS)(
    "whose old export cannot be removed keeps its pin, and the new one stays paused: $dialect, pinned $isPinned, state $keepsState",
    async (row) => {
      const world = await given(row);
      const { space, oldId } = world;
      space.emulator.faults.add({ method: "DELETE", path: PATH, fault: { type: "status", status: 403 } });
      for (const result of [await apply(world), await apply(world)]) expect(result.code, result.stdout).not.toBe(0);
      expect(exportsOf(world).map(({ id, paused }) => [String(id) === oldId, paused])).toEqual([
        [true, false],
        [false, true],
      ]);
      space.emulator.faults.clear();
      await expectFinished(world);
    },
  );

  it.each(WORLDS.flatMap((row) => [true, false].map((isReadable) => ({ ...row, isReadable }))))(
    "whose new export was not started has the pin of it: $dialect, pinned $isPinned, state $keepsState, readable $isReadable",
    async ({ isReadable, ...row }) => {
      const world = await given(row);
      const { space } = world;
      const { faults } = space.emulator;
      const rule = { method: "POST", path: "/unpause/", times: 99 };
      // From the first of them on, no read shows whether it runs.
      const until = { catch: () => faults.add({ method: "GET", path: PATH, times: 99, fault: { type: "html-502" } }) };
      if (!isReadable)
        faults.add({ ...rule, times: 1, fault: { type: "delay-before", until: until as unknown as Promise<unknown> } });
      faults.add({ ...rule, fault: { type: "drop-before" } });
      expect((await apply(world)).code).toBe(isReadable ? 14 : 15);
      const [left] = exportsOf(world);
      if (row.isPinned) expect(await pinOf(world)).toBe(String(left?.id));
      faults.clear();
      await expectFinished(world);
    },
  );

  it.each(WORLDS)(
    "that may not be the only one, as no list can be read, keeps the pin of the old one: $dialect, pinned $isPinned, state $keepsState",
    async (row) => {
      const world = await given(row);
      const { faults } = world.space.emulator;
      faults.add({ method: "GET", path: PATH, nth: 3, times: 99, fault: { type: "drop-before" } });
      expect((await apply(world)).code).toBe(15);
      faults.clear();
      await expectFinished(world);
    },
  );

  it("is finished or stops whatever request fails, for whatever reason", async () => {
    const cells = record({
      dialect: constantFrom(...DIALECTS),
      isPinned: boolean(),
      keepsState: boolean(),
      failsBeside: boolean(),
      fault: constantFrom(...FAULTS),
      method: constantFrom("GET", "POST", "DELETE", "PATCH"),
      nth: nat(7),
      times: constantFrom(1, 2, 99),
    });
    await assert(
      asyncProperty(cells, async ({ failsBeside, fault, method, nth, times, ...row }) => {
        const world = await given(row);
        const { faults } = world.space.emulator;
        if (failsBeside) faults.add({ method: "POST", path: "/domains", fault: { type: "status", status: 400 } });
        faults.add({ method, path: PATH, nth: nth + 1, times, fault });
        await apply(world);
        if (failsBeside) await apply(world);
        faults.clear();
        await expectFinished(world);
      }),
      { numRuns: budget(300) },
    );
  });
});
