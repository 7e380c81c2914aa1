/** What Pulumi prints of mistakes in a program: where they are, what was expected and what to do, but no stack and no secret. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { leaksIn } from "../support/canary.ts";
import { engine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import { createYamlStack } from "./support/packaged-stack.ts";
import { matchesIn } from "./support/sentences.ts";
import { createStack, type Program, type Stack } from "./support/stack.ts";

const { bin, missing } = engine();
const SECRET = "hush-hush-42";

const insight = (args: JsonObject): Program[string] => ({ type: "Insight", args: { projectId: 2, ...args } });
const config = { bucket_name: "b", region: "eu", prefix: 5, aws_secret_access_key: SECRET };

const destination = { type: "S3", config: { bucket_name: "b", region: "eu", prefix: "e/" } };
const EVENTS = { projectId: 2, name: "Nightly", interval: "day", destination };

/** Each has the place of its mistake. */
const MISTAKES: readonly (readonly [name: string, Program[string], place: string])[] = [
  ["a wrong type", insight({ name: "Signups", tags: "growth" }), "tags"],
  [
    "a wrong type inside of a secret value",
    {
      type: "BatchExport",
      args: { projectId: 2, name: "Nightly", interval: "day", destination: { type: "S3", config } },
    },
    "destination.config.prefix",
  ],
  ["an item of a wrong type", insight({ name: "Signups", tags: ["growth", ["web"]] }), "tags"],
  ["a missing key", insight({ description: "d" }), "name"],
  ["a misspelt interval", { type: "BatchExport", args: { ...EVENTS, interval: "dayly" } }, "interval"],
  ["a misspelt model", { type: "BatchExport", args: { ...EVENTS, model: "event" } }, "model"],
  ["a level", { type: "Membership", args: { organizationId: ACME, email: "ada@acme.com", level: "boss" } }, "level"],
  [
    "a field of another kind",
    { type: "Domain", args: { organizationId: ACME, domain: "acme.com", interval: "day" } },
    "interval",
  ],
  ["an unknown property", insight({ name: "Signups", favourited: true }), "favourited"],
];

const batchExport = (args: JsonObject): Program[string] => ({ type: "BatchExport", args: { ...EVENTS, ...args } });

/** Each has what the preview says of it, although a service may know it. */
const SUSPICIONS: Readonly<Record<string, readonly [Program[string], said: string]>> = {
  node: [
    insight({ name: "Nodes", query: { kind: "InsightVizNode", source: { kind: "TrendQuery" } } }),
    "Did you mean TrendsQuery?",
  ],
  key: [insight({ name: "Keys", query: { kind: "TrendsQuery", serie: [] } }), "Did you mean series?"],
  type: [batchExport({ name: "Types", destination: { ...destination, type: "S33" } }), "unknown type S33"],
  config: [
    batchExport({ name: "Configs", destination: { type: "S3", config: { ...destination.config, regoin: "eu" } } }),
    "destination.config.regoin",
  ],
  interval: [batchExport({ name: "Intervals", interval: "month" }), "interval: expected hour, day, week"],
  model: [batchExport({ name: "Models", model: "groups" }), "model: expected one of events"],
};

/** Nothing was sent, and what was printed has neither a stack nor a secret. */
function expectClean({ emulator }: Stack, output: string): void {
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(leaksIn(output, { secret: SECRET, key: emulator.key })).toEqual([]);
  expect(output).not.toMatch(/^ +at |node_modules|dist\//m);
}

describe.skipIf(missing !== undefined)("a mistake in a program", () => {
  it.each([
    ["dynamic", createStack],
    ["packaged", createYamlStack],
  ])("has its place and a way out (%s)", async (_form, create) => {
    const stack = await create(bin);
    for (const [name, declaration, place] of MISTAKES) {
      await stack.declare({ it: declaration });
      const { code, output } = await stack.pulumi(["preview"]);
      expect(code, `${name}\n${output}`).not.toBe(0);
      expectClean(stack, output);
      expect(output, name).toContain(place);
      // Pulumi YAML looks for some mistakes itself, in its own words.
      const own = /has a problem: (.*)|(property .* has a problem.*)/;
      if (!output.includes("is not assignable") && !output.includes("does not exist on"))
        expect(matchesIn(output, own)).toMatchSnapshot(name);
    }
    // What a newer service may know passes, with a warning.
    await stack.declare(
      Object.fromEntries(Object.entries(SUSPICIONS).map(([name, [declaration]]) => [name, declaration])),
    );
    const suspected = await stack.pulumi(["preview"]);
    expect(suspected.code, suspected.output).toBe(0);
    for (const [, said] of Object.values(SUSPICIONS)) expect(suspected.output).toContain(said);
    expectClean(stack, suspected.output);
    if (stack.resources === "dynamic") {
      await stack.declare({ it: { ...insight({ name: "Signups" }), options: { import: "5" } } });
      const { code, output } = await stack.pulumi(["preview"]);
      expect(code, output).not.toBe(0);
      expect(output).toContain("set adopt to the id");
      expect(output).not.toContain("toJavaScript");
    }
    // A service in the settings that is not that of the environment.
    await stack.declare({ it: insight({ name: "Signups" }) });
    await stack.run("config", "set", "driftline:url", "http://127.0.0.1:9");
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(code, output).not.toBe(0);
    expect(output).toMatch(/DRIFTLINE_URL and (?:driftline:)?url/);
    expectClean(stack, output);
  });

  it("in an id has the form of an id, or what to do (packaged)", async () => {
    const stack = await createYamlStack(bin);
    const importing = (id: string): Program => ({ it: { ...insight({ name: "Signups" }), options: { import: id } } });
    const told: string[] = [];
    for (const id of ["5", "2/999", `${ACME}/5`]) {
      await stack.declare(importing(id));
      const { code, output } = await stack.pulumi(["preview"]);
      expect(code, output).not.toBe(0);
      expectClean(stack, output);
      told.push(...matchesIn(output, /error: (?!.*preview failed).*/));
    }
    expect(told).toMatchSnapshot("import");
    await stack.declare({ it: insight({ name: "Signups", adopt: "999" }) });
    const { output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(matchesIn(output, /error: .*999.*/)).toMatchSnapshot("adopt");
  });

  it("that only the service sees is told in the words of the program, too", async () => {
    const stack = await createYamlStack(bin);
    const ignored = { type: "ignore-field", field: "derived_name" } as const;
    stack.emulator.faults.add({ fault: ignored });
    await stack.declare({ it: insight({ name: "Signups", derivedName: "Derived" }) });
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(code, output).not.toBe(0);
    expect(matchesIn(output, /the service accepted.*/)).toMatchSnapshot();
  });
});
