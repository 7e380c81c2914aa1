/** Look-ups as functions: programs on the real engine, and the calls that fail. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { ACME } from "../support/interface/declare.ts";
import { describeEngine, engine } from "./support/engine.ts";
import { createPackagedStack } from "./support/packaged-stack.ts";
import type { Stack } from "./support/stack.ts";

const SEED: EmulatorOptions["seed"] = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      domains: [{ domain: "acme.com" }],
      members: [{ email: "ada@acme.com", level: 8 }],
      projects: [
        {
          id: 2,
          name: "Web",
          insights: [
            { name: "Signups", tags: ["growth", "weekly"] },
            { name: "Signups by day", tags: ["growth"] },
            { name: "Twice" },
            { name: "Twice" },
          ],
        },
      ],
    },
  ],
};

const PROGRAM = `
const acme = await driftline.getOrganization({ name: "Acme Inc" });
const web = driftline.getProjectOutput({ organizationId: acme.id, name: "Web" });
const projectId = web.projectId;
const domain = driftline.getDomainOutput({ organizationId: acme.id, domain: "ACME.com" });
const people = await driftline.getMembers({ organizationId: acme.id });
const signups = driftline.getInsightOutput({ projectId, name: "Signups" });
const growth = driftline.getInsightsOutput({ projectId, tags: ["growth", "weekly"] });
const begins = driftline.getInsightsOutput({ projectId, namePrefix: "Signups" });
const copy = new driftline.Insight("copy", { projectId, name: pulumi.interpolate\`Copy of \${signups.name}\` });
const found = pulumi.all([web, domain, signups, growth, begins]).apply(([project, { domain }, { id, shortId }, one, two]) => ({
  acme: acme.id,
  project,
  domain,
  people: people.members.map(({ email, level }) => email + " " + level).sort(),
  hasBoth: Boolean(id && shortId),
  growth: one.insights.map(({ name }) => name),
  begins: two.insights.map(({ name }) => name).sort(),
}));
export { found };
`;

async function write({ folder, resources }: Stack, text: string): Promise<void> {
  const module = resources === "dynamic" ? "driftline/pulumi" : "driftline/packaged";
  const imports = `import * as pulumi from "@pulumi/pulumi";\nimport * as driftline from "${module}";\n`;
  await writeFile(join(folder, "project/index.js"), imports + text);
}

describeEngine("functions", (dialect, { createNodeStack }) => {
  it("find what exists, in previews as well, and each list is read once in a process", async () => {
    const stack = await createNodeStack({ seed: SEED, dialect });
    await write(stack, PROGRAM);
    expect((await stack.steps("preview")).map(({ op, name }) => [op, name])).toEqual([["create", "copy"]]);
    expect(new Set(stack.emulator.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    const paths = stack.emulator.requests.map(({ path }) => path.split("?")[0]);
    expect(paths).toEqual([...new Set(paths)]);

    await stack.run("up", "--yes", "--skip-preview");
    const { found } = JSON.parse(await stack.run("stack", "output", "--json")) as { readonly found: object };
    expect(found).toEqual({
      acme: ACME,
      project: { organizationId: ACME, id: "2", projectId: 2, name: "Web" },
      domain: "acme.com",
      people: ["ada@acme.com 8", "owner@example.com 15"],
      hasBoth: true,
      growth: ["Signups"],
      begins: ["Signups", "Signups by day"],
    });
    expect(stack.emulator.find("insight").map(({ name }) => name)).toContain("Copy of Signups");
  });

  it("name both ids if there are two of one name", async () => {
    const stack = await createNodeStack({ seed: SEED, dialect });
    await write(stack, `await driftline.getInsight({ projectId: 2, name: "Twice" });`);
    const ids = stack.emulator.find("insight").flatMap(({ name, id }) => (name === "Twice" ? [String(id)] : []));
    const { code, output } = await stack.pulumi(["preview"]);
    expect(code).not.toBe(0);
    expect(ids.length).toBe(2);
    for (const id of ids) expect(output).toMatch(new RegExp(`Twice.*\\b${id}\\b`));
  });
});

const { bin, missing } = engine();

describe.skipIf(missing !== undefined)("a provider of the program", () => {
  it("has the settings of its resources and look-ups, and its key is no plain text in the state", async () => {
    const stack = await createPackagedStack(bin, { seed: SEED });
    const { url, key } = stack.emulator;
    await write(
      stack,
      `const provider = new driftline.Provider("own", { url: process.env.OWN_URL, apiKey: process.env.OWN_KEY, settleAfter: 1, maxRequestsPerMinute: 6000 });
export const { projectId } = driftline.getProjectOutput({ organizationId: "${ACME}", name: "Web" }, { provider });
new driftline.Insight("made", { projectId, name: "Made" }, { provider });`,
    );
    const env = { DRIFTLINE_URL: "", DRIFTLINE_API_KEY: "", OWN_URL: url, OWN_KEY: key };
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"], env);
    expect(code, output).toBe(0);
    expect(stack.emulator.find("insight").map(({ name }) => name)).toContain("Made");
    expect(JSON.stringify(await stack.deployment())).not.toContain(key);
  });
});
