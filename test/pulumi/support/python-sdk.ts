import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { PACKAGE } from "./package.ts";

/** Generates the SDK and installs it, as `pulumi package add` does. */
export async function installPythonSdk(folder: string, paths: readonly string[]): Promise<string> {
  const [sdk, target] = [join(folder, "sdk"), join(folder, "site")];
  const env = { ...process.env, PATH: [...paths, process.env["PATH"] ?? ""].join(delimiter) };
  const generating = promisify(execFile)("gen-python", [sdk], { env });
  generating.child.stdin?.end(await readFile(join(PACKAGE, "schemas/pulumi.schema.json")));
  await generating;
  const quick = ["--quiet", "--no-deps", "--no-build-isolation"];
  await promisify(execFile)("pip", ["install", ...quick, "--target", target, sdk], { env });
  return target;
}
