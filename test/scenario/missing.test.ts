/** A pinned object that somebody deleted on the service: how it is reported, and how it comes back. */
import { liftInJson } from "../support/lift.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ACME, applyJson, changeOf, one, planJson, seedOf, writes } from "../support/acme.ts";
import { describeDialects } from "../support/dialects.ts";
import { linesWith, normalized } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const GONE = "0190aa11-0000-4000-8000-00000000dead";
const ADDRESS = "acme/domains/corp";
const RECREATE = ["--recreate", ADDRESS];

const yaml = (id: string): string => `# our organization
driftline: 1
organizations:
  acme:
    id: ${ACME}
    domains:
      # for the single sign-on
      corp:
        id: ${id} # from the export
        domain: acme.com
`;

async function missing(config = yaml(GONE), file = "driftline.yaml"): Promise<Workspace> {
  const space = await workspace({ seed: seedOf() });
  await space.configure(config, file);
  return space;
}

const text = ({ folder }: Workspace): Promise<string> => readFile(join(folder, "driftline.yaml"), "utf8");
const made = ({ emulator }: Workspace): string => String(one(emulator.find("domain")).id);

describeDialects("a missing object", () => {
  it("is missing in drift (2), blocked in plan and apply (13), and nothing is sent", async () => {
    const space = await missing();
    const { code, document } = await space.drift();
    expect([code, document.summary]).toEqual([2, expect.objectContaining({ create: 1, unknown: 0 })]);
    expect((await planJson(space)).code).toBe(13);
    expect((await applyJson(space)).code).toBe(13);
    expect(writes(space)).toEqual([]);
    const shown = await space.run(["plan"]);
    expect(linesWith(shown.stdout, ADDRESS)).toMatchSnapshot("plan");
    expect(linesWith((await space.run(["drift"])).stdout, ADDRESS)).toMatchSnapshot("drift");
  });

  it("is created anew with --recreate, and the YAML has the new id and nothing else that is new", async () => {
    const space = await missing();
    const planned = await planJson(space, ...RECREATE);
    expect([planned.code, changeOf(planned, ADDRESS).blocked]).toEqual([0, null]);
    const { code, stdout, stderr } = await space.run(["apply", "--yes", ...RECREATE]);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("blocked")]);
    expect(await text(space)).toBe(yaml(made(space)));
    expect(normalized(linesWith(stderr, "Wrote "))).toMatchSnapshot();
    expect((await space.drift()).code).toBe(0);
  });

  it("is created once although the run ended before the pin was written: the next one finds it by its name", async () => {
    const space = await missing();
    await space.apply(RECREATE);
    const id = made(space);
    await space.configure(yaml(GONE));
    const blocked = await planJson(space);
    expect([blocked.code, liftInJson(changeOf(blocked, ADDRESS).blocked)]).toEqual([13, expect.stringContaining(id)]);
    space.emulator.clearRequests();
    await space.apply(RECREATE);
    expect([writes(space), made(space), await text(space)]).toEqual([[], id, yaml(id)]);
  });

  it("is still to be created if the saved plan is stale and made again", async () => {
    const space = await missing();
    await space.run(["plan", ...RECREATE, "--out", "plan.json"]);
    await space.configure(`${yaml(GONE)}        sso_enforcement: github\n`);
    const { code, stderr } = await space.run(["apply", "--plan", "plan.json", "--yes"]);
    expect([code, stderr]).toEqual([
      12,
      expect.stringContaining(`driftline plan --recreate ${ADDRESS} --out plan.json`),
    ]);
  });

  it("is created by a saved plan that was made with --recreate, and by no other", async () => {
    const space = await missing();
    await space.run(["plan", "--out", "blocked.json"]);
    await space.run(["plan", "--out", "plan.json", ...RECREATE]);
    expect((await space.run(["apply", "--yes", "--plan", "blocked.json"])).code).toBe(13);
    expect((await space.run(["apply", "--yes", "--plan", "blocked.json", ...RECREATE])).code).toBe(10);
    expect(writes(space)).toEqual([]);
    expect((await space.run(["apply", "--yes", "--plan", "plan.json"])).code).toBe(0);
    expect(await text(space)).toBe(yaml(made(space)));
  });

  it("of a program is created, and the line to write is printed", async () => {
    const source = JSON.stringify({
      driftline: 1,
      organizations: { acme: { id: ACME, domains: { corp: { id: GONE, domain: "acme.com" } } } },
    });
    const space = await missing(`export default ${source};`, "acme.driftline.ts");
    const { code, stderr } = await space.run(["apply", "--yes", ...RECREATE, "acme.driftline.ts"]);
    expect([code, stderr]).toEqual([14, expect.stringContaining("pin_not_written")]);
    expect(normalized(stderr.replaceAll(made(space), "NEW"))).toMatchSnapshot();
  });

  it("whose pin comes from a variable is created, and the line to write is printed", async () => {
    const space = await missing(`variables: { corp: ${GONE} }\n${yaml('"${var:corp}"')}`);
    const before = await text(space);
    const { code, stderr } = await space.run(["apply", "--yes", ...RECREATE]);
    expect([code, stderr, await text(space)]).toEqual([14, expect.stringContaining("pin_not_written"), before]);
  });

  it("whose file is edited meanwhile is created, and the edit is kept", async () => {
    const space = await missing();
    const edited = `${yaml(GONE)}# edited\n`;
    const { code, stderr } = await space.run(["apply", ...RECREATE], {
      runtime: {
        interactive: true,
        ask: async () => {
          await space.configure(edited);
          return "yes";
        },
      },
    });
    expect([code, stderr, await text(space)]).toEqual([14, expect.stringContaining("pin_not_written"), edited]);
  });

  it("needs an address that is declared", async () => {
    const space = await missing();
    expect((await planJson(space, "--recreate", "acme/domains/other")).code).toBe(10);
  });
});

