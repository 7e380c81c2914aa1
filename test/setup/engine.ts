import type { TestProject } from "vitest/node";
import { provideEngine } from "../pulumi/engine/engine.ts";
import { provideSdks } from "../pulumi/sdks/sdks.ts";

const say = (line: string): void => void process.stderr.write(`engine: ${line}\n`);

/**
 * Finds or builds the real engine, and the SDKs beside our own, which the tests of the Pulumi side start. Without them these
 * tests are reported as skipped, with what to install; under CI=true that is a failure.
 */
export async function setup(project: TestProject): Promise<void> {
  if (!concernsPulumi()) {
    project.provide("engine", { missing: "no test of the Pulumi side was asked for" });
    return project.provide("sdks", []);
  }
  const [engine, sdks] = await Promise.all([provideEngine(say), provideSdks(say)]);
  project.provide("engine", engine);
  project.provide("sdks", sdks);
  const missing = [engine, ...sdks].flatMap((one) => ("missing" in one ? [one.missing] : []));
  if (missing.length > 0 && process.env["CI"] === "true") throw new Error(missing.join("\n"));
  for (const one of missing) say(`the tests that need it are skipped: ${one}`);
}

/** Whether the files that were asked for on the command line are about Pulumi: others need not wait for it. */
function concernsPulumi(): boolean {
  const asked = process.argv.slice(2).filter((argument) => argument.includes("test") || argument.includes("/"));
  return asked.length === 0 || asked.some((argument) => /pulumi|^\.?\/?test\/?$/.test(argument));
}
