import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, versionOf } from "../pulumi/engine/build.ts";
import { cacheFolder } from "../pulumi/engine/cache.ts";
import { oneAtATime } from "../pulumi/engine/one-at-a-time.ts";
import { FLAGS } from "../pulumi/engine/parts.ts";

/** The folder with conftest, or why there is none. */
export type Conftest = { readonly bin: string } | { readonly missing: string };

/** The version in conftest/go.mod. */
const VERSION = "0.71.1";

/** Builds conftest with Go through the module proxy, once on a machine. `say` reports what takes long. */
export async function provideConftest(say: (line: string) => void): Promise<Conftest> {
  const bin = join(cacheFolder(), `conftest-${VERSION}`);
  if (existsSync(join(bin, "conftest"))) return { bin };
  if (versionOf("go", ["version"]) === undefined)
    return { missing: "there is no Go, so that conftest cannot be built: install Go 1.26 or newer" };
  await mkdir(bin, { recursive: true });
  const program = {
    name: "conftest",
    package: "github.com/open-policy-agent/conftest",
    folder: fileURLToPath(new URL("conftest", import.meta.url)),
    flags: FLAGS,
  };
  try {
    await oneAtATime(join(bin, "lock"), "builds conftest", say, () => build(program, bin, say));
    return { bin };
  } catch (error) {
    return { missing: `conftest could not be built: ${error instanceof Error ? error.message : String(error)}` };
  }
}
