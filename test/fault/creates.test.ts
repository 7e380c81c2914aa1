/**
 * Faults x creates, over real sockets.
 *
 * Regardless of the fault: the outcome is correct, the next run ends with exactly one object and exit code 0, and the one
 * after that writes nothing.
 */
import { afterAll, describe, expect, it } from "vitest";
import type { Fault, FaultHandle, FaultRule } from "../../src/emulator/index.ts";
import { LARGE_HEADERS, NO_HTTP } from "../support/no-http.ts";
import { workspace } from "../support/workspace.ts";
import { applyNow, changesOf, configOf, CREATABLE, isHonest, made, type Creatable } from "./support.ts";

interface Case {
  readonly name: string;
  readonly rules: (creatable: Creatable) => readonly FaultRule[];
  /** Statuses that the first run may end with; `applied` if left out. */
  readonly statuses?: readonly string[];
}

/** The fault hits the create when it is sent first. */
const onCreate =
  (fault: Fault, times = 1) =>
  ({ path }: Creatable): readonly FaultRule[] => [{ method: "POST", path, nth: 1, times, fault }];

/** The create is processed but not answered. The fault hits the lists after those of the plan and the check before the create. */
const lostThen =
  (fault: Fault, times: number) =>
  (creatable: Creatable): readonly FaultRule[] => [
    ...onCreate({ type: "process-then-drop" })(creatable),
    { method: "GET", path: creatable.path, nth: 3, times, fault },
  ];

const CASES: readonly Case[] = [
  { name: "processed, then dropped", rules: onCreate({ type: "process-then-drop" }) },
  { name: "dropped before", rules: onCreate({ type: "drop-before" }) },
  { name: "dropped before, twice", rules: onCreate({ type: "drop-before" }, 2) },
  { name: "half a body", rules: onCreate({ type: "half-body" }) },
  ...Object.entries({ ...NO_HTTP, ...LARGE_HEADERS }).map(([name, text]) => ({
    name,
    rules: onCreate({ type: "bytes", text }, 9),
  })),
  { name: "no id in the answer", rules: onCreate({ type: "drop-field", field: "id" }) },
  { name: "a slow drip", rules: onCreate({ type: "slow-drip", bytes: 64, ms: 1 }) },
  { name: "HTML 502", rules: onCreate({ type: "html-502" }) },
  { name: "500", rules: onCreate({ type: "status", status: 500 }), statuses: ["applied", "failed"] },
  { name: "500 for ever", rules: onCreate({ type: "status", status: 500 }, 9), statuses: ["failed"] },
  { name: "503", rules: onCreate({ type: "status", status: 503 }) },
  { name: "504", rules: onCreate({ type: "status", status: 504 }) },
  { name: "504 for ever", rules: onCreate({ type: "status", status: 504 }, 9), statuses: ["failed"] },
  { name: "403", rules: onCreate({ type: "status", status: 403 }), statuses: ["failed"] },
  { name: "429, 1 s", rules: onCreate({ type: "throttle", retryAfter: 1 }) },
  { name: "429, no header", rules: onCreate({ type: "throttle", retryAfter: null }) },
  { name: "lost, stale reads after", rules: lostThen({ type: "stale-read" }, 2) },
  { name: "lost, 502 on the next lists", rules: lostThen({ type: "html-502" }, 3) },
  { name: "lost, lists that lie", rules: lostThen({ type: "lying-count", by: 1 }, 2) },
  { name: "lost, no list ever", rules: lostThen({ type: "status", status: 503 }, 99), statuses: ["unknown"] },
  { name: "lost, lists refused", rules: lostThen({ type: "status", status: 403 }, 99), statuses: ["unknown"] },
];

const table: string[][] = [["fault", ...CREATABLE.map(({ name }) => name)]];
const cells = CASES.map((fault) => {
  const row = [fault.name];
  table.push(row);
  return { fault, row };
});

/** Deployed servers answer 500 to every create on the organization's route. */
const KNOWN_500: ReadonlySet<string> = new Set(["batch_export"]);

