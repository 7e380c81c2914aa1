/**
 * What goes wrong while Pulumi uses its own means: hooks, targets, parallel steps, a run that goes on after errors or is killed.
 * After the next `pulumi up --refresh` there is one object for each resource, and the state knows it.
 */
import type { ChildProcess } from "node:child_process";
import { describe, expect, it } from "vitest";
import { describeEngine, engine } from "../support/engine.ts";
import { createInlineStack } from "../support/inline-stack.ts";
import { descendants, endIfThere } from "../support/killed.ts";
import { createYamlStack } from "../support/packaged-stack.ts";
import type { Program, Stack } from "../support/stack.ts";

const { bin, missing } = engine();
const UP = ["up", "--yes", "--skip-preview"] as const;

const insight = (name: string, more: Program[string]["args"] = {}): Program[string] => ({
  type: "Insight",
  args: { projectId: 2, name, ...more },
});

/** The names of the insights that are not deleted, and of those in the state. They have to be the same. */
async function expectInsights(stack: Stack, ...names: readonly string[]): Promise<void> {
  const live = stack.emulator.find("insight", ({ deleted }) => deleted !== true);
  expect(live.map(({ name }) => String(name)).toSorted()).toEqual(names.toSorted());
  const known = (await stack.state()).filter(({ type }) => type.endsWith(":Insight"));
  expect(known.map(({ id }) => id).toSorted()).toEqual(live.map(({ id }) => String(id)).toSorted());
}

/** The writes since the last call, by method. */
function writes({ emulator }: Stack): readonly string[] {
  const methods = emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");
  emulator.clearRequests();
  return methods.toSorted();
}

async function happens(hasHappened: () => boolean): Promise<void> {
  await expect.poll(hasHappened, { timeout: 60_000, interval: 20 }).toBe(true);
}

/** Holds answers back until the test opens it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** Kills the engine with all that it has started once something has happened. */
async function killedOnce(stack: Stack, child: ChildProcess, hasHappened: () => boolean): Promise<void> {
  const ended = new Promise((resolve) => child.on("close", resolve));
  await happens(hasHappened);
  const pid = child.pid ?? 0;
  for (const one of [pid, ...(await descendants(pid))]) endIfThere(one);
  await ended;
  await stack.run("cancel", "--yes");
}

