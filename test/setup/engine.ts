import type { TestProject } from "vitest/node";
import { isWhole } from "../support/budget.ts";
import { provideEngine } from "../pulumi/engine/engine.ts";
import { providePython } from "../pulumi/engine/python.ts";
import { provideSdks } from "../pulumi/sdks/sdks.ts";

const say = (line: string): void => void process.stderr.write(`engine: ${line}\n`);

/**
 * Builds the real engine for the tests that start it, and installs the SDKs beside our own. If that is impossible they fail under
 * CI=true. Else they are reported as skipped, with what to install.
 */
export async function setup(project: TestProject): Promise<void> {
  const [engine, sdks] = await Promise.all([provideEngine(say), provideSdks(say)]);
  // One after the other: both may build. On a fresh machine Python and the generator of SDKs take minutes.
  const python = isWhole
    ? await providePython(say)
    : { missing: "npm run test:deep has Python and the SDKs of other languages" };
  project.provide("engine", engine);
  project.provide("python", python);
  project.provide("sdks", sdks);
  const missing = [engine, ...sdks].flatMap((one) => ("missing" in one ? [one.missing] : []));
  if (missing.length > 0 && process.env["CI"] === "true") throw new Error(missing.join("\n"));
  // Python is not needed for a release to be sound, and many machines cannot reach its registry.
  if ("missing" in python) missing.push(python.missing);
  for (const one of missing) say(`the tests that need it are skipped: ${one}`);
}
