/** From a Terraform state to Pulumi, by the lines of jq on the page for people from Terraform. */
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { StoredObject } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { missingPrograms } from "../support/ci.ts";
import { engine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import { PACKAGE } from "./support/package.ts";
import { createYamlStack, PLUGINS } from "./support/packaged-stack.ts";
import type { Stack } from "./support/stack.ts";

const { bin, missing } = engine();
const unavailable = missing ?? missingPrograms("jq");
const PAGE = await readFile(join(PACKAGE, "docs/terraform-to-pulumi.md"), "utf8");
/** The file and the two commands on the page. */
const [, FILTER = "", MAKE = "", IMPORT = ""] =
  /```jq\n(.*?)```\n\n```sh\n([^\n]+)\npulumi ([^\n]+)\n```/s.exec(PAGE) ?? [];

/** A resource in a state of Terraform, with the attributes of each instance. */
function resource(type: string, name: string, ...instances: readonly JsonObject[]): JsonObject {
  const provider = 'provider["registry.terraform.io/posthog/posthog"]';
  return { mode: "managed", type, name, provider, instances };
}

function inAcme(row: StoredObject): boolean {
  return row["organization_id"] === ACME;
}

/** What Terraform's provider stores of the objects of the service: numbers as ids, but no place in the id of a membership. */
function terraformState({ emulator }: Stack): string {
  const [insight] = emulator.find("insight");
  const members = emulator
    .find("member", inAcme)
    .map(({ id, user }) => ({
      index_key: (user as { readonly email: string }).email,
      schema_version: 0,
      attributes: { id: String(id), organization_id: "@current", user_uuid: "", level: "admin" },
    }));
  const signups = { id: insight?.["id"] ?? null, project_id: "2", name: "Signups", query_json: "{}" };
  return JSON.stringify({
    version: 4,
    terraform_version: "1.9.0",
    serial: 1,
    lineage: "a",
    outputs: {},
    resources: [
      resource("posthog_insight", "signups", { attributes: signups }, { deposed: "0a", attributes: { id: 99 } }),
      resource("posthog_organization_member", "team", ...members),
      resource("posthog_dashboard", "web", { attributes: { id: 7, project_id: "2" } }),
      { ...resource("posthog_user", "ada", { attributes: { id: "0a" } }), mode: "data" },
    ],
  });
}

const seed = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      members: [{ email: "ada@acme.com", level: 8 }],
      projects: [{ id: 2, name: "Web", insights: [{ name: "Signups", query: { kind: "DataTableNode" } }] }],
    },
    { name: "Beta", members: [{ email: "ada@acme.com", level: 1 }] },
  ],
};

describe.skipIf(unavailable !== undefined)(
  `a Terraform state (${unavailable ?? "with jq"})`,
  { timeout: 300_000 },
  () => {
    it("is imported into Pulumi: each object that driftline has, under Terraform's name, without a write", async () => {
      const stack = await createYamlStack(bin, { seed });
      const project = join(stack.folder, "project");
      await writeFile(join(project, "import.jq"), FILTER);
      await writeFile(join(project, "terraform.tfstate"), terraformState(stack));
      // Here nothing of Terraform is there but the state.
      const made = spawnSync("sh", ["-c", `terraform() { cat terraform.tfstate; }; ${MAKE}`], { cwd: project });
      expect([made.status, made.stderr.toString()]).toEqual([0, ""]);
      await stack.run(...IMPORT.split(" "), "--out", "made.yaml", "--yes", "--protect=false");
      const names = (await stack.state()).map(({ type, name, inputs }) => [type, name, inputs["organizationId"]]);
      expect(names).toEqual(
        expect.arrayContaining([
          ["driftline:index:Insight", "signups", undefined],
          ["driftline:index:Member", "team-ada@acme.com", ACME],
        ]),
      );
      const resources = parse(await readFile(join(project, "made.yaml"), "utf8")) as object;
      const program = { name: "acme", runtime: "yaml", plugins: PLUGINS, ...resources };
      await writeFile(join(project, "Pulumi.yaml"), stringify(program));
      await stack.run("preview", "--expect-no-changes");
      await stack.run("preview", "--refresh", "--expect-no-changes");
      expect(stack.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    });
  },
);
