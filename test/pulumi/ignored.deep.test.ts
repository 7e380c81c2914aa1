/** What docs/pulumi-options.md says of `ignoreChanges`, without a refresh. */
import { expect, it } from "vitest";
import { describeEngine } from "./support/engine.ts";
import type { Program } from "./support/stack.ts";

const insight = (name: string): Program => ({
  signups: {
    type: "Insight",
    args: { projectId: 2, name, description: "ours" },
    options: { ignoreChanges: ["description"] },
  },
});

describeEngine("ignoreChanges", (_dialect, { createStack }) => {
  it("leaves alone what somebody else has changed, if another field is updated without a refresh", async () => {
    const stack = await createStack();
    await stack.declare(insight("Signups"));
    await stack.run("up", "--yes", "--skip-preview");
    const [made] = stack.emulator.find("insight");
    stack.emulator.edit("insight", Number(made?.id), { description: "theirs" });
    await stack.declare(insight("Sign-ups"));
    // A refresh then shows what is not as declared.
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(code, output).toBe(0);
    expect(stack.emulator.find("insight")).toMatchObject([{ name: "Sign-ups", description: "theirs" }]);
  });
});
