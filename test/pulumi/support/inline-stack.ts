import { spawn, type ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Way } from "./engine.ts";
import type { Stack } from "./stack.ts";

/** A stack whose program runs in the process that starts the engine. */
export interface InlineStack extends Stack {
  readonly startInline: (options?: object) => ChildProcess;
  /** Updates the stack, with options of Pulumi's automation. Fails the test if that does not end well. Returns the output. */
  readonly upInline: (options?: object) => Promise<string>;
}

/**
 * Only such a program can have hooks and transforms: the language host of the tests is older than they are.
 *
 * @param functions what the program defines first: JavaScript, with Pulumi's SDK as `pulumi`
 * @param resources what it registers, with the classes of the way as `driftline`
 */
export async function createInlineStack(
  { createNodeStack }: Way,
  functions: string,
  resources: string,
): Promise<InlineStack> {
  const stack = await createNodeStack();
  const project = join(stack.folder, "project");
  const module = stack.resources === "dynamic" ? "driftline/pulumi" : "driftline/packaged";
  const text = `
import * as pulumi from "@pulumi/pulumi";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import * as driftline from "${module}";
const options = JSON.parse(process.argv[2]);
const program = async () => {
  ${functions}
  ${resources}
};
const stack = await LocalWorkspace.selectStack({ stackName: "dev", projectName: "acme", program }, { workDir: process.cwd() });
await stack.up({ ...options, onOutput: console.log });
`;
  await writeFile(join(project, "up.js"), text);
  const startInline = (options: object = {}): ChildProcess =>
    spawn(process.execPath, ["up.js", JSON.stringify(options)], { cwd: project, env: stack.env, stdio: "pipe" });
  return { ...stack, startInline, upInline: (options) => outputOf(startInline(options)) };
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = "";
  child.stdout?.on("data", (data: Buffer) => void (output += data.toString()));
  child.stderr?.on("data", (data: Buffer) => void (output += data.toString()));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code, output).toBe(0);
  return output;
}
