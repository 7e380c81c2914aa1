import { describe, expect, it } from "vitest";
import { planPicture } from "../../scripts/plan-picture.ts";
import { withReference } from "../../scripts/generate/reference.ts";
import { blocksOf } from "./docs/blocks.ts";
import { textOf } from "./docs/pages.ts";

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
