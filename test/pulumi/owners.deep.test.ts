/** Who may go on with a create that an earlier run has begun: its own stack, until the state has the object. Several stacks share a machine. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { describeEngine } from "./support/engine.ts";
import { descendants, endIfThere, isProvider } from "./support/killed.ts";
import type { Program, Stack } from "./support/stack.ts";

const UP = ["up", "--yes", "--skip-preview"] as const;

const signups: Program = { signups: { type: "Insight", args: { projectId: 2, name: "Signups" } } };

function insights({ emulator }: Stack): readonly unknown[] {
  return emulator.find("insight", ({ deleted }) => deleted !== true).map(({ id }) => String(id));
}

/** The stack must refuse the object and name it, and the removal of the stack must leave it. */
async function expectRefused(stack: Stack, id: unknown): Promise<void> {
  const { code, output } = await stack.pulumi(UP);
  expect([code === 0, output], output).toEqual([false, expect.stringContaining("adopt: true")]);
  expect(output).toContain(
    stack.resources === "packaged"
      ? `pulumi import driftline:index:Insight signups 2/${String(id)}`
      : `adopt: "${String(id)}"`,
  );
  await stack.run("destroy", "--yes", "--skip-preview");
  expect(insights(stack)).toEqual([id]);
}

/** Ends an update while the service creates an object, which no state has then. */
async function killedCreate(stack: Stack): Promise<string> {
  const slow = stack.emulator.faults.add({ method: "POST", fault: { type: "delay-after", ms: 1_000 } });
  const child = stack.start(UP);
  while (slow.hits < 1) await wait(20);
  const left = await descendants(child.pid ?? 0);
  child.kill("SIGKILL");
  if (stack.resources === "packaged")
    await expect.poll(() => left.filter((pid) => isProvider(pid)), { timeout: 30_000 }).toEqual([]);
  else await wait(3_000);
  for (const pid of left) endIfThere(pid);
  stack.emulator.faults.clear();
  expect((await stack.pulumi(UP)).output).toContain("the stack is currently locked by 1 lock(s)");
  await stack.run("cancel", "--yes");
  expect(await stack.state()).toEqual([]);
  const [made = "", ...more] = insights(stack);
  expect(more).toEqual([]);
  return String(made);
}

describeEngine("an object that another owner has created", (_dialect, { createStack }) => {
  it("is refused without adopt: for another stack, and for another project", async () => {
    const stack = await createStack();
    await stack.declare(signups);
    await stack.run(...UP);
    const [id] = insights(stack);
    await stack.run("stack", "init", "other");
    await expectRefused(stack, id);
    const file = join(stack.folder, "project", "Pulumi.yaml");
    await writeFile(file, (await readFile(file, "utf8")).replace("name: acme", "name: beta"));
    await stack.run("stack", "init", "dev");
    await expectRefused(stack, id);
  });

  it("is refused without adopt if driftline apply has created it", async () => {
    const stack = await createStack();
    const config = {
      driftline: 1,
      organizations: {
        acme: { name: "Acme Inc", projects: { web: { id: "2", insights: { signups: { name: "Signups" } } } } },
      },
    };
    await writeFile(join(stack.folder, "driftline.json"), JSON.stringify(config));
    const applied = await cli(["apply", "--yes", join(stack.folder, "driftline.json")], {
      cwd: stack.folder,
      env: stack.env,
    });
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    await stack.declare(signups);
    await expectRefused(stack, insights(stack)[0]);
  });

  it("is refused for others after a kill as well, and its own stack goes on with it, until its state has the object", async () => {
    const stack = await createStack();
    await stack.declare(signups);
    const id = await killedCreate(stack);
    await stack.run("stack", "init", "other");
    await expectRefused(stack, id);
    await stack.run("stack", "select", "dev");
    const pending = "pending operations from previous deployment";
    expect(await stack.run(...UP)).toContain(pending);
    expect((await stack.state()).map((one) => one.id)).toEqual([id]);
    expect(await stack.run("preview")).not.toContain(pending);
    const urn = ((await stack.deployment()).deployment.resources ?? [])
      .map((one) => String(one["urn"]))
      .find((one) => one.endsWith("::signups"));
    await stack.run("state", "delete", String(urn), "--yes");
    await expectRefused(stack, id);
  });
});
