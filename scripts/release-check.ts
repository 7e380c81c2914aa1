/**
 * Checks in the current folder that a tag may be released, and prints its entries of the changelog.
 *
 * @example npx jiti scripts/release-check.ts v1.2.3 > notes.md
 */
import { readFileSync } from "node:fs";
import { checkRelease, type ReleaseFiles } from "./release/check.ts";

const json = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const { errors, notes } = checkRelease(process.argv[2] ?? "", {
  manifest: json("package.json") as ReleaseFiles["manifest"],
  lock: json("package-lock.json") as ReleaseFiles["lock"],
  changelog: readFileSync("CHANGELOG.md", "utf8"),
});
if (errors.length === 0) console.log(notes);
else console.error(errors.map((error) => `error: ${error}`).join("\n"));
process.exitCode = errors.length === 0 ? 0 : 1;
