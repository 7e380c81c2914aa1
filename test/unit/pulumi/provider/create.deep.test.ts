/** How often the provider reads for creates that the engine has in flight together. The engine itself is not in it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator, type Emulator } from "../../../../src/emulator/index.ts";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { Properties } from "../../../../src/pulumi/properties/properties.ts";
import { create } from "../../../../src/pulumi/provider/create.ts";
import { ObjectOwners } from "../../../../src/pulumi/provider/object-owners.ts";
import { sessionOf } from "../../../../src/pulumi/provider/session.ts";
import { NOOP, QUERY } from "../../../support/acme.ts";
import { envOf } from "../../../support/cli.ts";
import { ALL_DIALECTS } from "../../../support/dialects.ts";
import { SEED } from "../../../support/workspace.ts";

const COUNT = 100;
const SETTINGS = { DRIFTLINE_MAX_REQUESTS_PER_MINUTE: "1000000", DRIFTLINE_SETTLE_AFTER: "1" };

/** As the engine does it: so many at once, and it writes its state before each call and after it, one at a time. */
async function asEngine(count: number, parallel: number, call: (number: number) => Promise<unknown>): Promise<void> {
  let writing = Promise.resolve();
  const write = (): Promise<void> => (writing = writing.then(() => new Promise((resolve) => setTimeout(resolve, 1))));
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const number of numbers) {
      await write();
      await call(number);
      await write();
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

async function ups(
  kind: "insight" | "batch_export",
  parallel: number,
  dialect: (typeof ALL_DIALECTS)[number],
  faults: readonly Parameters<Emulator["faults"]["add"]>[0][] = [],
) {
  const folder = await mkdtemp(join(tmpdir(), "driftline-creates-"));
  const emulator: Emulator = await startEmulator({ seed: SEED, dialect });
  onTestFinished(async () => {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  for (const fault of faults) emulator.faults.add(fault);
  const owners = new ObjectOwners(kinds[kind]);
  const session = sessionOf(undefined, { ...envOf(emulator, folder), ...SETTINGS });
  const inputs = (number: number): Properties => ({
    projectId: 2,
    name: `${kind} ${String(number)}`,
    ...(kind === "insight" ? { query: QUERY } : { interval: "day", destination: NOOP }),
  });
  await asEngine(COUNT, parallel, (number) =>
    create(session, { kind: kinds[kind], inputs: inputs(number), urn: `urn:${String(number)}`, owners }),
  );
  const { requests } = emulator;
  const reads = requests.filter(({ method }) => method === "GET").length;
  return { made: emulator.find(kind).length, reads, writes: requests.length - reads };
}

it.each([
  { dialect: "document", kind: "insight", parallel: 25 },
  { dialect: "current", kind: "insight", parallel: 8 },
  { dialect: "deployed", kind: "batch_export", parallel: 25 },
] as const)("$dialect: $parallel creates of $kind at once look once before they are sent", async (row) => {
  const { made, reads, writes } = await ups(row.kind, row.parallel, row.dialect);
  expect(made).toBe(COUNT);
  expect(writes).toBe(COUNT);
  // The list for the plans, and a look for each group. A slow machine may cut a group in two.
  expect(reads).toBeLessThanOrEqual(1 + 2 * Math.ceil(COUNT / row.parallel));
});

it("creates whose answers are lost, and those that never arrived, leave one object each", async () => {
  const lost = (nth: number, type: "process-then-drop" | "drop-before") =>
    ({ method: "POST", nth, times: 3, fault: { type } }) as const;
  const faults = [lost(5, "process-then-drop"), lost(30, "drop-before"), lost(60, "process-then-drop")];
  expect((await ups("insight", 25, "document", faults)).made).toBe(COUNT);
});
