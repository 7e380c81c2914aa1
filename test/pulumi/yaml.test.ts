import { describe, expect, it } from "vitest";
import { engine } from "./support/engine.ts";
import { createYamlStack } from "./support/packaged-stack.ts";

const { bin, missing } = engine();
const insight = { type: "Insight", args: { projectId: 2, name: "Signups", tags: ["growth"] } };

describe.skipIf(missing !== undefined)("Pulumi YAML with the packaged provider", () => {
  it("lives a life on the real engine", async () => {
    const stack = await createYamlStack(bin);
    const { emulator, declare, run, steps } = stack;
    const writes = (): readonly string[] =>
      emulator.requests.flatMap(({ method }) => (method === "GET" ? [] : [method]));
    await declare({ signups: insight });
    expect(await steps("preview")).toMatchObject([{ op: "create", name: "signups" }]);
    expect(emulator.requests).toEqual([]);
    await run("up", "--yes", "--skip-preview");
    expect(writes()).toEqual(["POST"]);
    emulator.clearRequests();
    await run("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(emulator.requests).toEqual([]);

    await declare({ signups: { ...insight, args: { ...insight.args, name: "Signups per week" } } });
    expect(await steps("preview")).toEqual([{ op: "update", name: "signups", paths: ["name"] }]);
    await run("up", "--yes", "--skip-preview");
    expect(writes()).toEqual(["PATCH"]);

    const [stored] = emulator.find("insight", () => true);
    emulator.edit("insight", Number(stored?.["id"]), { tags: ["edited"] });
    expect((await stack.pulumi(["preview", "--refresh", "--expect-no-changes"])).code).toBe(7);
    await run("up", "--yes", "--skip-preview", "--refresh");
    expect(emulator.find("insight", () => true)).toMatchObject([{ name: "Signups per week", tags: ["growth"] }]);

    await run("destroy", "--yes", "--skip-preview");
    expect(emulator.find("insight", (one) => one["deleted"] !== true)).toEqual([]);
  });
});
