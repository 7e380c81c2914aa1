import { optionWords } from "../../src/model/command.ts";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diffLines } from "../../src/report/diff/text-diff.ts";
import { describeDialects } from "../support/dialects.ts";
import { messyOrganization } from "../support/messy.ts";
import { linesWith, normalized } from "../support/normalized.ts";
import { seededRandom } from "../support/random.ts";
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
  const random = seededRandom(17);
  const space = await workspace({ seed, random: () => random.next() });
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
  return diffLines(before, after, { left: Infinity }).flatMap(({ lines }) =>
    lines.filter(({ sign }) => sign === "-").map(({ text }) => text),
  );
}

describeDialects("import", (dialect) => {
  it("writes every undeclared object, only adds lines, and leaves nothing to plan or to import", async () => {
    const space = await messy();
    const { code, stdout, stderr } = await space.run(IMPORT_ALL);
    expect([code, stderr]).toEqual([0, ""]);
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    // Nothing is read twice: the plan takes the organizations that were read to find new projects.
    const paths = space.emulator.requests.map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)]);
    expect(paths).toHaveLength(15);
    expect(stdout).toMatchSnapshot("what it says");
    const after = await textsOf(space);
    expect(Object.keys(after).toSorted()).toEqual(["acme/mobile.yaml", ...Object.keys(FILES)].toSorted());
    for (const file of ["acme/organization.yaml", "acme/web.yaml"])
      expect(removedLines(FILES[file] ?? "", after[file] ?? "")).toEqual([]);
    expect(after["acme/organization.yaml"]).toMatchSnapshot("a file");
    // A deployed server does not return the settings that hold secrets.
    expect(after["acme/web.yaml"]?.includes("# the service does not return")).toBe(dialect === "deployed");
    const plan = await space.plan("acme/");
    expect(plan.changes.filter(({ action }) => action !== "no_op")).toEqual([]);
    expect(plan.summary.unmanaged).toBe(0);
    const again = await space.run(IMPORT_ALL);
    expect([again.code, again.stdout]).toMatchSnapshot("the second time");
    expect(await textsOf(space)).toEqual(after);
  });

  it("lists the importable objects if none is selected and there is no terminal", async () => {
    const space = await messy();
    const { code, stdout } = await space.run([
      "import",
      "acme/",
      "--var",
      "password=canary",
      "--max-requests-per-minute",
      "6000",
    ]);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/joined [\d-]+ [\d:]+/gu, "joined <time>")).toMatchSnapshot();
    expect(stdout).toContain(
      "`driftline import acme/ --var password=VALUE --max-requests-per-minute 6000 --all --yes`\n",
    );
    expect(await textsOf(space)).toEqual(FILES);
  });

  it.each([
    "acme/domains/acme-de",
    "acme/memberships/user2@acme.com",
    "acme/invites/carol-acme-com",
    "acme/pipeline_destinations/webhook-sink",
    "acme/pipeline_frontend_apps/banner",
    "acme/pipeline_import_apps/stripe",
    "acme/projects/web/batch_exports/nightly",
    "acme/projects/mobile/insights/funnel-signup-activation",
  ])("imports %s alone", async (address) => {
    const space = await messy();
    const { code, stderr } = await space.run(["import", "--yes", "--only", address, "acme/"]);
    expect([code, stderr]).toEqual([0, ""]);
    const { changes } = await space.plan("acme/");
    expect(changes.find((change) => change.address === address)?.action).toBe("no_op");
    const { stdout } = await space.run(["import", "--yes", "--only", address, "acme/"]);
    expect(stdout).toBe(`${address} is declared already.\n`);
  });

  it("imports a whole scope or collection, a person by e-mail, and several of them at once", async () => {
    const space = await messy();
    const given = ["acme/memberships/user2@acme.com", "acme/projects/staging/batch_exports", "acme/domains"];
    space.emulator.clearRequests();
    expect((await space.run(["import", "--yes", ...optionWords("only", given), "acme/"])).code).toBe(0);
    // No other objects are listed.
    expect(space.emulator.requests.filter(({ path }) => path.includes("/insights"))).toEqual([]);
    const plan = await space.plan("acme/");
    expect(plan.changes.filter(({ action }) => action !== "no_op")).toEqual([]);
    const after = await textsOf(space);
    expect(after["acme/organization.yaml"]).toMatch(/^ {6}user2@acme.com: \{ level: member \}$/m);
    expect(after["acme/organization.yaml"]).not.toContain("user3@");
    expect(after["acme/staging.yaml"]).toContain("batch_exports");
    expect(after["acme/staging.yaml"]).not.toContain("insights");
  });

  it("needs --yes without a terminal, and asks once per file on one", async () => {
    const space = await messy();
    expect((await space.run(["import", "--all", "acme/"])).code).toBe(10);
    expect(space.emulator.requests).toEqual([]);
    const questions: string[] = [];
    const answers = ["acme/domains acme/projects/staging/batch_exports/nightly", "yes", "no"];
    const ask = (question: string) => {
      questions.push(question);
      return Promise.resolve(answers.shift());
    };
    const { code, stderr } = await space.run(["import", "acme/"], { runtime: { interactive: true, ask } });
    expect([code, questions]).toMatchSnapshot();
    expect(stderr).toMatch(/^\+ {7}acme-de: /m);
    const after = await textsOf(space);
    expect(after["acme/organization.yaml"]).toContain("acme-de:");
    expect(after["acme/staging.yaml"]).toBe(FILES["acme/staging.yaml"]);
  });

  it("prints the lines for a program, and for YAML that others refer to, and exits with 2", async () => {
    const space = await messy({
      "acme/a.driftline.ts": `export default { driftline: 1, organizations: { acme: { name: "Acme Inc" } } };\n`,
      "acme/b.yaml": `driftline: 1\norganizations: { acme: { projects: { web: &web { id: "2" } } } }\nx-web: *web\n`,
    });
    const before = await textsOf(space);
    const given = ["acme/domains/shop-acme-com", "acme/projects/web/batch_exports/nightly"];
    const { code, stdout } = await space.run(["import", "--yes", ...optionWords("only", given), "acme/"]);
    expect([code, await textsOf(space)]).toEqual([2, before]);
    expect(normalized(stdout)).toMatchSnapshot();
  });

  it.each([
    ["import", "--yes", "--only", "acme/projects/mobile/batch_exports", "acme/"],
    ["export", "--single-file"],
    ["export", "--out", "live"],
  ])("warns that the variable of a new secret is set already: %s %s", async (...args) => {
    const isSaid = async (env: Readonly<Record<string, string>>): Promise<boolean> => {
      const space = await messy(FILES);
      const { stderr } = await space.run(args, { env });
      return stderr.includes("variable_set");
    };
    expect(await isSaid({ DL_VALUE_TO_THE_WAREHOUSE_TOKEN: "of another program" })).toBe(true);
    expect(await isSaid({ TO_THE_WAREHOUSE_TOKEN: "of another program" })).toBe(false);
  });

  it.each([{ name: "Web" }, { name: "Wbe" }, { id: "99" }])(
    "offers no project of an organization in which a declared one was not found: %o",
    async (project) => {
      const projects = [2, 3].map((id) => ({ id, name: "Web", insights: [{ name: "One", saved: true }] }));
      const space = await workspace({ seed: { organizations: [{ name: "Acme Inc", projects }] } });
      await space.configure({
        driftline: 1,
        organizations: { acme: { name: "Acme Inc", projects: { web: project } } },
      });
      const { code, stdout, stderr } = await space.run(["import"]);
      expect([code, stdout, stderr]).toEqual([10, "", expect.stringContaining("unknown_project")]);
    },
  );

  it("takes each address that plan --unmanaged shows, and those of undeclared objects of exclusive kinds", async () => {
    const exclusive = FILES["acme/organization.yaml"]?.replace(
      "    domains:",
      "    exclusive: [invites, members]\n    domains:",
    );
    const space = await messy({ ...FILES, "acme/organization.yaml": exclusive ?? "" });
    const { stdout } = await space.run(["plan", "--unmanaged", "acme"]);
    const lines = stdout.split("\n");
    const shown = lines.slice(lines.findIndex((line) => line.endsWith("unmanaged objects, left alone")) + 1);
    const addresses = shown.flatMap((line) => /^ {6}(\S+\/id=\S+) /.exec(line)?.[1] ?? []);
    const [, command = ""] = /^To declare the first one:\s`driftline (.*)`$/m.exec(stdout) ?? [];
    expect(command).toContain(addresses[0]);
    expect((await space.run([...command.split(" "), "--yes"])).code).toBe(0);
    const drift = await space.drift("acme");
    const pruned = drift.document.changes.flatMap(({ action, address }) => (action === "delete" ? [address] : []));
    expect(pruned.length).toBeGreaterThan(5);
    expect(
      (await space.run(["import", "--yes", ...optionWords("only", [...addresses.slice(1), ...pruned]), "acme"])).code,
    ).toBe(0);
    const after = await space.plan("acme");
    expect(
      after.unmanaged.filter(({ scope, kind, id }) =>
        addresses.some((one) => one.startsWith(scope) && one.endsWith(id) && kind !== "membership"),
      ),
    ).toEqual([]);
    expect(after.changes.filter(({ action }) => action === "delete")).toEqual([]);
  });

  it("says nothing but the error if nothing can be read, and so does a pin", async () => {
    const space = await messy();
    for (const command of [IMPORT_ALL, ["pin", "--yes", "acme/"]]) {
      const { code, stdout, stderr } = await space.run(command, { env: { DRIFTLINE_API_KEY: "wrong" } });
      expect([code, stdout, linesWith(stderr, ": ").match(/^(?:error|warning|\S+ (?:error|warning)) /gmu)]).toEqual([
        11,
        "",
        ["error "],
      ]);
    }
  });
});
