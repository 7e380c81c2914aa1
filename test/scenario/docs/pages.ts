/** The pages of the documentation. A new file in docs is one of them at once. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The folder of the repository, with a slash at its end. */
export const ROOT = new URL("../../../", import.meta.url).pathname;

/** The text of a file of the repository. */
export function textOf(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** The pages for users, as paths from {@link ROOT}. */
export const PAGES: readonly string[] = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`)
    .toSorted(),
];

const EXAMPLES = readdirSync(join(ROOT, "examples"));

/** The pages, and every other text with commands and links that users or contributors read. */
export const DOCUMENTS: readonly string[] = [
  ...PAGES,
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "schemas/README.md",
  "src/emulator/README.md",
  ...EXAMPLES.map((name) => `examples/${name}/README.md`),
];

/** The TypeScript of the examples. */
export const PROGRAMS: readonly string[] = EXAMPLES.flatMap((name) =>
  readdirSync(join(ROOT, "examples", name)).map((file) => `examples/${name}/${file}`),
).filter((file) => file.endsWith(".ts"));
