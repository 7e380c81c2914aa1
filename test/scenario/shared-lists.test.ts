/** Lists without order to which other people add elements: an export leaves them out, and `partial` declares the own elements. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changeOf, one, planJson, QUERY, seedOf, web } from "../support/acme.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";
const SEEDED = { seed: seedOf({}, { dashboards: [7, 8, 9] }) };
const declare = (space: Workspace, fields: object) =>
  space.configure(web({ insights: { i: { name: "I", query: QUERY, ...fields } } }));
const stored = ({ emulator }: Workspace) => one(emulator.find("insight"));
const textOf = (space: Workspace) => readFile(join(space.folder, "driftline.yaml"), "utf8");

async function withInsight(live: object): Promise<Workspace> {
  const space = await workspace(SEEDED);
  space.emulator.insert("insight", { project: 2 }, { id: 5, name: "I", query: QUERY, saved: true, ...live });
  return space;
}

describeDialects(
  "dashboards in an export",
  () => {
    it("are left out, with one comment, so that a later placement is no drift", async () => {
      const space = await withInsight({ dashboards: [7] });
      space.emulator.insert("insight", { project: 2 }, { id: 6, name: "J", query: QUERY, dashboards: [7, 8] });
      expect((await space.run(["export", "--single-file", "--out", "."])).code).toBe(0);
      const text = await textOf(space);
      expect(text.match(/dashboards/g)).toHaveLength(1);
      expect(text).toMatch(/^ *# not exported: dashboards/m);
      space.emulator.edit("insight", 5, { dashboards: [7, 9] });
      expect((await space.drift()).code).toBe(0);
      await space.apply();
      expect(space.emulator.find("insight").find(({ id }) => id === 5)).toMatchObject({ dashboards: [7, 9] });
    });

    it("are declared in part with --all-fields", async () => {
      const space = await withInsight({ dashboards: [8, 7] });
      expect((await space.run(["export", "--single-file", "--all-fields", "--out", "."])).code).toBe(0);
      expect(await textOf(space)).toMatch(/dashboards: \[7, 8\]\n(.*\n)* *lifecycle:\n? *\{? *partial: \[dashboards\]/);
      space.emulator.edit("insight", 5, { dashboards: [9, 7, 8] });
      expect((await space.drift()).code).toBe(0);
      space.emulator.edit("insight", 5, { dashboards: [9, 7] });
      expect((await space.drift()).code).toBe(2);
      await space.apply();
      expect([...(stored(space)["dashboards"] as number[])].toSorted((a, b) => a - b)).toEqual([7, 8, 9]);
    });

    it("are left out for Pulumi", async () => {
      const space = await withInsight({ dashboards: [7] });
      expect((await space.run(["export", "--pulumi", "--out", "program"])).code).toBe(0);
      expect(await readFile(join(space.folder, "program", "import.json"), "utf8")).not.toMatch(/"dashboards"|partial/);
    });
  },
  ALL_DIALECTS,
);

describeDialects("lifecycle.partial of a list without order", (dialect) => {
  it("sends what is missing with what others have added, and the plan shows that", async () => {
    const space = await withInsight({ tags: ["others", "mine"], dashboards: [9] });
    await declare(space, { tags: ["Mine", "new"], dashboards: [7], lifecycle: { partial: ["tags", "dashboards"] } });
    const { fields } = changeOf(await planJson(space), ADDRESS);
    expect(fields.map(({ path, planned }) => [path, [...(planned as string[])].toSorted()])).toEqual([
      ["/dashboards", [7, 9]],
      ["/tags", ["Mine", "new", "others"]],
    ]);
    await space.apply();
    const mine = dialect === "deployed" ? "mine" : "Mine";
    expect([...(stored(space)["tags"] as string[])].toSorted()).toEqual([mine, "new", "others"]);
    expect((await space.drift()).code).toBe(0);
  });

  it("takes only the own elements that are gone out of the file", async () => {
    const space = await withInsight({ tags: ["a", "others"] });
    await declare(space, { tags: ["a", "gone"], lifecycle: { partial: ["tags"] } });
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
    expect(await textOf(space)).toMatch(/tags:\s+- a\n +lifecycle/);
    expect((await space.drift()).code).toBe(0);
  });
});

const EXPORT = {
  name: "Nightly",
  interval: "day",
  destination: {
    type: "AwsS3",
    integration: 1,
    config: {
      bucket_name: "acme",
      region: "eu-central-1",
      prefix: "e",
      include_events: ["a"],
      exclude_events: ["b", "c"],
    },
  },
};

it.each<readonly [collection: string, path: string, fields: object]>([
  ["insights", "/tags/*", { name: "I", tags: ["a"] }],
  ["insights", "/tags/0", { name: "I", tags: ["a"] }],
  ["insights", "/dashboards/*", { name: "I", dashboards: [7] }],
  [
    "invites",
    "/private_project_access/*/level",
    { target_email: "z@acme.com", private_project_access: [{ id: 2, level: "member" }] },
  ],
  [
    "identity_provider_configs",
    "/organization_domain_ids/1",
    { name: "Okta", organization_domain_ids: ["0190aa11-0000-4000-8000-00000000000b"] },
  ],
  ["batch_exports", "/destination/config/include_events/0", EXPORT],
  ["batch_exports", "/destination/*/exclude_events/*", EXPORT],
])("an ignored element of a list without order is an error: %s %s", async (collection, path, fields) => {
  const space = await workspace();
  const resource = { one: { ...fields, lifecycle: { ignore: [path] } } };
  const organization = {
    name: "Acme Inc",
    ...(["insights", "batch_exports"].includes(collection)
      ? { projects: { web: { id: 2, [collection]: resource } } }
      : { [collection]: resource }),
  };
  await space.configure({ driftline: 1, organizations: { acme: organization } });
  const { code, stdout } = await space.run(["validate", "--format", "json"]);
  expect(code).toBe(10);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string; line?: number }[] };
  expect(diagnostics.filter((found) => found.code === "contradictory_lifecycle")).toMatchObject([
    { line: expect.any(Number) },
  ]);
});
