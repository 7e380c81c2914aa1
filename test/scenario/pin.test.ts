import { optionWords } from "../../src/model/command.ts";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import type { Seed } from "../../src/emulator/index.ts";
import { messyOrganization } from "../support/messy.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const CONFIG = `# our organization
driftline: 1
organizations:
  acme:
    # not the legal name
    name: Acme Inc
    domains:
      corp: { domain: acme.com } # unverified
    memberships: { ada@acme.com: { level: admin } }
    projects:
      web: # the shop
        name: Web
        insights:
          signups:
            # asked for by growth
            name: Signups
            tags: &tags [growth]
          visits: { name: Visits, tags: *tags }
`;

async function applied(config = CONFIG): Promise<Workspace> {
  const space = await workspace();
  await space.configure(config);
  await space.apply();
  space.emulator.clearRequests();
  return space;
}

function textOf({ folder }: Workspace, file = "driftline.yaml"): Promise<string> {
  return readFile(join(folder, file), "utf8");
}

function idOf({ emulator }: Workspace, kind: "insight" | "domain", name: string): string {
  return String(emulator.find(kind).find((one) => one["name"] === name || one["domain"] === name)?.["id"]);
}

/** The id of an insight, with its page in the web interface beside it. */
function idAndPage({ emulator }: Workspace, name: string): string {
  const [found] = emulator.find("insight", (one) => one["name"] === name);
  return `id: ${String(found?.id)} # ${emulator.url}/project/2/insights/${String(found?.["short_id"])}`;
}

const ACME = "0190aa11-0000-4000-8000-00000000000a";

