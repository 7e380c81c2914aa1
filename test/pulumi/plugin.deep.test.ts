import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import { envOf } from "../support/cli.ts";
import { SEED } from "../support/workspace.ts";
import { sdks } from "./support/engine.ts";
import { startPlugin } from "./support/plugin-process.ts";
import { failureIn } from "./support/provider-process.ts";
import { installPackages } from "./support/stack.ts";

const insight = { projectId: 2, name: "Signups", tags: ["growth"] };

describe.each(sdks())("the packaged provider on the messages of the $name SDK", (toolchain) => {
  it.skipIf("missing" in toolchain)("lives a life, imports, keeps a partial failure, and stops", async () => {
    if ("missing" in toolchain) return;
    const folder = await mkdtemp(join(tmpdir(), "driftline-plugin-"));
    await mkdir(join(folder, "project"));
    await installPackages(join(folder, "project"), toolchain);
    const emulator = await startEmulator({ seed: SEED });
    const own = join(folder, "project/node_modules/driftline");
    const plugin = await startPlugin(envOf(emulator, join(folder, "state")), toolchain, own);
    onTestFinished(async () => {
      plugin.stop();
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    });
    await plugin.send("handshake", "ProviderHandshakeRequest");
    await plugin.configure({});
    const { inputs, failures } = await plugin.check("Insight", insight);
    expect(failures).toEqual([]);
    expect((await plugin.create("Insight", inputs, true)).id).toBe("");
    const { id, outs } = await plugin.create("Insight", inputs);
    const next = { ...insight, tags: ["core"] };
    expect(await plugin.diff("Insight", outs, next)).toMatchObject({ changes: "some", paths: { tags: "update" } });
    const updated = await plugin.update("Insight", id, outs, next);
    expect(await plugin.read("Insight", id, updated)).toMatchObject({ id, inputs: next });
    expect((await plugin.read("Insight", `2/${id}`)).inputs).toEqual(next);
    await plugin.remove("Insight", id, updated);
    for (const method of ["POST", "PATCH"])
      emulator.faults.add({ method, fault: { type: "ignore-field", field: "description" } });
    const error: unknown = await plugin
      .create("Insight", { projectId: 2, name: "Half", description: "d" })
      .catch((problem: unknown) => problem);
    expect(failureIn(error, toolchain)).toMatchObject({
      id: expect.any(String) as string,
      reasons: [expect.any(String)],
    });
    await plugin.send("cancel", "Empty");
    expect(plugin.output()).toMatch(/^the key for \S+ sees the organization .*\n$/);
  });
});