describeEngine("faults and the engine's own means", (_dialect, way) => {
  const { createStack } = way;

  it("an onError hook tries again what was refused, in part or in full, and each resource gets one object", async () => {
    const stack = await createInlineStack(
      way,
      `const onError = [new pulumi.ErrorHook("again", ({ errors }) => errors.length < 3)];`,
      `new driftline.Insight("signups", { projectId: 2, name: "Signups" }, { hooks: { onError } });
new driftline.Insight("trend", { projectId: 2, name: "Trend", description: "d" }, { hooks: { onError } });
const known = options.refresh;
new driftline.Insight("adopted", { projectId: 2, name: "Adopted", adopt: true, description: known ? "c" : "b" }, { hooks: { onError } });`,
    );
    const { emulator } = stack;
    const refused = { type: "status", status: 403 } as const;
    const ignored = { type: "ignore-field", field: "description" } as const;
    emulator.faults.add({ method: "POST", nth: 1, fault: refused });
    emulator.faults.add({ method: "POST", fault: ignored });
    emulator.faults.add({ method: "PATCH", nth: 1, times: 2, fault: ignored });
    expect((await stack.upInline()).match(/retrying create due/g)?.length).toBeGreaterThan(2);
    await expectInsights(stack, "Adopted", "Signups", "Trend");
    emulator.faults.add({ method: "PATCH", nth: 1, fault: refused });
    expect(await stack.upInline({ refresh: true })).toContain("retrying update due");
    await stack.upInline({ refresh: true, expectNoChanges: true });
    const found = emulator.find("insight").map(({ name, description }) => `${String(name)}: ${String(description)}`);
    expect(found.toSorted()).toEqual(["Adopted: c", "Signups: null", "Trend: d"]);
  });

  it("an onError hook tries again after an answer was lost, and finds the object", async () => {
    const stack = await createInlineStack(
      way,
      `const onError = [new pulumi.ErrorHook("again", async ({ errors }) => {
    await fetch(process.env.DRIFTLINE_URL + "/reached");
    return errors.length < 2;
  })];`,
      `new driftline.Insight("signups", { projectId: 2, name: "Signups" }, { hooks: { onError } });`,
    );
    const { emulator } = stack;
    const [create, hook] = [gate(), gate()];
    const held = emulator.faults.add({ method: "POST", fault: { type: "delay-after", until: create.opened } });
    emulator.faults.add({ method: "POST", fault: { type: "process-then-drop" } });
    const asked = emulator.faults.add({ path: "/reached", fault: { type: "delay-before", until: hook.opened } });
    const update = stack.upInline();
    await happens(() => held.hits > 0);
    const unreadable = emulator.faults.add({ path: "/insights", fault: { type: "status", status: 403 } });
    create.open();
    await happens(() => asked.hits > 0);
    unreadable.remove();
    hook.open();
    expect(await update).toContain("retrying create due");
    expect(writes(stack)).toEqual(["POST"]);
    await expectInsights(stack, "Signups");
  });

  it("writes without an answer, and then no read either: the next run finds out what has taken effect", async () => {
    const stack = await createStack();
    const { emulator } = stack;
    await stack.declare({ changed: insight("Changed"), removed: insight("Removed") });
    await stack.run(...UP);
    writes(stack);
    await stack.declare({ changed: insight("Changed", { description: "new" }), added: insight("Added") });
    const answer = gate();
    const held = emulator.faults.add({ method: "POST", fault: { type: "delay-after", until: answer.opened } });
    const heldToo = emulator.faults.add({ method: "PATCH", fault: { type: "delay-after", until: answer.opened } });
    for (const method of ["POST", "PATCH"]) emulator.faults.add({ method, fault: { type: "process-then-drop" } });
    const lost = stack.pulumi(UP);
    await happens(() => held.hits > 0 && heldToo.hits > 0);
    emulator.faults.add({ method: "GET", fault: { type: "status", status: 403 } });
    answer.open();
    const { code, output } = await lost;
    expect(code, output).not.toBe(0);
    expect((await stack.state()).map(({ name }) => name).toSorted()).toEqual(["changed", "removed"]);
    emulator.faults.clear();
    // An update may be sent again, a create never.
    expect(writes(stack).filter((method) => method === "POST")).toEqual(["POST"]);
    await stack.run(...UP, "--refresh");
    // Both have taken effect: what is left is the removal.
    expect(writes(stack)).toEqual(["PATCH"]);
    await expectInsights(stack, "Added", "Changed");
  });

  it("--parallel 64 makes one object for each of 100 resources, though many answers are lost", async () => {
    const stack = await createStack();
    const names = Array.from({ length: 100 }, (_, index) => `Insight ${String(index)}`);
    await stack.declare(Object.fromEntries(names.map((name, index) => [`insight${String(index)}`, insight(name)])));
    const lost = stack.emulator.faults.add({
      method: "POST",
      nth: 20,
      times: 50,
      fault: { type: "process-then-drop" },
    });
    await stack.run(...UP, "--parallel", "64");
    expect(lost.hits).toBe(50);
    await expectInsights(stack, ...names);
    expect(writes(stack)).toHaveLength(100);
  });

  it("an engine that is killed between check and create makes no object, and the next run makes one", async () => {
    const stack = await createInlineStack(
      way,
      `const reached = async () => {
    if (options.refresh) return;
    await fetch(process.env.DRIFTLINE_URL + "/reached");
    await new Promise(() => {});
  };`,
      `new driftline.Insight("signups", { projectId: 2, name: "Signups" }, { hooks: { beforeCreate: [reached] } });`,
    );
    await killedOnce(stack, stack.startInline(), () => stack.emulator.requests.some(({ path }) => path === "/reached"));
    expect(writes(stack)).toEqual([]);
    await expectInsights(stack);
    await stack.upInline({ refresh: true });
    expect(writes(stack)).toEqual(["POST"]);
    await expectInsights(stack, "Signups");
  });

  it("an engine that is killed while a create reads leaves one object after the next run", async () => {
    const stack = await createStack();
    await stack.declare({ signups: insight("Signups") });
    const reads = stack.emulator.faults.add({
      method: "GET",
      path: /insights\/$/,
      fault: { type: "delay-before", ms: 500 },
    });
    await killedOnce(stack, stack.start(UP), () => reads.hits > 0);
    stack.emulator.faults.clear();
    expect(writes(stack)).toEqual([]);
    await stack.run(...UP, "--refresh");
    expect(writes(stack)).toEqual(["POST"]);
    await expectInsights(stack, "Signups");
  });
});

