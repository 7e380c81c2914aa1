import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diffLines } from "../../src/report/diff/text-diff.ts";
import { describeDialects } from "../support/dialects.ts";
import { messyOrganization } from "../support/messy.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** Three files with comments, anchors, merge keys and both styles, which declare a part of the organization. */
const FILES: Readonly<Record<string, string>> = {
  "acme/organization.yaml": `# everything about people
driftline: 1
organizations:
  acme: # the legal name is longer
    name: Acme Inc
    domains:
      corp: { domain: acme.com } # the first one

      # nothing else yet
    memberships:
      ada@acme.com: { level: owner }
      user0@acme.com: &member { level: member }
      user1@acme.com: *member
`,
  "acme/web.yaml": `driftline: 1
organizations:
  acme:
    projects:
      web:
        id: "2" # Web (Prod)
        insights:
          dau-by-week:
            name: "#1 KPI: yes"
            tags: &tags [growth, Board]
          quoted:
            # copied from the above
            name: "Signups per week"
            tags: *tags
`,
  "acme/staging.yaml": `driftline: 1
organizations: { acme: { projects: { staging: { id: "3" } } } }
`,
};

const IMPORT_ALL = ["import", "--all", "--yes", "acme/"];

/** @param capabilities what makes a deployed server show the plugin in its group */
function pluginOf(name: string, capabilities: object): object {
  return { name, plugin_type: "source", capabilities };
}

async function messy(files = FILES): Promise<Workspace> {
  const [acme, ...others] = messyOrganization().organizations ?? [];
  const seed = {
    organizations: [
      {
        ...acme,
        pipeline_destinations: [pluginOf("Webhook sink", { methods: ["onEvent"] })],
        pipeline_import_apps: [pluginOf("Stripe", { methods: [], scheduled_tasks: ["runEveryHour"] })],
        pipeline_frontend_apps: [pluginOf("Banner", {})],
      },
      ...others,
    ],
  } as ReturnType<typeof messyOrganization>;
  const space = await workspace({ seed });
  await mkdir(join(space.folder, "acme"));
  for (const [file, text] of Object.entries(files)) await writeFile(join(space.folder, file), text);
  return space;
}

async function textsOf({ folder }: Workspace): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(join(folder, "acme"))).map((name) => `acme/${name}`);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

function removedLines(before: string, after: string): readonly string[] {
  return diffLines(before, after).flatMap(({ lines }) =>
    lines.filter(({ sign }) => sign === "-").map(({ text }) => text),
  );
}

describeDialects("import", () => {
  it("writes everything that nothing declares, adds lines only, and leaves nothing to plan or to import", async () => {
    const space = await messy();
    const { code, stdout, stderr } = await space.run(IMPORT_ALL);
    expect([code, stderr]).toEqual([0, ""]);
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(stdout).toMatchSnapshot();
    const after = await textsOf(space);
    expect(Object.keys(after).toSorted()).toMatchSnapshot();
    for (const file of ["acme/organization.yaml", "acme/web.yaml"])
      expect(removedLines(FILES[file] ?? "", after[file] ?? "")).toEqual([]);
    expect(after["acme/organization.yaml"]).toMatchSnapshot();
    const plan = await space.plan("acme/");
    expect(plan.changes.filter(({ action }) => action !== "no_op")).toEqual([]);
    expect(plan.summary.unmanaged).toBe(0);
    const again = await space.run(IMPORT_ALL);
    expect([again.code, again.stdout]).toMatchSnapshot();
    expect(await textsOf(space)).toEqual(after);
  });
});
