import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { generateSdk } from "./generated-sdk.ts";

/** Generates the SDK and installs it, as `pulumi package add` does. */
export async function installPythonSdk(folder: string, paths: readonly string[]): Promise<string> {
  const [sdk, target] = [join(folder, "sdk"), join(folder, "site")];
  await generateSdk("python", sdk, paths);
  const env = { ...process.env, PATH: [...paths, process.env["PATH"] ?? ""].join(delimiter) };
  const quick = ["--quiet", "--no-deps", "--no-build-isolation"];
  await promisify(execFile)("pip", ["install", ...quick, "--target", target, sdk], { env });
  return target;
}
