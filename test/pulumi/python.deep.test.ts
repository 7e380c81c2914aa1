/** A program in Python with the SDK that Pulumi's generator makes of the schema. */
import { appendFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import type { Seed } from "../../src/emulator/index.ts";
import { leaksIn } from "../support/canary.ts";
import { cli } from "../support/cli.ts";
import { engine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import { SECRET_PLACEHOLDER } from "../../src/model/secret-values.ts";
import { createYamlStack } from "./support/packaged-stack.ts";
import { installPythonSdk } from "./support/python-sdk.ts";

const { bin, missing } = engine();
const python = inject("python");
const SECRET = "hush-hush-42";
const config = { bucket_name: "b", region: "eu", prefix: "p/", aws_secret_access_key: SECRET };
const query = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "a" }] } };

const SEED: Seed = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      domains: [{ domain: "acme.com", jit_provisioning_enabled: true }],
      members: [{ email: "ada@acme.com", level: 8 }],
      projects: [
        {
          id: 2,
          name: "Web",
          insights: [{ name: "Signups", tags: ["growth"], query }],
          batch_exports: [{ name: "Nightly", interval: "day", destination: { type: "S3", config } }],
        },
      ],
    },
  ],
};

/** What the export declares in YAML, written by hand. A program that `pulumi convert` writes needs more than the tests can build. */
const PROGRAM = `import pulumi
import pulumi_driftline as driftline

acme = driftline.Organization(
  "acme-inc",
  name="Acme Inc",
  is_member_join_email_enabled=True,
  adopt=True,
  opts=pulumi.ResourceOptions(protect=True),
)
driftline.Membership(
  "acme-inc/memberships/owner@example.com", organization_id=acme.id, email="owner@example.com", level="owner", adopt=True
)
driftline.Domain(
  "acme-inc/domains/acme-com", organization_id=acme.id, domain="acme.com", jit_provisioning_enabled=True, adopt=True
)
driftline.Membership(
  "acme-inc/memberships/ada@acme.com", organization_id=acme.id, email="ada@acme.com", level="admin", adopt=True
)
hidden = pulumi.Output.secret(${JSON.stringify(SECRET_PLACEHOLDER)})
driftline.BatchExport(
  "acme-inc/projects/web/batch_exports/nightly",
  project_id=2,
  name="Nightly",
  destination={
    "type": "S3",
    "config": { "bucket_name": "b", "region": "eu", "prefix": "p/", "aws_secret_access_key": hidden },
  },
  interval="day",
  adopt=True,
)
driftline.Insight(
  "acme-inc/projects/web/insights/signups",
  project_id=2,
  name="Signups",
  query={ "kind": "InsightVizNode", "source": { "kind": "TrendsQuery", "series": [{ "kind": "EventsNode", "event": "a" }] } },
  saved=False,
  tags=["growth"],
  adopt=True,
)
`;

describe.skipIf(missing !== undefined || "missing" in python)("a program in Python", () => {
  it("imports what exists, changes it and adds to it, and removes it again", async () => {
    if ("missing" in python) return;
    const stack = await createYamlStack(bin, { seed: SEED });
    const { emulator } = stack;
    const args = ["export", "--pulumi", "out", "--language", "yaml", "--provider", "packaged"];
    const exported = await cli(args, { cwd: stack.folder, env: stack.env });
    expect(exported.code, exported.stderr).toBe(0);
    const out = join(stack.folder, "out");
    const project = await readFile(join(out, "Pulumi.yaml"), "utf8");
    const head = project.slice(0, project.indexOf("\nconfig:")).replace("runtime: yaml", "runtime: python");
    await writeFile(join(out, "Pulumi.yaml"), `${head}\nconfig: { "driftline:url": { value: "${emulator.url}" } }\n`);
    await writeFile(join(out, "__main__.py"), PROGRAM);
    await mkdir(join(out, "node_modules"));
    for (const name of ["driftline", "@pulumi", ".bin"])
      await symlink(join(stack.folder, "project/node_modules", name), join(out, "node_modules", name));
    const env = {
      PATH: [...python.paths, stack.env["PATH"] ?? ""].join(delimiter),
      PWD: out,
      PYTHONPATH: await installPythonSdk(stack.folder, python.paths),
    };
    const pulumi = async (...command: readonly string[]): Promise<string> => {
      emulator.clearRequests();
      const { code, output } = await stack.pulumi([...command, "-C", out], env);
      expect(code, output).toBe(0);
      return output;
    };
    const writes = (): readonly string[] =>
      emulator.requests.flatMap(({ method }) => (method === "GET" ? [] : [method])).toSorted();
    const up = (): Promise<string> => pulumi("up", "--yes", "--skip-preview");

    await pulumi("stack", "init", "dev");
    await pulumi("import", "--file", "import.json", "--generate-code=false", "--yes");
    await pulumi("preview", "--expect-no-changes");
    expect(emulator.requests).toEqual([]);
    const more = `
added = driftline.Insight("added", project_id=2, name="Added", query={"kind": "DataTableNode", "a.b": [1, None]})
pulumi.export("short_id", added.short_id)
`;
    await writeFile(join(out, "__main__.py"), PROGRAM.replace("growth", "core"));
    await appendFile(join(out, "__main__.py"), more);
    await up();
    expect(writes()).toEqual(["PATCH", "POST"]);
    const [signups, added] = emulator.find("insight");
    expect(signups).toMatchObject({ tags: ["core"], query });
    expect(added).toMatchObject({ name: "Added", query: { kind: "DataTableNode", "a.b": [1, null] } });
    expect(JSON.parse(await pulumi("stack", "output", "--json"))).toEqual({ short_id: added?.["short_id"] });
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(emulator.requests).toEqual([]);
    await pulumi("preview", "--refresh", "--expect-no-changes");
    expect(leaksIn(await pulumi("stack", "export"), { secret: SECRET, key: emulator.key })).toEqual([]);
    await writeFile(join(out, "__main__.py"), PROGRAM.replace("growth", "core"));
    await up();
    expect(emulator.find("insight", ({ deleted }) => deleted !== true)).toHaveLength(1);
  });
});
