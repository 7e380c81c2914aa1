/** The rules of examples/policies, run by conftest on the plan that docs/policy-checks.md makes. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { loadSeed } from "../../src/emulator/index.ts";
import { bash, type Ran } from "../support/ci.ts";
import { provideConftest, type Conftest } from "../support/conftest.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { blocksOf } from "./docs/blocks.ts";
import { ROOT, textOf } from "./docs/pages.ts";

const POLICIES = join(ROOT, "examples/policies");
const BLOCKS = blocksOf(textOf("docs/policy-checks.md"));
const textIn = (language: string): string => BLOCKS.find((block) => block.language === language)?.text ?? "";

let conftest: Conftest;
beforeAll(async () => {
  conftest = await provideConftest((line) => void process.stderr.write(`${line}\n`));
  if ("missing" in conftest && process.env["CI"] === "true") throw new Error(conftest.missing);
}, 1_800_000);

/** A folder with a saved plan of a configuration. */
async function planned(configuration: unknown): Promise<Workspace> {
  const space = await workspace({ seed: loadSeed(textOf("examples/policies/seed.json")) });
  await space.configure(configuration);
  expect(await space.run(["plan", "--out", "plan.json"])).toMatchObject({ code: 0 });
  return space;
}

/** Runs a command of conftest in a folder. */
function check(command: string, folder: string, bin: string): Promise<Ran> {
  return bash(command, folder, { PATH: `${bin}:/usr/bin:/bin`, HOME: folder });
}

describe("policy checks", () => {
  it("the page shows the files of the example", () => {
    const files = readdirSync(POLICIES).filter((file) => file.endsWith(".rego"));
    const shown = BLOCKS.filter(({ language }) => language === "rego").map(({ text }) => `${text}\n`);
    expect(shown.toSorted()).toEqual(files.map((file) => textOf(`examples/policies/${file}`)).toSorted());
  });

  it("the page names the version that is tested", () => {
    const [, version = ""] = /open-policy-agent\/conftest v(\S+)/u.exec(textOf("test/support/conftest/go.mod")) ?? [];
    expect(textOf("docs/policy-checks.md")).toContain(`Tested with conftest ${version}.`);
  });

  it("refuse the changes that the page names", async ({ skip }) => {
    if ("missing" in conftest) return skip(conftest.missing);
    const { folder } = await planned(BLOCKS.find(({ attributes }) => attributes["file"] === "driftline.yaml")?.text);
    const command = textIn("sh").replace("--policy policies", `--policy ${POLICIES}`);
    const { code, output } = await check(command, folder, conftest.bin);
    expect(code, output).toBe(1);
    const lines = (text: string): readonly string[] => stripVTControlCharacters(text).trim().split("\n").toSorted();
    expect(lines(output)).toEqual(lines(textIn("text")));
  });

  const web = (batchExport: object): object => ({
    projects: { web: { id: 2, batch_exports: { events: { name: "Events to S3", model: "events", ...batchExport } } } },
  });
  const destination = { type: "S3", config: { bucket_name: "acme-events", region: "eu-central-1", prefix: "new/" } };

  it.for([
    ["two-factor authentication that stays on", { enforce_2fa: true }],
    ["a lower level", { memberships: { "ada@acme.com": { level: "member" } } }],
    ["an export with another prefix", web({ interval: "hour", destination })],
  ] as const)("let %s through", async ([, own], { skip }) => {
    if ("missing" in conftest) return skip(conftest.missing);
    const { folder } = await planned({ driftline: 1, organizations: { acme: { name: "Acme Inc", ...own } } });
    const command = `conftest test plan.json --policy ${POLICIES}`;
    const ran = await check(command, folder, conftest.bin);
    expect(ran, ran.output).toMatchObject({ code: 0 });
    expect(ran.output).toContain("3 passed, 0 warnings, 0 failures");
  });
});
