import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { planPicture } from "../../scripts/plan-picture.ts";
import { withReference } from "../../scripts/generate/reference.ts";
import { isSampled } from "../support/budget.ts";
import { blocksOf } from "./docs/blocks.ts";
import { ROOT, textOf } from "./docs/pages.ts";

const README = textOf("README.md");

describe("README.md", () => {
  it("leads to the reference that the schemas make (else: npm run generate)", () => {
    const reference = textOf("schemas/README.md");
    expect(withReference(reference)).toBe(reference);
    expect(reference).toContain("`jit_provisioning_enabled`");
  });

  it("shows the configuration of the example that it starts with", () => {
    const shown = blocksOf(README).find(({ language }) => language === "yaml");
    expect(textOf("examples/minimal/driftline.yaml")).toContain(`\n${shown?.text ?? ""}\n`);
  });

  it("has a picture of what a plan prints, byte for byte (else: npm run generate)", async () => {
    expect(README).toContain("(docs/plan.svg)");
    expect(await planPicture(["dist/bin/driftline.cjs"])).toBe(textOf("docs/plan.svg"));
  });
});

describe.skipIf(isSampled)("npm run demo", () => {
  it("runs to its end and exits with 0 in less than two minutes", { timeout: 120_000 }, async () => {
    const jiti = join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [jiti, "scripts/demo.ts"], { cwd: ROOT });
    for (const part of [
      "driftline plan",
      "driftline apply",
      "Nothing differs",
      "driftline drift",
      "declared true",
      "This is the end of the demo",
    ]) {
      expect(stdout).toContain(part);
    }
  });
});
