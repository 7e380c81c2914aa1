/** A secret of the environment that the configuration takes without saying that it is one is hidden all the same. */
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

it("unlike one that it does not take", async () => {
  const space = await workspace();
  await space.configure(yaml(SECRET));
  const { stdout } = await space.run(["plan"], { env: ENV });
  expect(stdout).toContain(SECRET);
});