// Which resources a run is about is for the engine to choose, so one form of the resources is enough.
describe.skipIf(missing !== undefined)("a run of some of the resources", () => {
  it("--continue-on-error makes all that can be made, and the next run the rest", async () => {
    const stack = await createYamlStack(bin);
    const { emulator } = stack;
    await stack.declare({
      nightly: {
        type: "BatchExport",
        args: { projectId: 2, name: "Nightly", interval: "day", destination: { type: "NoOp", config: {} } },
      },
      dependent: insight("Dependent", { description: "${nightly.name}" }),
      one: insight("One"),
      two: insight("Two"),
    });
    emulator.faults.add({ method: "POST", path: /batch_exports/, fault: { type: "status", status: 403 } });
    const { code, output } = await stack.pulumi([...UP, "--continue-on-error", "--parallel", "1"]);
    expect(code, output).not.toBe(0);
    await expectInsights(stack, "One", "Two");
    emulator.faults.clear();
    await stack.run(...UP, "--refresh");
    await expectInsights(stack, "One", "Two", "Dependent");
    expect(emulator.find("batch_export")).toHaveLength(1);
  });

  it("refresh --run-program writes nothing to the service, and the next run puts right what others have changed", async () => {
    const stack = await createYamlStack(bin);
    const { emulator } = stack;
    await stack.declare({ one: insight("One", { description: "first" }), two: insight("Two") });
    await stack.run(...UP);
    const [one] = emulator.find("insight", ({ name }) => name === "One");
    emulator.edit("insight", Number(one?.id), { description: "edited" });
    await stack.declare({ one: insight("One", { description: "first" }), three: insight("Three") });
    writes(stack);
    await stack.run("refresh", "--yes", "--skip-preview", "--run-program");
    expect(writes(stack)).toEqual([]);
    const found = (await stack.state()).map(({ name, outputs }) => `${name}: ${String(outputs["description"])}`);
    expect(found.toSorted()).toEqual(["one: edited", "two: undefined"]);
    await stack.run(...UP, "--refresh");
    expect(writes(stack)).toEqual(["PATCH", "PATCH", "POST"]);
    await expectInsights(stack, "One", "Three");
    expect(emulator.find("insight", ({ name }) => name === "One")).toMatchObject([{ description: "first" }]);
  });

  it("--target and --exclude write what they name, and the next run the rest", async () => {
    const stack = await createYamlStack(bin);
    const all = (description: string): Program => ({
      one: insight("One", { description }),
      two: insight("Two", { description }),
      three: insight("Three", { description }),
    });
    const descriptions = (): readonly unknown[] =>
      stack.emulator
        .find("insight")
        .map(({ name, description }) => `${String(name)} ${String(description)}`)
        .toSorted();
    await stack.declare(all("first"));
    const target = await stack.pulumi([...UP, "--target", "**one"]);
    expect(target.code, target.output).toBe(0);
    await expectInsights(stack, "One");
    const exclude = await stack.pulumi([...UP, "--exclude", "**three"]);
    expect(exclude.code, exclude.output).toBe(0);
    await expectInsights(stack, "One", "Two");
    await stack.declare(all("second"));
    await stack.pulumi([...UP, "--exclude", "**two"]);
    expect(descriptions()).toEqual(["One second", "Three second", "Two first"]);
    await stack.run(...UP, "--refresh");
    expect(descriptions()).toEqual(["One second", "Three second", "Two second"]);
    await expectInsights(stack, "One", "Three", "Two");
    expect(writes(stack)).toEqual(["PATCH", "PATCH", "POST", "POST", "POST"]);
  });
});
