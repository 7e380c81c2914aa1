/** A program in Python with the SDK that Pulumi's generator makes of the schema. */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import type { Seed } from "../../src/emulator/index.ts";
import { leaksIn } from "../support/canary.ts";
import { cli } from "../support/cli.ts";
import { isWhole } from "../support/budget.ts";
import { engine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import { UNKNOWN_SECRET } from "../../src/model/secret-values.ts";
import { generatingHosts } from "./support/generated-sdk.ts";
import { createYamlStack } from "./support/packaged-stack.ts";
import { installPythonSdk } from "./support/python-sdk.ts";
import { besideKeyChecks } from "./support/key-checks.ts";

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

// The same provider and engine as of a program in TypeScript. test/pulumi/sdks.deep.test.ts compiles the SDK.
describe.skipIf(!isWhole || missing !== undefined || "missing" in python)("a program in Python", () => {
  it("imports what exists, changes it and adds to it, and removes it again", async () => {
    if ("missing" in python) return;
    const stack = await createYamlStack(bin, { seed: SEED });
    const { emulator } = stack;
    const exported = await cli(["export", "--pulumi", "out"], { cwd: stack.folder, env: stack.env });
    expect(exported.code, exported.stderr).toBe(0);
    const out = join(stack.folder, "out");
    const plugins = "plugins: { providers: [{ name: driftline, path: node_modules/.bin }] }";
    await writeFile(join(out, "Pulumi.yaml"), `name: acme-python\nruntime: python\n${plugins}\n`);
    await symlink(join(stack.folder, "project/node_modules"), join(out, "node_modules"));
    const env = {
      PATH: [...python.paths, stack.env["PATH"] ?? ""].join(delimiter),
      PWD: out,
      PYTHONPATH: await installPythonSdk(stack.folder, python.paths),
    };
    const pulumi = async (...command: readonly string[]): Promise<string> => {
      emulator.clearRequests();
      const path = command[0] === "import" ? await generatingHosts(stack.folder, python.paths, env.PATH) : env.PATH;
      const { code, output } = await stack.pulumi([...command, "-C", out], { ...env, PATH: path });
      expect(code, output).toBe(0);
      return output;
    };
    const writes = (): readonly string[] =>
      emulator.requests.flatMap(({ method }) => (method === "GET" ? [] : [method])).toSorted();
    const up = (): Promise<string> => pulumi("up", "--yes", "--skip-preview");

    await pulumi("stack", "init", "dev");
    await pulumi("import", "--file", "import.json", "--yes", "--protect=false", "--out", "__main__.py");
    await pulumi("preview", "--expect-no-changes");
    expect(besideKeyChecks(emulator)).toEqual([]);
    const program = (await readFile(join(out, "__main__.py"), "utf8")).replace("growth", "core");
    expect(program).toContain(`"aws_secret_access_key": ${JSON.stringify(UNKNOWN_SECRET)}`);
    const more = `
added = driftline.Insight("added", project_id=2, name="Added", query={"kind": "DataTableNode", "a.b": [1, None]})
pulumi.export("short_id", added.short_id)
`;
    await writeFile(join(out, "__main__.py"), program + more);
    await up();
    expect(writes()).toEqual(["PATCH", "POST"]);
    const [signups, added] = emulator.find("insight");
    expect(signups).toMatchObject({ tags: ["core"], query });
    expect(added).toMatchObject({ name: "Added", query: { kind: "DataTableNode", "a.b": [1, null] } });
    expect(JSON.parse(await pulumi("stack", "output", "--json"))).toEqual({ short_id: added?.["short_id"] });
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(besideKeyChecks(emulator)).toEqual([]);
    await pulumi("preview", "--refresh", "--expect-no-changes");
    expect(leaksIn(await pulumi("stack", "export"), { secret: SECRET, key: emulator.key })).toEqual([]);
    await writeFile(join(out, "__main__.py"), program);
    await up();
    expect(emulator.find("insight", ({ deleted }) => deleted !== true)).toHaveLength(1);
  });
});
