/** What a preview says about its key, on the real engine. */
import { expect, it } from "vitest";
import { describeEngine } from "./support/engine.ts";

describeEngine("a preview", (_dialect, { createStack }) => {
  it("says what its key sees, and a wrong one ends it", async () => {
    const stack = await createStack();
    await stack.declare({ signups: { type: "Insight", args: { projectId: 2, name: "Signups" } } });
    expect(await stack.run("preview")).toMatch(/the key for http\S+ sees the organization "Acme Inc"/);
    const { code, output } = await stack.pulumi(["preview"], { DRIFTLINE_API_KEY: "wrong" });
    expect(code, output).not.toBe(0);
    expect(output).toContain("401");
  });
});
