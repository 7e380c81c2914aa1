/**
 * Checks in the current folder that a tag may be released, and prints its entries of the changelog.
 *
 * @example npx jiti scripts/release-check.ts v1.2.3 > notes.md
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkRelease, type ReleaseFiles } from "./release/check.ts";
import type { Schema } from "./release/schema-changes.ts";

const json = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const texts = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:md|ya?ml)$/u.test(file))
    .map((file) => join(folder, file))
    .map((file) => [file, readFileSync(file, "utf8")]);
const { errors, notes } = checkRelease(process.argv[2] ?? "", {
  manifest: json("package.json") as ReleaseFiles["manifest"],
  lock: json("package-lock.json") as ReleaseFiles["lock"],
  plugin: json("plugin/package.json") as ReleaseFiles["plugin"],
  schema: {
    recorded: json("scripts/release/pulumi-schema.json") as Schema,
    current: json("schemas/pulumi.schema.json") as Schema,
  },
  recipes: Object.fromEntries([...texts("docs"), ...texts("examples")]),
  changelog: readFileSync("CHANGELOG.md", "utf8"),
});
if (errors.length === 0) console.log(notes);
else console.error(errors.map((error) => `error: ${error}`).join("\n"));
process.exitCode = errors.length === 0 ? 0 : 1;
