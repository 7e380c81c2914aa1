import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { setup as build } from "./build.ts";

const execute = promisify(execFile);

/** The installed package, once it is there: the projects of one run share it. */
const shared = globalThis as { installed?: Promise<string> };

/** Packs the package as npm would publish it, installs it into an empty project, and has the tests run that. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  build(project);
  shared.installed ??= install();
  const user = await shared.installed;
  project.provide("package", join(user, "node_modules/driftline"));
  return () => rm(user, { recursive: true, force: true });
}

async function install(): Promise<string> {
  const user = await mkdtemp(join(tmpdir(), "driftline-packed-"));
  await writeFile(join(user, "package.json"), '{ "name": "project", "private": true }\n');
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", user];
  const [packed] = JSON.parse((await execute("npm", pack)).stdout) as readonly { readonly filename: string }[];
  const tarball = join(user, packed?.filename ?? "");
  await execute("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], { cwd: user });
  // People who write Pulumi programs install its SDK as well.
  await symlink(join(process.cwd(), "node_modules/@pulumi"), join(user, "node_modules/@pulumi"));
  return user;
}
