import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { stringify } from "yaml";
import { expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/index.ts";
import { CANARIES, leaksIn } from "../support/canary.ts";
import { SEED } from "../support/workspace.ts";
import { describeEngine, engine } from "./support/engine.ts";
import { descendants, endIfThere, mendCheckpoint } from "./support/killed.ts";
import { ACME, lives } from "./support/lives.ts";
import { createYamlStack, PLUGINS } from "./support/packaged-stack.ts";
import type { Program } from "./support/stack.ts";

const { bin } = engine();

const signups: Program = { signups: { type: "Insight", args: { projectId: 2, name: "Signups" } } };

function insights(emulator: Emulator): readonly string[] {
  return emulator.find("insight", (one) => one["deleted"] !== true).map((one) => String(one["name"]));
}

describeEngine("the packaged provider on the real engine", (dialect) => {
  it("creates one object if the answer to a create is lost, and the state knows it", async () => {
    const stack = await createYamlStack(bin);
    const creating = Object.entries(lives).filter(([, { kind }]) => kind !== "member" && kind !== "domain");
    const usable = creating.filter(([, { create }]) => dialect === "document" || !("organizationId" in create));
    await stack.declare(Object.fromEntries(usable.map(([name, { type, create }]) => [name, { type, args: create }])));
    const lost = stack.emulator.faults.add({
      method: "POST",
      path: /\/(?!unpause|pause)\w+\/$/,
      fault: { type: "process-then-drop" },
    });
    await stack.run("up", "--yes", "--skip-preview");
    expect(lost.hits).toBe(usable.length);
    stack.emulator.faults.clear();
    for (const [name, life] of usable) expect(stack.emulator.find(life.stored, life.find), name).toHaveLength(1);
    expect(await stack.state()).toHaveLength(usable.length);
    expect(await stack.steps("refresh", "--preview-only")).toEqual([]);
  });

  it("ends with 20 objects after the engine was killed while creating them, and ends itself", async () => {
    const stack = await createYamlStack(bin);
    const names = Array.from({ length: 20 }, (_, index) => `insight${String(index)}`);
    await stack.declare(
      Object.fromEntries(names.map((name) => [name, { type: "Insight", args: { projectId: 2, name } }])),
    );
    const slow = stack.emulator.faults.add({ method: "POST", fault: { type: "delay-after", ms: 150 } });
    const child = stack.start(["up", "--yes", "--skip-preview", "--parallel", "4"]);
    while (slow.hits < 9) await wait(20);
    const left = await descendants(child.pid ?? 0);
    child.kill("SIGKILL");
    // The provider completes the requests in flight, sees that its engine is gone, and ends.
    await expect.poll(() => left.filter((pid) => isProvider(pid)), { timeout: 30_000 }).toEqual([]);
    for (const pid of left) endIfThere(pid);
    stack.emulator.faults.clear();
    await mendCheckpoint(stack.folder);
    await stack.run("cancel", "--yes");
    await stack.run("up", "--yes", "--skip-preview");
    expect(insights(stack.emulator).toSorted()).toEqual(names.toSorted());
    expect(await stack.state()).toHaveLength(20);
    expect(await stack.steps("refresh", "--preview-only")).toEqual([]);
  });

  it("keeps an object whose create takes 12 seconds when the run is interrupted", async () => {
    const stack = await createYamlStack(bin);
    await stack.declare(signups);
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

  it("removes nothing from the state if it cannot read everything", async () => {
    const stack = await createYamlStack(bin);
    await stack.declare({
      ...signups,
      ada: { type: "Membership", args: { organizationId: ACME, email: "ada@acme.com", level: "admin", adopt: true } },
    });
    await stack.run("up", "--yes", "--skip-preview");
    const before = await stack.state();
    for (const status of [401, 403, 404, 500]) {
      stack.emulator.faults.add({ method: "GET", fault: { type: "status", status } });
      const { code, output } = await stack.pulumi(["refresh", "--yes", "--skip-preview"]);
      expect(code, String(status)).not.toBe(0);
      expect(output).not.toContain("dist/pulumi");
      stack.emulator.faults.clear();
      expect(await stack.state()).toEqual(before);
    }
  });

  it("shows no secret in output, state or import, in any spelling", async () => {
    const { plain, json, url, pem } = CANARIES;
    const stack = await createYamlStack(bin, { keys: [{ key: plain }] });
    const place = { projectId: 2, interval: "hour" };
    const snowflake = { account: "a", user: "u", database: "d", warehouse: "w", schema: "s" };
    const s3 = { bucket_name: "b", region: "eu", prefix: "e/", aws_secret_access_key: url };
    const program = (region: string): Program => ({
      s3: {
        type: "BatchExport",
        args: { ...place, name: "S3", destination: { type: "S3", config: { ...s3, region } } },
      },
      snowflake: {
        type: "BatchExport",
        args: {
          ...place,
          name: "Snowflake",
          destination: { type: "Snowflake", config: { ...snowflake, private_key: pem, password: { $secret: json } } },
        },
      },
    });
    await stack.declare(program("eu"));
    const outputs = [await stack.run("up", "--yes", "--diff"), await stack.run("preview", "--refresh", "--diff")];
    await stack.declare(program("us"));
    outputs.push(await stack.run("preview", "--diff"), await stack.run("preview", "--json"));
    outputs.push(await stack.run("up", "--yes", "--diff"), await stack.run("stack", "export"));
    const [stored] = stack.emulator.find("batch_export", ({ name }) => name === "S3");
    outputs.push(
      await stack.run("import", "driftline:index:BatchExport", "it", `2/${String(stored?.["id"])}`, "--yes"),
      await stack.run("stack", "export"),
    );
    expect(leaksIn(outputs.join("\n"), { url, json, pem, plain })).toEqual([]);
    const files = [...(await stack.files())].filter(([path]) => !path.endsWith("project/Pulumi.yaml"));
    expect(
      files.flatMap(([path, text]) => leaksIn(text, { url, json, pem, plain }).map((leak) => `${path}: ${leak}`)),
    ).toEqual([]);
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
      // The environment names only one of them.
      await stack.run("up", "--yes", "--skip-preview");
      expect([insights(stack.emulator), insights(other)]).toEqual([["One"], ["Two"]]);
      await stack.run("preview", "--refresh", "--expect-no-changes");
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

/** Whether a process runs, and is not a zombie. The engine's other processes do not end by themselves. */
function isProvider(pid: number): boolean {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, "utf8").includes("pulumi-resource-driftline");
  } catch {
    return false;
  }
}
