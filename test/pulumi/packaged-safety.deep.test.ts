import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { stringify } from "yaml";
import { expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/index.ts";
import { leaksIn } from "../support/canary.ts";
import { SEED } from "../support/workspace.ts";
import { describeEngine, engine } from "./support/engine.ts";
import { createYamlStack, PLUGINS } from "./support/packaged-stack.ts";

const { bin } = engine();

function insights(emulator: Emulator): readonly string[] {
  return emulator.find("insight", (one) => one["deleted"] !== true).map((one) => String(one["name"]));
}

describeEngine("the packaged provider on the real engine", () => {
  it("keeps an object whose create takes 12 seconds when the run is interrupted", async () => {
    const stack = await createYamlStack(bin);
    await stack.declare({ signups: { type: "Insight", args: { projectId: 2, name: "Signups" } } });
    const slow = stack.emulator.faults.add({ method: "POST", fault: { type: "delay-after", ms: 12_000 } });
    const child = stack.start(["up", "--yes", "--skip-preview"]);
    const ended = new Promise((resolve) => child.on("close", resolve));
    while (slow.hits < 1) await wait(20);
    child.kill("SIGINT");
    await ended;
    expect(insights(stack.emulator)).toEqual(["Signups"]);
    expect(await stack.state()).toHaveLength(1);
    stack.emulator.faults.clear();
    await stack.run("up", "--yes", "--skip-preview");
    expect(insights(stack.emulator)).toEqual(["Signups"]);
  });

  it("manages two services in one program, each with its own key", async () => {
    const stack = await createYamlStack(bin);
    const other = await startEmulator({ seed: SEED, keys: [{ key: "other-key-4711" }] });
    try {
      const provider = (url: string, apiKey: object | string): object => ({
        type: "pulumi:providers:driftline",
        properties: { url, apiKey },
      });
      const insight = (name: string, own: string): object => ({
        type: "driftline:Insight",
        properties: { projectId: 2, name },
        options: { provider: `\${${own}}` },
      });
      const text = {
        name: "acme",
        runtime: "yaml",
        plugins: PLUGINS,
        resources: {
          here: provider(stack.emulator.url, stack.emulator.key),
          there: provider(other.url, { "fn::secret": "other-key-4711" }),
          one: insight("One", "here"),
          two: insight("Two", "there"),
        },
      };
      await writeFile(join(stack.folder, "project/Pulumi.yaml"), stringify(text));
      // A variable would contradict one of them.
      Object.assign(stack.env, { DRIFTLINE_URL: "" });
      await stack.run("up", "--yes", "--skip-preview");
      expect([insights(stack.emulator), insights(other)]).toEqual([["One"], ["Two"]]);
      expect(leaksIn(await stack.run("stack", "export"), { key: "other-key-4711", own: stack.emulator.key })).toEqual(
        [],
      );
      await stack.run("destroy", "--yes", "--skip-preview");
      expect([insights(stack.emulator), insights(other)]).toEqual([[], []]);
    } finally {
      await other.close();
    }
  });
});
