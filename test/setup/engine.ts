import type { TestProject } from "vitest/node";
import { provideEngine } from "../pulumi/engine/engine.ts";

/**
 * Finds or builds the real engine, which the tests of the Pulumi side start. Without an engine these tests
 * are reported as skipped, with what to install; under CI=true that is a failure.
 */
export async function setup(project: TestProject): Promise<void> {
  if (!concernsPulumi()) return project.provide("engine", { missing: "no test of the Pulumi side was asked for" });
  const engine = await provideEngine((line) => process.stderr.write(`engine: ${line}\n`));
  project.provide("engine", engine);
  if (!("missing" in engine)) return;
  if (process.env["CI"] === "true") throw new Error(engine.missing);
  process.stderr.write(`engine: the tests on the real engine are skipped: ${engine.missing}\n`);
}

/** Whether the files that were asked for on the command line are about Pulumi: others need not wait for it. */
function concernsPulumi(): boolean {
  const asked = process.argv.slice(2).filter((argument) => argument.includes("test") || argument.includes("/"));
  return asked.length === 0 || asked.some((argument) => /pulumi|^\.?\/?test\/?$/.test(argument));
}
