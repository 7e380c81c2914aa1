import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { messyOrganization } from "../support/messy.ts";
import { seededRandom } from "../support/random.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

async function exported(): Promise<Workspace> {
  const space = await workspace({ seed: messyOrganization() });
  const { code, stdout, stderr } = await space.run(["export"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/warning|error/) as string });
  expect(stdout).not.toContain("hush");
  await space.configure(stdout);
  return space;
}

it("is what the example for existing organizations has (else: write it there as JSON)", async () => {
  const text = await readFile(new URL("../../examples/existing/seed.json", import.meta.url), "utf8");
  expect(JSON.parse(text)).toEqual(messyOrganization());
});

it("is exported as files that a reviewer can read", async () => {
  const space = await workspace({ seed: messyOrganization(), dialect: "deployed" });
  const { stderr } = await space.run(["export", "--out", "live"]);
  await expect(stderr).toMatchFileSnapshot("../golden/export/summary.txt");
  for (const file of ["organization.yaml", "projects/web-prod.yaml"]) {
    const text = await readFile(join(space.folder, "live/acme-inc", file), "utf8");
    const stable = text.replaceAll(/http:.*(\/project\/\d+\/insights\/)\w+/g, "https://eu.posthog.com$1Abc123");
    await expect(stable).toMatchFileSnapshot(`../golden/export/${file}`);
  }
});

describeDialects("a messy organization", () => {
  it("is planned with a wrong key: the output says so once, and nothing else", async () => {
    const space = await exported();
    const { code, stderr } = await space.run(["plan"], { env: { DRIFTLINE_API_KEY: "wrong" } });
    expect([code, stderr.match(/^.*(error|warning)(?= \w+:)/gm)?.length]).toEqual([11, 1]);
  });

  it("is exported, and the plan of it is one line without a warning", async () => {
    const space = await exported();
    const { code, stdout, stderr } = await space.run(["plan"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Nothing differs[^\n]*\n$/);
    const document = planOf(await space.run(["plan", "--format", "json"]));
    expect(document.diagnostics).toEqual([]);
    expect(document.changes.filter(({ kind }) => kind === "insight")).toHaveLength(60);
    expect(document.changes.filter(({ kind }) => kind === "batch_export")).toHaveLength(6);
  });

  it("is exported as a tree in which an insight takes at most 30 lines on average", async () => {
    const space = await workspace({ seed: messyOrganization() });
    const { stdout } = await space.run(["export", "--out", "live"]);
    const files = stdout.trim().split("\n");
    expect(files).toEqual(
      ["organization", "projects/mobile", "projects/web-prod", "projects/web-staging"].map(
        (file) => `live/acme-inc/${file}.yaml`,
      ),
    );
    const texts = await Promise.all(files.map((file) => readFile(join(space.folder, file), "utf8")));
    const insights = texts.flatMap((text) => text.split("        insights:\n").slice(1));
    expect(insights.join("").split("\n").length / 60).toBeLessThan(30);
    expect(await space.run(["plan", "live"])).toMatchObject({ code: 0, stderr: "" });
    for (const file of files) expect(await space.run(["plan", file])).toMatchObject({ code: 0, stderr: "" });
  });

  it("is as quiet for drift and for apply", async () => {
    const space = await exported();
    for (const args of [["drift"], ["apply", "--yes"]]) {
      const { code, stderr } = await space.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    }
  });

  it("has deprecations that only validate --verbose lists, each with its place", async () => {
    const space = await exported();
    await space.configure((await space.run(["export", "--all-fields"])).stdout);
    const { code, stderr } = await space.run(["validate"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const verbose = await space.run(["validate", "--verbose"]);
    expect(verbose.stderr.match(/^driftline\.yaml:\d+:\d+: warning deprecated: /gmu)).toHaveLength(30);
  });
});

describe("exported and planned on today's service", () => {
  it("has no warning: what the service only shows is not exported", async () => {
    const space = await workspace({ seed: messyOrganization(), dialect: "current" });
    await space.configure((await space.run(["export"])).stdout);
    const { changes, diagnostics } = await space.plan();
    expect(changes.filter(({ action, blocked }) => action !== "no_op" || blocked !== null)).toEqual([]);
    expect(diagnostics).toEqual([]);
  });
});

describe("exported on a server of 2025, and planned on today's service", () => {
  it.each([false, true])(
    "has warnings, no error, and nothing that would be destroyed (without plugins: %s)",
    async (plugins_gone) => {
      const of = { seed: messyOrganization() };
      const { stdout } = await (await workspace({ ...of, dialect: "deployed", random: sameIds() })).run(["export"]);
      const switches = { plugins_gone };
      const today = await workspace({ ...of, dialect: "current", random: sameIds(), switches });
      await today.configure(stdout);
      const { changes, diagnostics } = await today.plan();
      expect(changes.length).toBeGreaterThan(80);
      const differing = changes.filter(({ action, blocked }) => action !== "no_op" || blocked !== null);
      expect(differing.map(({ address }) => address)).toEqual([]);
      const told = diagnostics.map(({ severity, code, address = "" }) => `${severity} ${code} ${kindIn(address)}`);
      const left = ["organization", "domains", "insights", ...(plugins_gone ? ["pipeline_frontend_apps"] : [])];
      expect(new Set(told)).toEqual(
        new Set([
          "warning converted_by_service batch_exports",
          // Settings that only today's service has.
          "warning undeclared organization",
          ...left.map((kind) => `warning not_on_service ${kind}`),
        ]),
      );
    },
  );
});

function kindIn(address: string): string {
  return address.split("/").at(-2) ?? "organization";
}

/** Makes the ids of two emulators the same. */
function sameIds(): () => number {
  const random = seededRandom(7);
  return () => random.next();
}
