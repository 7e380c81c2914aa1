/** What docs/pulumi-options.md says about the options that Pulumi gives every resource. Others are in options.deep.test.ts. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { describeEngine } from "./support/engine.ts";
import { createInlineStack } from "./support/inline-stack.ts";
import type { Program, Stack } from "./support/stack.ts";

const UP = ["up", "--yes", "--skip-preview"] as const;

/** The kinds of writes since the last call. Some may have been sent twice. */
function writes({ emulator }: Stack): readonly string[] {
  const sent = emulator.requests.filter(({ method }) => method !== "GET");
  emulator.clearRequests();
  const kinds = sent.map(({ method, path }) => `${method} ${/[a-z]+(?=\/([^/]+\/)?$)/.exec(path)?.[0] ?? ""}`);
  return [...new Set(kinds)].toSorted();
}

const query = (dateRange: { readonly date_from: string }) => ({
  kind: "InsightVizNode",
  source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "$pageview" }], dateRange },
});

const insight = (args: JsonObject, options: JsonObject = {}): Program[string] => ({
  type: "Insight",
  args: { projectId: 2, name: "Signups", ...args },
  options,
});

describeEngine("the options of a resource", (_dialect, way) => {
  const { createStack } = way;

  it("protect, aliases, and ignoreChanges with a path inside of a value", async () => {
    const stack = await createStack();
    const { emulator } = stack;
    await stack.declare({ signups: insight({ query: query({ date_from: "-7d" }) }, { protect: true }) });
    await stack.run(...UP);
    await stack.declare({});
    const refused = await stack.pulumi(UP);
    expect(refused.code, refused.output).not.toBe(0);
    expect(emulator.find("insight")).toMatchObject([{ name: "Signups", deleted: false }]);

    const [made] = emulator.find("insight");
    emulator.edit("insight", Number(made?.id), { query: query({ date_from: "-30d" }) });
    writes(stack);
    const options = { aliases: [{ name: "signups" }], ignoreChanges: ["query.source.dateRange"] };
    await stack.declare({ growth: insight({ query: query({ date_from: "-90d" }), description: "new" }, options) });
    await stack.run(...UP, "--refresh");
    expect(writes(stack)).toEqual(["PATCH insights"]);
    expect(emulator.find("insight")).toMatchObject([{ description: "new", query: query({ date_from: "-30d" }) }]);
    expect(await stack.state()).toMatchObject([{ name: "growth", id: String(made?.id) }]);
  });

  it("replaceOnChanges replaces the object, and removes the old one first", async () => {
    const stack = await createStack();
    const { emulator } = stack;
    const options = { replaceOnChanges: ["description"] };
    await stack.declare({ signups: insight({ description: "first" }, options) });
    await stack.run(...UP);
    const [before] = await stack.state();
    writes(stack);
    await stack.declare({ signups: insight({ description: "second" }, options) });
    await stack.run(...UP);
    // A deleted insight is changed to that. Both may have been sent twice.
    const sent = emulator.requests.flatMap(({ method }) => (method === "GET" ? [] : [method]));
    expect([...new Set(sent)]).toEqual(["PATCH", "POST"]);
    const [after] = await stack.state();
    expect(after?.id).not.toBe(before?.id);
    const live = emulator.find("insight", ({ deleted }) => deleted !== true);
    expect(live).toMatchObject([{ id: Number(after?.id), description: "second" }]);
  });

  it("transforms change what is sent, and deletedWith sends no delete", async () => {
    const stack = await createInlineStack(
      way,
      `pulumi.runtime.registerResourceTransform(({ type, props, opts }) =>
    type.endsWith(":Insight") ? { props: { ...props, tags: ["pulumi"] }, opts } : undefined);`,
      `new driftline.Insight("signups", { projectId: 2, name: "Signups" });
const beta = new driftline.Organization("beta", { name: "Beta", confirmDelete: "Beta" });
new driftline.Domain("corp", { organizationId: beta.id, domain: "beta.com" }, { deletedWith: beta });`,
    );
    await stack.upInline();
    expect(stack.emulator.find("insight", ({ name }) => name === "Signups")).toMatchObject([{ tags: ["pulumi"] }]);
    writes(stack);
    await stack.run("destroy", "--yes", "--skip-preview");
    expect(writes(stack)).toEqual(["DELETE organizations", "PATCH insights"]);
  });
});
