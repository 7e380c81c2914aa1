import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { engine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import { PACKAGE } from "./support/package.ts";
import { OWN } from "./support/provider-process.ts";
import { createStack } from "./support/stack.ts";

const { bin, missing } = engine();
/** With the SDK as users start it. */
const { preload: _preload, ...AS_INSTALLED } = OWN;

describe.skipIf(missing !== undefined)("the example program", () => {
  it("runs unchanged on today's service, and a second time without a change", async () => {
    const stack = await createStack(bin, { dialect: "current" }, "dist/index.js", AS_INSTALLED);
    stack.emulator.insert("integration", { project: 2 }, { id: 7, kind: "aws-s3" });
    // The type check of the repository covers its types.
    const text = await readFile(join(PACKAGE, "examples/pulumi/index.ts"), "utf8");
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    await mkdir(join(stack.folder, "project/dist"));
    await writeFile(join(stack.folder, "project/dist/index.js"), outputText);
    await stack.run("config", "set", "s3Integration", "7");
    await stack.run("up", "--yes", "--skip-preview");
    const state = await stack.state();
    expect(state.find(({ name }) => name === "acme")?.id).toBe(ACME);
    const [stored] = stack.emulator.find("batch_export", () => true);
    expect(stored).toMatchObject({ destination: { type: "AwsS3", integration: 7 } });
    const outputs = JSON.parse(await stack.run("stack", "output", "--json")) as Readonly<Record<string, string>>;
    expect(outputs["insight"]).toBe(stack.emulator.find("insight", () => true)[0]?.["short_id"]);
    await stack.run("preview", "--expect-no-changes", "--refresh");
  });
});
