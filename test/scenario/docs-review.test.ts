/** The comment on docs/review.md is what a plan prints. */
import { expect, it } from "vitest";
import { loadSeed } from "../../src/emulator/index.ts";
import { normalized } from "../support/normalized.ts";
import { workspace } from "../support/workspace.ts";
import { textOf } from "./docs/pages.ts";

/** Formatters lay out tables in another way. */
const compact = (text: string): string =>
  text
    .replaceAll(/ *\| */g, "|")
    .replaceAll(/-{3,}/g, "---")
    .trim();

it("is shown as it is", async () => {
  const space = await workspace({ seed: loadSeed(textOf("examples/minimal/seed.json")) });
  const domains = { corp: { domain: "acme.com" } };
  const memberships = { "owner@example.com": { level: "owner" }, "ada@acme.com": { level: "owner" } };
  await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", domains, memberships } } });
  const { stdout } = await space.run(["plan", "--format", "markdown"]);
  const lines = textOf("docs/review.md")
    .split("\n")
    .filter((line) => line.startsWith(">"));
  const shown = lines.map((line) => line.replace(/^> ?/, "")).join("\n");
  const printed = normalized(stdout).replace("sha256:<hash>", "sha256:HASH").replace("<port>", "8010");
  expect(compact(normalized(shown).replace("<port>", "8010"))).toBe(compact(printed));
});
