/**
 * Java for tests: the libraries that its SDK is compiled with.
 *
 * Algorithm: as for the engine, everything is fetched once and kept outside of node_modules. Later runs need no network.
 */
import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { reasonOf, versionOf } from "./build.ts";
import { cacheFolder } from "./cache.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** The folder with the libraries, or why there is none. */
export type Libraries = { readonly folder: string } | { readonly missing: string };

const CACHE = join(cacheFolder(), "java");
/** Copies the libraries of a project, and those that they need. The version is fixed, so that the cache holds one of them. */
const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";
const run = promisify(execFile);

/** Fetches libraries with Maven, and all that they need. @param libraries as `group:name:version` */
export async function provideLibraries(libraries: readonly string[], say: (line: string) => void): Promise<Libraries> {
  if (versionOf("javac", ["-version"]) === undefined) return { missing: "there is no compiler of Java" };
  const key = createHash("sha256").update(libraries.join(" ")).digest("hex").slice(0, 12);
  const folder = join(CACHE, `libraries-${key}`);
  if (existsSync(folder)) return { folder };
  if (versionOf("mvn", ["-version"]) === undefined) return { missing: "there is no Maven" };
  await mkdir(CACHE, { recursive: true });
  try {
    await oneAtATime(`${folder}.lock`, "fetches the libraries of Java", say, () => copyLibraries(libraries, folder));
    return { folder };
  } catch (error) {
    return { missing: `Maven cannot resolve ${libraries.join(", ")}: ${reasonOf(error)}` };
  }
}

async function copyLibraries(libraries: readonly string[], folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const [project, fresh] = [await mkdtemp(join(tmpdir(), "driftline-maven-")), `${folder}.new`];
  try {
    await rm(fresh, { recursive: true, force: true });
    await writeFile(join(project, "pom.xml"), pomOf(libraries));
    await run("mvn", ["-q", "-B", COPY, `-DoutputDirectory=${fresh}`], { cwd: project, timeout: 300_000 });
    // In one step, so that the folder is always complete.
    await rename(fresh, folder);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

function pomOf(libraries: readonly string[]): string {
  const dependencies = libraries.map((library) => {
    const [group, name, version] = library.split(":");
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
  });
  const own =
    "<modelVersion>4.0.0</modelVersion><groupId>acme</groupId><artifactId>acme</artifactId><version>1</version>";
  return `<project>${own}<dependencies>${dependencies.join("")}</dependencies></project>\n`;
}
