import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { setup as build } from "./build.ts";

const execute = promisify(execFile);

/** Packs the package as npm would publish it, installs it into an empty project, and has the tests run that. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  build(project);
  const folder = await mkdtemp(join(tmpdir(), "driftline-packed-"));
  const user = join(folder, "project");
  await mkdir(user);
  await writeFile(join(user, "package.json"), '{ "name": "project", "private": true }\n');
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse((await execute("npm", pack)).stdout) as readonly { readonly filename: string }[];
  const tarball = join(folder, packed?.filename ?? "");
  await execute("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], { cwd: user });
  project.provide("package", join(user, "node_modules/driftline"));
  return () => rm(folder, { recursive: true, force: true });
}
