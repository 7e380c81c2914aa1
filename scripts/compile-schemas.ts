/**
 * Makes the files that nobody reads, and that are not in git: the schemas as data and their validators as code. The build, the tests
 * and the checks call it first: `npm run schemas`.
 *
 * Premise: the files of a clone have arbitrary times. So each file says at its end what it was made from, and two processes that write
 * it at the same time write the same.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);
const FILES = ["plan-validator", "schemas", "validators"].map((name) => new URL(`src/generated/${name}.ts`, ROOT));
/** What the files depend on: schemas, their generator, and the version of the compiler, which package.json has. */
const INPUTS = [
  "schemas/kinds/",
  "scripts/generate/",
  "schemas/lifecycle.schema.json",
  "schemas/plan.schema.json",
  "src/model/extra-fields.ts",
  "src/model/name.ts",
  "src/model/project.ts",
];

/** Writes the files that are missing, or that were made from something else. */
export async function compileSchemas(): Promise<void> {
  const mark = await markOfInputs();
  const texts = await Promise.all(FILES.map((file) => readFile(file, "utf8").catch(() => "")));
  if (texts.every((text) => text.endsWith(mark))) return;
  for (const [path, text] of await compiledFiles(mark)) {
    const file = fileURLToPath(new URL(path, ROOT));
    const draft = `${file}.${String(process.pid)}`;
    await writeFile(draft, text);
    await rename(draft, file);
  }
}

/** The texts of the files, by path from the root of the repository. */
export async function compiledFiles(mark?: string): Promise<ReadonlyMap<string, string>> {
  const { readSource } = await import("./generate/source.ts");
  const { schemasFile } = await import("./generate/schemas-file.ts");
  const { planValidatorFile, validatorsFile } = await import("./generate/validators-file.ts");
  const source = await readSource();
  const end = mark ?? (await markOfInputs());
  return new Map([
    ["src/generated/plan-validator.ts", planValidatorFile(source) + end],
    ["src/generated/schemas.ts", (await schemasFile(source)) + end],
    ["src/generated/validators.ts", validatorsFile(source) + end],
  ]);
}

async function markOfInputs(): Promise<string> {
  const hash = createHash("sha256");
  for (const input of [...INPUTS, "package.json"]) {
    const url = new URL(input, ROOT);
    const names = input.endsWith("/") ? (await readdir(url)).toSorted() : [""];
    for (const name of names)
      hash
        .update(`${input}${name}\0`)
        .update(await readFile(new URL(name, url)))
        .update("\0");
  }
  return `// Made from ${hash.digest("hex")}.\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileSchemas();
