/** A replace of an object that may exist twice for a moment: nothing is removed before the new object is there. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Emulator, Fault } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { NOOP } from "../support/acme.ts";
import { describeDialects } from "../support/dialects.ts";
import type { ProviderProcess } from "./support/provider-process.ts";
import { world } from "./support/world.ts";

const COMMON = { projectId: 2, name: "Nightly", interval: "day", paused: false, hogqlQuery: null };
const HTTP: JsonObject = { ...COMMON, destination: { type: "HTTP", config: { url: "https://acme.com", token: "t" } } };
const NEXT: JsonObject = { ...COMMON, destination: NOOP };
const KEPT = { model: "persons", start_at: "2026-01-01T00:00:00Z" };

function writes({ requests }: Emulator): readonly string[] {
  return requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path.replace(/^.*batch_exports\/?/, "").replace(/^[0-9a-f-]{36}/, "ID")}`);
}

/** An export to HTTP with values that no program declares, and the state that has it. */
async function withExport(): Promise<
  Awaited<ReturnType<typeof world>> & {
    readonly id: string;
    readonly outs: JsonObject;
    /** Starts the process of another run. */
    readonly run: () => Promise<ProviderProcess>;
    /** Forgets what earlier runs have journaled, as on another machine. */
    readonly forget: () => Promise<void>;
  }
> {
  const journal = await mkdtemp(join(tmpdir(), "driftline-journal-"));
  onTestFinished(() => rm(journal, { recursive: true, force: true }));
  const given = await world({ env: { DRIFTLINE_STATE_DIR: journal, DRIFTLINE_SETTLE_AFTER: "1" } });
  const { id, outs } = await given.provider.as("batchExport").create({ ...HTTP, adopt: false });
  given.emulator.edit("batch_export", id, KEPT);
  given.emulator.clearRequests();
  const run = async (): Promise<ProviderProcess> => (await given.later()).as("batchExport");
  const forget = (): Promise<void> => rm(journal, { recursive: true, force: true });
  return { ...given, id, outs, run, forget };
}

describeDialects("a replace of a batch export", () => {
  it("creates the new one paused, removes the old one, and only then unpauses", async () => {
    const { emulator, id, outs, run } = await withExport();
    const provider = await run();
    expect(await provider.diff(id, outs, NEXT)).toMatchObject({ replaces: ["destination"], deleteBeforeReplace: true });
    await provider.remove(id, outs);
    expect(emulator.find("batch_export")).toMatchObject([{ ...KEPT, destination: NOOP, paused: true }]);
    const made = await provider.create(NEXT);
    expect(writes(emulator)).toEqual(["POST ", "DELETE ID/", "POST ID/unpause/"]);
    expect(emulator.find("batch_export")).toMatchObject([{ ...KEPT, id: made.id, destination: NOOP, paused: false }]);
    expect(made.id).not.toBe(id);
    await expect(provider.read(made.id, made.outs)).resolves.toMatchObject({ id: made.id });
  });

  it("that the service refuses leaves the old one as it was, and the next run may do something else", async () => {
    const { emulator, id, outs, run } = await withExport();
    emulator.faults.add({ method: "POST", fault: { type: "status", status: 400 } });
    const provider = await run();
    await provider.diff(id, outs, NEXT);
    await expect(provider.remove(id, outs)).rejects.toThrow("400");
    expect(writes(emulator)).toEqual(["POST "]);
    expect(emulator.find("batch_export")).toMatchObject([
      { ...KEPT, id, destination: HTTP["destination"], paused: false },
    ]);
    emulator.faults.clear();
    expect(await (await run()).diff(id, outs, HTTP)).toMatchObject({ changes: "none" });
  });

  it.each([
    ["is created", { ...NEXT, adopt: false }],
    ["had adopted the old one by its id", undefined],
  ])("that ends before the engine knows the new object gives it to the resource that %s", async (_name, declared) => {
    const { emulator, id, outs, run } = await withExport();
    const next = declared ?? { ...NEXT, adopt: id };
    const first = await run();
    await first.diff(id, outs, next);
    await first.remove(id, outs);
    const second = await run();
    await second.diff(id, outs, next);
    const made = await second.create(next);
    expect(emulator.find("batch_export")).toMatchObject([{ ...KEPT, id: made.id, destination: NOOP, paused: false }]);
  });

  const faults: readonly (readonly [string, string, RegExp, Fault])[] = [
    ["a create without an answer", "POST", /batch_exports\/$/, { type: "process-then-drop" }],
    ["a create that does not arrive", "POST", /batch_exports\/$/, { type: "drop-before" }],
    ["a delete that is refused", "DELETE", /./, { type: "status", status: 403 }],
    ["a delete without an answer", "DELETE", /./, { type: "process-then-drop" }],
    ["a list that cannot be read", "GET", /batch_exports\/$/, { type: "status", status: 403 }],
    ["an unpause that is refused", "POST", /unpause/, { type: "status", status: 403 }],
  ];

  it.each(faults)("goes on after %s, and one export is left", async (_name, method, path, fault) => {
    const { emulator, id, outs, run } = await withExport();
    emulator.faults.add({ method, path, fault });
    const first = await run();
    await first.diff(id, outs, NEXT);
    const isRemoved = await first.remove(id, outs).then(
      () => true,
      () => false,
    );
    if (isRemoved) await first.create(NEXT).catch(() => undefined);
    // The old one runs until it is gone, and the new one does not run before.
    const [running, ...others] = emulator.find("batch_export", ({ paused }) => paused !== true).map((one) => one.id);
    expect(others).toEqual([]);
    if (emulator.find("batch_export").some((one) => one.id === id)) expect(running).toBe(id);
    emulator.faults.clear();
    const second = await run();
    await second.diff(id, outs, NEXT);
    if (!isRemoved) await second.remove(id, outs);
    const made = await second.create(NEXT);
    expect(emulator.find("batch_export")).toMatchObject([{ ...KEPT, id: made.id, destination: NOOP, paused: false }]);
  });

  it("names both objects if an earlier run on another machine has created the new one", async () => {
    const { emulator, id, outs, run, forget } = await withExport();
    emulator.faults.add({ method: "DELETE", fault: { type: "status", status: 403 } });
    const first = await run();
    await first.diff(id, outs, NEXT);
    await expect(first.remove(id, outs)).rejects.toThrow("403");
    emulator.faults.clear();
    emulator.clearRequests();
    await forget();
    const second = await run();
    await second.diff(id, outs, NEXT);
    const [other] = emulator.find("batch_export", (one) => one.id !== id);
    const refused = second.remove(id, outs);
    await expect(refused).rejects.toThrow(id);
    await expect(refused).rejects.toThrow(other?.id);
    expect(writes(emulator)).toEqual([]);
  });
});
