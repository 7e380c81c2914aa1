/** What Pulumi's engine prints for us is no command of the pipeline, and a message has a limit of length. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { log, runtime } from "@pulumi/pulumi";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import { KindProvider } from "../../../../src/pulumi/provider/kind-provider.ts";
import { engineText } from "../../../../src/pulumi/provider/errors.ts";
import { budget } from "../../../support/budget.ts";
import { COMMAND } from "../../../fault/hostile.ts";

const PIECES = [
  "::add-mask::x",
  "\n ::",
  ":",
  "\u200b",
  "##",
  "#",
  "[",
  "vso[task.prependpath]/evil",
  "section_start:1",
];

afterEach(() => void vi.restoreAllMocks());

it("a text for the engine is no command, whatever is invisible in it", () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string()), { maxLength: 8 });
  fc.assert(
    fc.property(texts, (pieces) => {
      expect(engineText(pieces.join(""))).not.toMatch(COMMAND);
    }),
    { numRuns: budget(2_000) },
  );
});

describe.each(PIECES.filter((piece) => piece.length > 5))("%j", (command) => {
  it("in inputs", async () => {
    const inputs = { projectId: "2", [command]: command, query: { [command]: 1 }, tags: command, adopt: command };
    const { failures } = await new KindProvider(kinds.insight).check({}, inputs);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.map(({ reason, property }) => `\n${property}\n${reason}`).join("\n")).not.toMatch(COMMAND);
  });

  it("in the configuration of the program, whose messages are cut", async () => {
    const warnings = vi.spyOn(log, "warn").mockResolvedValue();
    const message = await failureOf({ driftline: 1, organizations: { acme: { name: `\${${command.repeat(999)}}` } } });
    expect(message).toMatch(/…/);
    expect(message.length).toBeLessThan(5_000);
    const insights = { a: { name: command, lifecycle: { partial: ["tags"] }, tags: [] } };
    const projects = { [command]: { id: "2", insights } };
    const partial = await failureOf({ driftline: 1, organizations: { acme: { name: "Acme", projects } } });
    for (const said of [message, partial, ...warnings.mock.calls.flat()])
      expect(`\n${String(said)}`).not.toMatch(COMMAND);
  });
});

/** Why the program refuses a configuration. */
async function failureOf(configuration: object): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "driftline-program-"));
  writeFileSync(join(folder, "driftline.yaml"), JSON.stringify(configuration));
  await runtime.setMocks({ call: () => ({}), newResource: ({ name }) => ({ id: name, state: {} }) });
  runtime.setConfig("driftline:config", join(folder, "driftline.yaml"));
  vi.resetModules();
  const failed = await import("../../../../src/pulumi/program.ts").then(
    () => "",
    (error: unknown) => String(error),
  );
  await runtime.disconnect();
  return failed;
}
