/** The insights of a Terraform state, taken over by the lines of jq on the page for people from Terraform. */
import { optionWords } from "../../src/model/command.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, missingPrograms } from "../support/ci.ts";
import { SEED, workspace } from "../support/workspace.ts";
import { blocksOf } from "./docs/blocks.ts";
import { textOf } from "./docs/pages.ts";

const missing = missingPrograms("jq");
const SCRIPT =
  blocksOf(textOf("docs/from-terraform.md")).find(({ language, text }) => language === "sh" && text.includes("jq -r"))
    ?.text ?? "";

const insight = (id: number, project: number | string = "2"): object => ({ id, project_id: project, query_json: "{}" });

/** A state with what is taken over, and with what is left out: other projects and types, data, and what is deposed. */
const STATE = {
  version: 4,
  resources: [
    {
      mode: "managed",
      type: "posthog_insight",
      name: "signups",
      instances: [{ attributes: insight(1) }, { deposed: "0a", attributes: insight(98) }],
    },
    {
      mode: "managed",
      type: "posthog_insight",
      name: "team",
      instances: [
        { index_key: 0, attributes: insight(2, 2) },
        { index_key: "of all: * $HOME", attributes: insight(3) },
      ],
    },
    { mode: "managed", type: "posthog_insight", name: "other", instances: [{ attributes: insight(99, "3") }] },
    { mode: "managed", type: "posthog_dashboard", name: "web", instances: [{ attributes: insight(7) }] },
    { mode: "data", type: "posthog_insight", name: "read", instances: [{ attributes: insight(1) }] },
  ],
};

const query = { kind: "TrendsQuery", series: [] };
const insights = ["Signups", "First", "All"].map((name) => ({ name, query }));
const projects = [{ id: 2, name: "Web", insights }];
const seed = { organizations: SEED.organizations.map((acme) => ({ ...acme, projects })) };

describe.skipIf(missing !== undefined)(`a Terraform state (${missing ?? "with jq"})`, () => {
  it("gives the arguments of an import of all its insights, under Terraform's names", async () => {
    const space = await workspace({ seed });
    await space.configure({
      driftline: 1,
      organizations: { acme: { name: "Acme Inc", projects: { web: { id: 2 } } } },
    });
    await writeFile(join(space.folder, "terraform.tfstate"), JSON.stringify(STATE));
    const programs = `terraform() { cat terraform.tfstate; }; driftline() { printf '%s\\n' "$@"; };`;
    const { code, output } = await bash(`${programs} ${SCRIPT}`, space.folder, { PATH: process.env["PATH"] ?? "" });
    expect(code, output).toBe(0);
    const under = "acme/projects/web/insights";
    const words = output.trimEnd().split("\n");
    expect(words).toEqual([
      "import",
      "--yes",
      ...optionWords("only", [`${under}/signups=1`, `${under}/team-0=2`, `${under}/team-of-all-HOME=3`]),
    ]);
    expect(await space.run(words)).toMatchObject({ code: 0 });
    const plan = await space.plan();
    expect(plan.changes.map(({ address, action }) => [address, action])).toEqual(
      ["acme", `${under}/signups`, `${under}/team-0`, `${under}/team-of-all-HOME`].map((address) => [address, "no_op"]),
    );
  });
});