describe.each(["document", "deployed"] as const)("on a server that speaks %s", (dialect) => {
  describe.each(cells)("a create with $fault.name", ({ fault, row }) => {
    it.each(CREATABLE.filter(({ name }) => dialect === "document" || !KNOWN_500.has(name)))(
      "$name",
      async (creatable) => {
        const space = await workspace({ dialect });
        await space.configure(configOf(creatable.config));
        const handles = fault.rules(creatable).map((rule): FaultHandle => space.emulator.faults.add(rule));
        const first = await applyNow(space);
        expect(handles.map(({ hits }) => hits > 0)).toEqual(handles.map(() => true));
        const [outcome, ...others] = changesOf(first);
        if (outcome === undefined) throw new Error(first.stderr);
        expect(others).toEqual([]);
        const count = made(space, creatable).length;
        expect(isHonest(outcome, count), `${outcome.status} with ${String(count)}: ${first.stdout}`).toBe(true);
        expect(fault.statuses ?? ["applied"], first.stdout).toContain(outcome.status);
        expect(first.code).toBe(
          { applied: 0, failed: fault.name === "403" ? 11 : 1, unknown: 15 }[outcome.status as "applied"],
        );
        space.emulator.faults.clear();
        await expectOneForGood(space, creatable);
        if (dialect === "document")
          row.push(`${outcome.status} (${String(handles.reduce((sum, { hits }) => sum + hits, 0))})`);
      },
    );
  });
});

async function expectOneForGood(space: Awaited<ReturnType<typeof workspace>>, creatable: Creatable): Promise<void> {
  const again = await applyNow(space);
  expect(again.code, again.stderr + again.stdout).toBe(0);
  expect(made(space, creatable)).toHaveLength(1);
  space.emulator.clearRequests();
  const empty = await applyNow(space);
  expect(changesOf(empty)).toEqual([]);
  expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(made(space, creatable)).toHaveLength(1);
}

describe("a service that creates twice on one request", () => {
  it.each(CREATABLE.filter(({ name }) => !["domain", "organization"].includes(name)))(
    "$name: one request was sent, and the younger object is taken back if it is the own one; else no run removes or adds anything",
    async (creatable) => {
      for (const isLost of [false, true]) {
        const space = await workspace();
        await space.configure(configOf(creatable.config));
        const twice = space.emulator.faults.add({
          method: "POST",
          path: creatable.path,
          nth: 1,
          fault: { type: "duplicate-create" },
        });
        if (isLost)
          space.emulator.faults.add({
            method: "POST",
            path: creatable.path,
            nth: 1,
            fault: { type: "process-then-drop" },
          });
        const first = await applyNow(space);
        const posts = (): number =>
          space.emulator.requests.filter(({ method, path }) => method === "POST" && creatable.path.test(path)).length;
        const left = made(space, creatable);
        expect([twice.hits, posts()]).toEqual([1, 1]);
        // Nothing shows that the other one is not of another run.
        if (!isLost) expect(first.code, first.stdout).toBe(left.length === 1 ? 0 : 14);
        if (!isLost) for (const { id } of left) expect(first.stdout).toContain(String(id));
        if (left.length === 1) continue;
        expect(left).toHaveLength(2);
        if (creatable.name === "membership") continue;
        if (isLost) expect(first.code, first.stdout).toBe(15);
        for (const { id } of isLost ? made(space, creatable) : []) expect(first.stdout).toContain(String(id));
        const again = await applyNow(space);
        expect(again.code, again.stdout).toBe(1);
        for (const { id } of made(space, creatable)) expect(again.stderr).toContain(String(id));
        expect([posts(), made(space, creatable).length]).toEqual([1, 2]);
        // A duplicate of an export could never export.
        if (creatable.stored === "batch_export")
          expect(made(space, creatable).some(({ paused }) => paused === true)).toBe(true);
      }
    },
  );
});

afterAll(() => {
  const widths = (table[0] ?? []).map((_cell, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  console.log(table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n"));
});