describeDialects("pin", () => {
  it("writes the ids of objects that were found by name, and changes nothing else", async () => {
    const space = await applied();
    const { code, stderr } = await space.run(["pin", "--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    const visits = idOf(space, "insight", "Visits");
    expect(await textOf(space)).toBe(
      CONFIG.replace("name: Acme Inc", `id: ${ACME}\n    name: Acme Inc`)
        .replace("{ domain: acme.com }", `{ id: ${idOf(space, "domain", "acme.com")}, domain: acme.com }`)
        .replace("name: Web", `id: "2"\n        name: Web`)
        .replace("name: Signups", `${idAndPage(space, "Signups")}\n            name: Signups`)
        .replace("{ name: Visits", `{ id: ${visits}, name: Visits`),
    );
    expect((await space.plan()).summary).toMatchObject({ no_op: 5, create: 0, update: 0 });
    const again = await textOf(space);
    expect((await space.run(["pin", "--yes"])).code).toBe(0);
    expect(await textOf(space)).toBe(again);
  });

  it("pins objects of every kind that has pins", async () => {
    const pluginOf = (name: string, capabilities: object): object => ({ name, plugin_type: "source", capabilities });
    const [acme] = messyOrganization().organizations ?? [];
    const seed = {
      organizations: [
        {
          ...acme,
          pipeline_destinations: [pluginOf("Sink", { methods: ["onEvent"] })],
          pipeline_import_apps: [pluginOf("Stripe", { methods: [], scheduled_tasks: ["runEveryHour"] })],
          pipeline_frontend_apps: [pluginOf("Banner", {})],
        },
      ],
    } as Seed;
    const space = await workspace({ seed });
    const s3 = { type: "S3", config: { bucket_name: "acme-events", region: "eu-central-1", prefix: "events/" } };
    const web = {
      name: "Web (Prod)",
      batch_exports: { nightly: { name: "Nightly", interval: "day", destination: s3 } },
      insights: { weekly: { name: "Weekly signups" } },
    };
    const plugin = (name: string): object => ({ name, plugin_type: "source" });
    await space.configure({
      driftline: 1,
      organizations: {
        acme: {
          name: "Acme Inc",
          domains: { de: { domain: "acme.de" } },
          invites: { carol: { target_email: "carol@acme.com" } },
          pipeline_destinations: { sink: plugin("Sink") },
          pipeline_import_apps: { stripe: plugin("Stripe") },
          pipeline_frontend_apps: { banner: plugin("Banner") },
          projects: { web },
        },
      },
    });
    const before = await space.plan();
    const { code, stdout } = await space.run(["pin", "--yes"]);
    expect([code, stdout]).toEqual([0, "Wrote driftline.yaml: 9 ids.\n"]);
    const after = await space.plan();
    expect(after.changes.map(({ id, action }) => [id, action])).toEqual(
      before.changes.map(({ id, action }) => [id, action]),
    );
    expect((await textOf(space)).match(/^ +id: /gm)).toHaveLength(9);
  });

  it("pins only the given addresses, and says why an object is not pinned", async () => {
    const space = await applied();
    const named = ["acme/projects/web/insights/signups", "acme/memberships/ada@acme.com"];
    const { code, stdout } = await space.run(["pin", "--yes", ...optionWords("only", named), "driftline.yaml"]);
    expect(code).toBe(0);
    expect(linesWith(stdout, "")).toMatchSnapshot();
    expect(await textOf(space)).toBe(
      CONFIG.replace("name: Signups", `${idAndPage(space, "Signups")}\n            name: Signups`),
    );
  });

  it("refuses the id of an object that the organization around the project declares by name", async () => {
    const s3 = { type: "S3", config: { bucket_name: "acme-events", region: "eu-central-1", prefix: "events/" } };
    const exported = (name: string): object => ({ name, interval: "day", destination: s3 });
    const space = await workspace();
    const declare = (outer: object, inner: object): Promise<void> =>
      space.configure({
        driftline: 1,
        organizations: {
          acme: { name: "Acme Inc", batch_exports: outer, projects: { web: { name: "Web", batch_exports: inner } } },
        },
      });
    // Deployed servers take an export in a project only.
    await declare({}, { nightly: exported("Nightly") });
    await space.apply();
    await declare({ nightly: exported("Nightly") }, { x: exported("Hourly") });
    const before = await textOf(space);
    const [nightly] = space.emulator.find("batch_export");
    const given = `acme/projects/web/batch_exports/x=${String(nightly?.["id"])}`;
    const { code, stderr } = await space.run(["pin", "--yes", "--only", given]);
    expect([code, stderr]).toEqual([10, expect.stringContaining("error unknown_id: ")]);
    expect(await textOf(space)).toBe(before);
  });

  it("needs --yes without a terminal, and asks once per file on one", async () => {
    const space = await applied();
    expect((await space.run(["pin"])).code).toBe(10);
    expect(space.emulator.requests).toEqual([]);
    const questions: string[] = [];
    const ask = (answer: string) => (question: string) => {
      questions.push(question);
      return Promise.resolve(answer);
    };
    const refused = await space.run(["pin"], { runtime: { interactive: true, ask: ask("no") } });
    expect([refused.code, await textOf(space)]).toEqual([2, CONFIG]);
    expect(refused.stderr).toMatch(/^\+ {9}id: "2"$/m);
    const taken = await space.run(["pin"], { runtime: { interactive: true, ask: ask("yes") } });
    expect([taken.code, questions.length]).toEqual([0, 2]);
    expect(await textOf(space)).toContain(ACME);
  });

  it("prints the lines to add to a program, and to YAML that cannot be edited safely, and exits with 2", async () => {
    const space = await applied();
    const config = join(space.folder, "config");
    await mkdir(config);
    await writeFile(
      join(config, "a.yaml"),
      `driftline: 1\norganizations:\n  acme:\n    id: ${ACME}\n    projects:\n      web: &web { name: Web }\nx-web: *web\n`,
    );
    await writeFile(
      join(config, "b.driftline.ts"),
      `export default { driftline: 1, organizations: { acme: { domains: { corp: { domain: "acme.com" } } } } };\n`,
    );
    const { code, stdout } = await space.run(["pin", "--yes", "config"]);
    expect(code).toBe(2);
    expect(stdout.replaceAll(idOf(space, "domain", "acme.com"), "ID")).toMatchSnapshot();
  });

  it("leaves a file alone that was changed meanwhile", async () => {
    const space = await applied();
    const changed = `${CONFIG}# mine\n`;
    const { code } = await space.run(["pin"], {
      runtime: {
        interactive: true,
        ask: async () => {
          await space.configure(changed);
          return "yes";
        },
      },
    });
    expect([code, await textOf(space)]).toEqual([12, changed]);
  });
});

describeDialects("apply --pin", () => {
  it("writes the ids of created objects, and nothing else", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    const { code, stderr } = await space.run(["apply", "--yes", "--pin"]);
    expect([code, linesWith(stderr, "Wrote ")]).toMatchSnapshot();
    const visits = idOf(space, "insight", "Visits");
    expect(await textOf(space)).toBe(
      CONFIG.replace("{ domain: acme.com }", `{ id: ${idOf(space, "domain", "acme.com")}, domain: acme.com }`)
        .replace("name: Signups", `${idAndPage(space, "Signups")}\n            name: Signups`)
        .replace("{ name: Visits", `{ id: ${visits}, name: Visits`),
    );
    expect((await space.plan()).changes.filter(({ action }) => action !== "no_op")).toEqual([]);
  });
});
