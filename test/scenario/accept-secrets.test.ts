/** A difference below a key that is named like a secret is never shown, so `drift --accept` cannot write it, and has to say so. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { acceptDrift, createClient, createRedactor, loadConfig, planConfig, systemClock } from "../../src/index.ts";
import type { JsonObject, Json } from "../../src/emulator/json.ts";
import { budget } from "../support/budget.ts";
import { describeDialects } from "../support/dialects.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** An insight with one query declared and another one live. */
async function drifted(declared: JsonObject, live: JsonObject, more: JsonObject = {}): Promise<Workspace> {
  const insights = [{ id: 5, name: "x", ...more, query: { kind: "Q", ...live } }];
  const projects = [{ id: 2, name: "Web", insights }];
  const space = await workspace({ seed: { organizations: [{ name: "Acme Inc", projects }] } });
  await configure(space, declared);
  return space;
}

const configure = (space: Workspace, query: JsonObject): Promise<void> => {
  const insight = { name: "x", tags: ["a"], query: { kind: "Q", ...query } };
  const web = { id: "2", insights: { x: insight } };
  return space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", projects: { web } } } });
};

const textOf = ({ folder }: Workspace): Promise<string> => readFile(join(folder, "driftline.yaml"), "utf8");

const ROWS: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ["another value", { token: "hush-one" }, { token: "hush-two" }],
  ["a value at any depth", { a: [{ credentials: { user: "one" } }] }, { a: [{ credentials: { user: "two" } }] }],
  ["a new key", {}, { password: "hush-two" }],
  ["an element of a list", { list: [{ token: "hush-one" }] }, { list: [{ token: "hush-one" }, { token: "hush-two" }] }],
  ["what was a text", { a: "x" }, { a: { api_key: "hush-two" } }],
];

describeDialects("drift --accept of what is below the name of a secret", () => {
  it.each(ROWS)(
    "leaves %s, says so, and exits with 2, also if it accepts another field",
    async (_what, declared, live) => {
      const space = await drifted(declared, live, { tags: ["b"] });
      const before = await textOf(space);
      const { code, stderr } = await space.run(["drift", "--accept", "--yes"]);
      expect([code, stderr.match(/warning not_accepted/g)?.length]).toEqual([2, 1]);
      expect(await textOf(space)).toBe(before.replace("- a\n", "- b\n"));
      const again = await space.run(["drift", "--accept", "--yes"]);
      expect(again.code).toBe(2);
      expect((await space.drift()).code).toBe(2);
    },
  );

  it("says why", async () => {
    const space = await drifted({ token: "hush-one" }, { token: "hush-two" }, { tags: ["a"] });
    const { stderr } = await space.run(["drift", "--accept", "--yes"]);
    expect(linesWith(stderr, "not_accepted")).toMatchSnapshot();
  });

  it("removes what is no longer live", async () => {
    const space = await drifted({ token: "hush-one", a: 1 }, { a: 1 }, { tags: ["a"] });
    const { code } = await space.run(["drift", "--accept", "--yes"]);
    expect([code, (await space.drift()).code]).toEqual([0, 0]);
    expect(await textOf(space)).not.toContain("token");
  });

  it("is among what acceptDrift left", async () => {
    const space = await drifted({ token: "hush-one" }, { token: "hush-two" }, { tags: ["b"] });
    const { folder: cwd, emulator, env } = space;
    const redactor = createRedactor();
    const config = await loadConfig({ paths: ["driftline.yaml"], cwd, env, vars: [], varFiles: [] });
    const { url, key } = emulator;
    const client = createClient({ url, key, mode: "read", profile: "posthog", clock: systemClock, redactor });
    const context = { env, clock: systemClock, redactor, toolVersion: "test" };
    const options = { prune: false, only: [], rotate: [] };
    const run = await planConfig({ config, client, context, options }, "drift").finally(() => client.close());
    const { written, left, diagnostics } = await acceptDrift(run, cwd);
    const address = "acme/projects/web/insights/x";
    expect([...written]).toEqual([["driftline.yaml", [`${address}/tags`]]]);
    expect(left.map((change) => change.address)).toEqual([address]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["not_accepted"]);
  });

  it("never ends with another exit code than the drift after it, whatever the query holds", async () => {
    const space = await drifted({}, {}, { tags: ["a"] });
    const property = fc.asyncProperty(queries("hush-here"), queries("hush-live"), async (declared, live) => {
      await configure(space, declared);
      space.emulator.edit("insight", 5, { query: { kind: "Q", ...live } });
      const { code, stderr } = await space.run(["drift", "--accept", "--yes"]);
      expect(stderr.includes("not_accepted")).toBe(code === 2);
      expect((await space.drift()).code).toBe(code);
      expect(await textOf(space)).not.toMatch(/sensitive|redacted|hush-live/);
    });
    await fc.assert(property, { numRuns: budget(150) });
  });
});

/** Values of any shape, with secrets below the names of secrets. */
function queries(secret: string): fc.Arbitrary<JsonObject> {
  const { object } = fc.letrec<{ value: Json; hidden: Json; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("a", "b", 1, true, null),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("object"),
    ),
    hidden: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(secret, "hush-both", 31_337, true, null),
      fc.array(tie("hidden"), { maxLength: 2 }),
      fc.record({ user: tie("hidden") }),
    ),
    object: fc
      .tuple(
        fc.dictionary(fc.constantFrom("a", "b"), tie("value"), { maxKeys: 2 }),
        fc.dictionary(fc.constantFrom("token", "password"), tie("hidden"), { maxKeys: 1 }),
      )
      .map(([open, hidden]) => ({ ...open, ...hidden })),
  }));
  return object;
}
