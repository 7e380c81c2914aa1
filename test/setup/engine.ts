import type { TestProject } from "vitest/node";
import { findEngine, provideEngine } from "../pulumi/engine/engine.ts";
import { providePython } from "../pulumi/engine/python.ts";
import { provideSdks } from "../pulumi/sdks/sdks.ts";

const say = (line: string): void => void process.stderr.write(`engine: ${line}\n`);

/**
 * Provides the real engine to the tests that start it. The deep ones build it, and install the SDKs beside our own; under
 * CI=true they fail if that is impossible. The others take an engine that is there already, as a build takes minutes.
 * Without an engine tests are reported as skipped, with what to install.
 */
export async function setup(project: TestProject): Promise<void> {
  const isDeep = project.name.startsWith("deep");
  const [engine, sdks] = isDeep ? await Promise.all([provideEngine(say), provideSdks(say)]) : [await findEngine(), []];
  // One after the other: both may build.
  const python = isDeep ? await providePython(say) : { missing: "only the deep tests have Python" };
  project.provide("engine", engine);
  project.provide("python", python);
  project.provide("sdks", sdks);
  const missing = [engine, ...sdks].flatMap((one) => ("missing" in one ? [one.missing] : []));
  if (isDeep && missing.length > 0 && process.env["CI"] === "true") throw new Error(missing.join("\n"));
  // Python is not needed for a release to be sound, and many machines cannot reach its registry.
  if (isDeep && "missing" in python) missing.push(python.missing);
  for (const one of missing) say(`the tests that need it are skipped: ${one}`);
}
