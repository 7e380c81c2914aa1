/** The settings of the packaged provider in the configuration of a stack. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaksIn } from "../support/canary.ts";
import { engine } from "./support/engine.ts";
import { createYamlStack } from "./support/packaged-stack.ts";

const { bin, missing } = engine();
const [OWN_SECRET, MISTYPED_KEY] = ["hush-hush-42", "hush-hush-43"];

describe.skipIf(missing !== undefined)("a project that is itself named driftline", () => {
  it("keeps keys of its own, and is warned of one that is nearly a setting", async () => {
    const stack = await createYamlStack(bin);
    const { emulator, run } = stack;
    await stack.declare({
      signups: { type: "Insight", args: { projectId: 2, name: "Signups", description: "${region}" } },
    });
    const path = join(stack.folder, "project/Pulumi.yaml");
    const text = await readFile(path, "utf8");
    const own = "config: { region: { type: string }, secretKey: { type: string, secret: true } }\n";
    await writeFile(path, `${text.replace("name: acme", "name: driftline")}${own}`);
    await run("stack", "init", "driftline-dev");
    await run("config", "set", "region", "eu");
    await run("config", "set", "secretKey", OWN_SECRET, "--secret");
    await run("config", "set", "apikey", MISTYPED_KEY, "--secret");

    for (const output of [await run("up", "--yes", "--skip-preview"), await run("preview", "--expect-no-changes")]) {
      expect(output).toMatch(/warning: .*did you mean driftline:apiKey\?/);
      expect(output).not.toMatch(/driftline:(region|secretKey)/);
    }
    expect(emulator.find("insight")).toMatchObject([{ name: "Signups", description: "eu" }]);
    const state = await run("stack", "export");
    expect(leaksIn(state, { secret: OWN_SECRET, key: MISTYPED_KEY })).toEqual([]);
  });
});
