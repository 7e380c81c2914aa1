/** A secret of the environment that the configuration takes without saying that it is one is hidden all the same. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workspace } from "../support/workspace.ts";

const SECRET = "hush-Zq7xKw2mVt9";
const ENV = { SOME_TOKEN: SECRET, SITE_PASSWORD: "insights" };

const yaml = (text: string): string => `driftline: 1
variables: { note: none }
organizations:
  acme: { name: Acme Inc, projects: { web: { id: 2, insights: { a: { name: About insights, description: "${text}" } } } } }
`;

/** Its value stands in it: a test changes nothing in its own environment, and only what a program says counts. */
const program = (text: string): string => `export default {
  driftline: 1,
  organizations: {
    acme: { name: "Acme Inc", projects: { web: { id: 2, insights: { a: { name: "About insights", description: ${text} } } } } },
  },
};
`;

it.each<[string, string, string, readonly string[]]>([
  ["an expression", "driftline.yaml", yaml("as ${env:SOME_TOKEN}"), []],
  ["a variable of the command line", "driftline.yaml", yaml("as ${var:note}"), ["--var", `note=${SECRET}`]],
  ["a part of such a variable", "driftline.yaml", yaml("as ${var:note}"), ["--var", `note=Basic ${SECRET}`]],
  ["a program", "driftline.ts", program(`"as ${SECRET}"`), []],
  ["a program that encodes it", "driftline.ts", program(`Buffer.from("user:${SECRET}").toString("base64")`), []],
  ["a program that throws it", "driftline.ts", `throw new Error("no ${SECRET}");\n`, []],
])("in %s", async (_what, file, text, options) => {
  const space = await workspace();
  await space.configure(text, file);
  const { stdout, stderr } = await space.run(["plan", file, ...options], { env: ENV });
  const shown = stdout + stderr;
  expect(shown).toContain("[redacted]");
  expect(shown).not.toMatch(/hush|aHVzaC/);
  if (!text.startsWith("throw")) expect(shown).toMatch(/"About (insights|\[redacted\])"/);
});

it.each(["GH_PAT", "MYSQL_PWD", "SSH_KEY", "SLACK_WEBHOOK_URL", "SIGNING_KEY", "DB_PASS"])(
  "in a variable named %s, in every format",
  async (name) => {
    const space = await workspace();
    await space.configure(yaml(`as \${env:${name}}`));
    for (const format of ["text", "json", "markdown", "html"]) {
      const { code, stdout, stderr } = await space.run(["plan", "--format", format], { env: { [name]: SECRET } });
      expect(code, stderr).toBe(0);
      expect(stdout + stderr).toContain("[redacted]");
      expect(stdout + stderr).not.toContain("hush");
    }
  },
);

it("nor is a token in the query of a URL, in any output and in a saved plan", async () => {
  const space = await workspace();
  const url = "https://git.acme.com/p.git?ref=main&private_token=hush-1&access_token=hush-2&key=hush-3";
  const plugins = { pipeline_destinations: { a: { name: "A", plugin_type: "custom", url } } };
  await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", ...plugins } } });
  for (const format of ["text", "json", "markdown", "html"]) {
    const { code, stdout, stderr } = await space.run(["plan", "--format", format, "--out", "plan.json", "--verbose"]);
    expect(code, stderr).toBe(0);
    const saved = await readFile(join(space.folder, "plan.json"), "utf8");
    expect(stdout + stderr + saved).toContain("[redacted]");
    expect(stdout + stderr + saved).not.toContain("hush");
  }
});

it("and a token in the URL of a plugin can be a secret", async () => {
  const space = await workspace();
  const configure = (url: string) => {
    const plugins = { pipeline_destinations: { a: { name: "A", plugin_type: "custom", url } } };
    return space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", ...plugins } } });
  };
  await configure("https://git.acme.com/p.git?private_token=${secret:OTHER}");
  const world = { env: { OTHER: SECRET } };
  const applied = await space.run(["apply", "--yes"], world);
  expect([applied.code, applied.stdout + applied.stderr]).toEqual([0, expect.not.stringContaining("hush")]);
  expect(JSON.stringify(space.emulator.requests)).toContain(SECRET);
  expect((await space.run(["drift"])).code).toBe(0);
  await configure("https://${secret:OTHER}.acme.com/p.git?private_token=1");
  expect((await space.run(["plan", "--format", "json"])).stdout).toContain("secret_not_allowed");
});

it("unlike one that it does not take", async () => {
  const space = await workspace();
  await space.configure(yaml(SECRET));
  const { stdout } = await space.run(["plan"], { env: ENV });
  expect(stdout).toContain(SECRET);
});
