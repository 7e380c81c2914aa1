import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { PlanDocument } from "../../src/model/plan.ts";
import { describeDialects } from "../support/dialects.ts";
import { config, EXPORT, saved, writes } from "../support/saved-plan.ts";

describeDialects("hash", () => {
  /** The canonical form, written down a second time. */
  const canonical = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
  };
  const hashOf = (document: PlanDocument): string => {
    const { hash: _hash, source: _source, diagnostics: _diagnostics, tool_version: _version, ...rest } = document;
    return `sha256:${createHash("sha256").update(canonical(rest)).digest("hex")}`;
  };

  it("is SHA-256 over the canonical JSON without hash, source, diagnostics and tool_version", async () => {
    const { document } = await saved(config(EXPORT), ["--prune"]);
    expect(document.summary).toMatchObject({ create: 1, update: 2 });
    expect(document.hash).toBe(hashOf(document));
  });

  it("is what --format json prints as well", async () => {
    const { document, plan } = await saved();
    expect(await plan()).toEqual(document);
  });

  it.each<[string, (document: PlanDocument) => object]>([
    ["an action", (plan) => ({ ...plan, changes: plan.changes.map((change) => ({ ...change, action: "delete" })) })],
    ["a change that was taken out", (plan) => ({ ...plan, changes: plan.changes.slice(1) })],
    [
      "a block that was taken out",
      (plan) => ({
        ...plan,
        changes: plan.changes.map((change) => ({ ...change, blocked: { rule: "protect", lift: "-" } })),
      }),
    ],
    ["a planned value", (plan) => ({ ...plan, changes: plan.changes.map((change) => ({ ...change, fields: [] })) })],
    ["prune", (plan) => ({ ...plan, options: { ...plan.options, prune: true } })],
    ["the URL", (plan) => ({ ...plan, url: "http://elsewhere.example" })],
    ["an unknown key", (plan) => ({ ...plan, extra: 1 })],
    ["the hash", (plan) => ({ ...plan, hash: `sha256:${"0".repeat(64)}` })],
  ])("an edited file is refused: %s", async (_name, edit) => {
    const space = await saved();
    await writeFile(space.file, JSON.stringify(edit(space.document)));
    const result = await space.apply();
    expect(result.code).toBe(10);
    expect(result.stderr).toContain("plan.json");
    expect(space.emulator.requests).toEqual([]);
    expect((await space.run(["show", "plan.json"])).code).toBe(10);
  });

  it.each<[string, (document: PlanDocument) => object]>([
    ["diagnostics", (plan) => ({ ...plan, diagnostics: [] })],
    ["a missing source", ({ source: _source, ...plan }) => plan],
    ["tool_version", (plan) => ({ ...plan, tool_version: "0.0.1" })],
    ["white space and the order of keys", (plan) => Object.fromEntries(Object.entries(plan).toReversed())],
  ])("a file may differ in %s", async (_name, edit) => {
    const space = await saved();
    await writeFile(space.file, JSON.stringify(edit(space.document)));
    expect((await space.apply()).code).toBe(0);
  });

  it.each([
    ["no JSON", "{", 10],
    ["another document", '{"type":"driftline.outcomes","schema_version":1,"changes":[]}', 10],
    ["nothing", "", 10],
  ])("a file that is not a plan is refused: %s", async (_name, text, code) => {
    const space = await saved();
    await writeFile(space.file, text);
    expect((await space.apply()).code).toBe(code);
    expect(space.emulator.requests).toEqual([]);
  });

  it("a drift report cannot be applied", async () => {
    const space = await saved();
    await writeFile(space.file, (await space.run(["drift", "--format", "json"])).stdout);
    expect((await space.apply()).code).toBe(10);
    expect(writes(space)).toEqual([]);
  });
});
