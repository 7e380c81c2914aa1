import { expect, it } from "vitest";
import { describeEngine, engine } from "./support/engine.ts";
import { createYamlStack } from "./support/packaged-stack.ts";
import type { Program, Stack } from "./support/stack.ts";

const { bin } = engine();

const insight = (name: string, description: string, options = {}): Program[string] => ({
  type: "Insight",
  args: { projectId: 2, name, description },
  options,
});

const byName = ([one]: readonly unknown[], [other]: readonly unknown[]): number =>
  String(one).localeCompare(String(other));

/** The insights that are not deleted, as name and description, by name. */
function liveInsights({ emulator }: Stack): readonly unknown[] {
  const found = emulator.find("insight", ({ deleted }) => deleted !== true);
  return found.map((one) => [one["name"], one["description"]]).toSorted(byName);
}

/** The writes since the last call. */
function writes({ emulator }: Stack): readonly string[] {
  const methods = emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");
  emulator.clearRequests();
  return methods;
}

describeEngine("options of the engine's own", (_dialect, { createStack }) => {
  it("ignoreChanges and retainOnDelete leave alone what they name, and destroy --target all but one resource", async () => {
    const stack = await createStack();
    const names = async (): Promise<readonly string[]> => (await stack.state()).map(({ name }) => name).toSorted();
    const others = { one: insight("One", ""), two: insight("Two", "") };
    const kept = insight("Kept", "kept", { retainOnDelete: true });
    await stack.declare({ signups: insight("Signups", "first"), kept, ...others });
    await stack.run("up", "--yes", "--skip-preview");
    writes(stack);
    const ignoring = { ignoreChanges: ["description"] };
    await stack.declare({ signups: insight("Signups", "second", ignoring), kept, ...others });
    expect(await stack.steps("preview")).toEqual([]);

    // The other field of one resource changes, and another resource goes.
    await stack.declare({ signups: insight("Sign-ups", "second", ignoring), ...others });
    await stack.run("up", "--yes", "--skip-preview");
    expect(writes(stack)).toEqual(["PATCH"]);
    const signups = ["Sign-ups", "first"];
    expect(liveInsights(stack)).toEqual([["Kept", "kept"], ["One", ""], signups, ["Two", ""]]);
    expect(await names()).toEqual(["one", "signups", "two"]);

    await stack.run("destroy", "--yes", "--skip-preview", "--target", "**one");
    expect(writes(stack)).toEqual(["PATCH"]);
    expect(liveInsights(stack)).toEqual([["Kept", "kept"], signups, ["Two", ""]]);
    expect(await names()).toEqual(["signups", "two"]);
  });

  it("customTimeouts end a create of the packaged provider, and the next run goes on with its object", async () => {
    const stack = await createYamlStack(bin);
    await stack.declare({ signups: insight("Signups", "first", { customTimeouts: { create: "1s" } }) });
    const late = { type: "delay-after", ms: 600_000 } as const;
    stack.emulator.faults.add({ method: "POST", fault: late });
    // The list of the place and the look before the create are answered. A read after it would find the object in time.
    stack.emulator.faults.add({ method: "GET", path: "/insights/", nth: 3, times: Infinity, fault: late });
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect([code === 0, output]).toEqual([false, expect.stringContaining("its 1 s were up")]);
    expect(await stack.state()).toEqual([]);
    stack.emulator.faults.clear();
    await stack.run("up", "--yes", "--skip-preview");
    expect(writes(stack)).toEqual(["POST"]);
    expect(liveInsights(stack)).toEqual([["Signups", "first"]]);
  });

  it("--replace of the packaged provider is refused with the way out, and then replaces really", async () => {
    const stack = await createYamlStack(bin);
    const declare = (options: object): Promise<void> =>
      stack.declare({ signups: insight("Signups", "first", { ...options }) });
    await declare({});
    await stack.run("up", "--yes", "--skip-preview");
    writes(stack);
    const replace = ["up", "--yes", "--skip-preview", "--replace", "**signups"];
    const { code, output } = await stack.pulumi(replace);
    expect([code === 0, output]).toEqual([false, expect.stringContaining("deleteBeforeReplace: true")]);
    expect(writes(stack)).toEqual([]);
    await stack.run("up", "--yes", "--skip-preview");
    expect(writes(stack)).toEqual([]);
    await declare({ deleteBeforeReplace: true });
    await stack.run(...replace);
    expect(writes(stack)).toEqual(["PATCH", "POST"]);
    expect(liveInsights(stack)).toEqual([["Signups", "first"]]);
  });

  it("a new name without an alias keeps the object, even if the run that renames it fails", async () => {
    const stack = await createStack();
    const adopting = (name: string): Program[string] => ({
      type: "Insight",
      args: { projectId: 2, name, adopt: true },
    });
    await stack.declare({ one: adopting("Signups") });
    await stack.run("up", "--yes", "--skip-preview");
    // It runs after the other resource.
    const broken = { type: "Insight", args: { projectId: 99, name: "Nowhere", description: "${two.shortId}" } };
    await stack.declare({ two: adopting("Signups"), broken });
    writes(stack);
    expect((await stack.pulumi(["up", "--yes", "--skip-preview", "--parallel", "1"])).code).not.toBe(0);
    expect((await stack.state()).map(({ name }) => name).toSorted()).toEqual(["one", "two"]);
    await stack.declare({ two: adopting("Signups") });
    await stack.run("up", "--yes", "--skip-preview");
    expect(writes(stack)).toEqual([]);
    expect((await stack.state()).map(({ name }) => name)).toEqual(["two"]);
    await stack.run("destroy", "--yes", "--skip-preview");
    expect(liveInsights(stack)).toEqual([]);
  });
});