describeDialects("a pin of an object that apply replaces", () => {
  const NOOP = "{ type: NoOp, config: {} }";
  const HTTP = '{ type: HTTP, config: { url: "https://events.example", token: t } }';
  const exports = (id: string, destination: string, domain: string): string => `driftline: 1
organizations:
  acme:
    id: ${ACME}
    domains:
      corp: ${domain} # the first one
    projects:
      web:
        id: "2"
        batch_exports:
          events: { id: ${id}, name: Events, interval: hour, destination: ${destination} }
`;

  it("gets the new id, beside the pins that --pin and --recreate write into the same file", async () => {
    const space = await workspace({
      seed: seedOf(
        {},
        { batch_exports: [{ name: "Events", interval: "hour", destination: { type: "NoOp", config: {} } }] },
      ),
    });
    const idOfExport = (): string => String(one(space.emulator.find("batch_export")).id);
    const before = idOfExport();
    await space.configure(exports(before, NOOP, "{ domain: acme.com }"));
    expect((await space.drift()).code).toBe(2);
    await space.configure(exports(before, HTTP, `{ id: ${GONE}, domain: acme.com }`));
    const { code, stderr } = await space.run(["apply", "--yes", "--pin", "--recreate", ADDRESS]);
    expect(code, stderr).toBe(0);
    expect(idOfExport()).not.toBe(before);
    expect(await text(space)).toBe(exports(idOfExport(), HTTP, `{ id: ${made(space)}, domain: acme.com }`));
    expect((await space.drift()).code).toBe(0);
  });

  it("is printed for a program", async () => {
    const seed = seedOf({ invites: [{ target_email: "eve@acme.com", level: 1 }] });
    const space = await workspace({ seed });
    const { id } = one(space.emulator.find("invite"));
    const invites = { eve: { id, target_email: "eve@acme.com", level: "admin" } };
    const source = JSON.stringify({ driftline: 1, organizations: { acme: { id: ACME, invites } } });
    await space.configure(`export default ${source};`, "acme.driftline.ts");
    const { code, stderr } = await space.run(["apply", "--yes", "acme.driftline.ts"]);
    expect([code, stderr]).toEqual([
      14,
      expect.stringContaining(`Write id: "${String(one(space.emulator.find("invite")).id)}"`),
    ]);
  });
});

describeDialects("an insight that is pinned by its short_id", () => {
  const insight = "acme/projects/web/insights/one";
  const yamlOf = (shortId: string): string =>
    `driftline: 1\norganizations:\n  acme: { id: ${ACME}, projects: { web: { id: "2", insights: { one: { short_id: ${shortId}, name: One } } } } }\n`;

  it("gets the short_id of the new one with --recreate", async () => {
    const space = await workspace({ seed: seedOf() });
    await space.configure(yamlOf("gone4242"));
    expect((await planJson(space)).code).toBe(13);
    await space.apply(["--recreate", insight]);
    expect(await text(space)).toBe(yamlOf(String(one(space.emulator.find("insight"))["short_id"])));
    expect((await space.drift()).code).toBe(0);
  });
});
