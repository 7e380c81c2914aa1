import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compileSchemas } from "./compile-schemas.ts";
import { configSchema } from "./generate/config-schema.ts";
import { kindNamesFile } from "./generate/kind-names-file.ts";
import { layout } from "./generate/layout.ts";
import { argumentsFile, classesFile, dynamicFile } from "./generate/pulumi-classes.ts";
import { enumerationsIn, pulumiEnumsFile } from "./generate/pulumi-enums-file.ts";
import { pulumiFile } from "./generate/pulumi-file.ts";
import { forPulumi } from "./generate/pulumi-text.ts";
import { pulumiSchema, type Manifest } from "./generate/pulumi-schema.ts";
import { queryNodesFile } from "./generate/query-nodes-file.ts";
import { registryPages } from "./generate/registry-pages.ts";
import { allKindsFile, allOperationsFile } from "./generate/registry-files.ts";
import { HEADER, readSource, ROOT } from "./generate/source.ts";
import { typesFile } from "./generate/types-file.ts";

/**
 * Generates the files in git that derive from schemas/, by path from the root of the repository. Equal schemas give equal
 * bytes.
 */
export async function generate(): Promise<Map<string, string>> {
  const source = await readSource();
  const pulumi = forPulumi(source);
  const manifest = JSON.parse(await readFile(new URL("package.json", ROOT), "utf8")) as Manifest;
  const { version } = manifest;
  const schema = pulumiSchema(pulumi, manifest);
  const enumerations = enumerationsIn(schema);
  return new Map([
    ...source.documents,
    ...registryPages(pulumi),
    ["schemas/config.schema.json", `${layout(configSchema(source, version))}\n`],
    ["schemas/pulumi.schema.json", `${layout(schema)}\n`],
    ["src/generated/kind-names.ts", kindNamesFile(source)],
    ["src/generated/pulumi.ts", pulumiFile(pulumi)],
    ["src/generated/pulumi-enums.ts", pulumiEnumsFile(enumerations)],
    ["src/generated/query-nodes.ts", queryNodesFile()],
    ["src/generated/types.ts", await typesFile(source)],
    ["src/generated/version.ts", versionFile(version)],
    ["src/kinds/all-kinds.ts", allKindsFile(source)],
    ["src/kinds/all-operations.ts", allOperationsFile(source)],
    ["src/pulumi/dynamic.ts", dynamicFile(pulumi)],
    ["src/pulumi/index.ts", classesFile(pulumi, "pulumi")],
    [
      "src/pulumi/packaged.ts",
      classesFile(
        pulumi,
        "packaged",
        enumerations.map(({ name }) => name),
      ),
    ],
    ["src/pulumi/resources/types.ts", argumentsFile(pulumi)],
  ]);
}

/** `src/generated/version.ts`: it is read by modules that run outside of the package, where no package.json is beside them. */
function versionFile(version: string): string {
  return `// ${HEADER}\n/** The version of this package. */\nexport const version = ${JSON.stringify(version)};\n`;
}

/**
 * Generates the reference in schemas/README.md, which describes how each kind is identified. It needs generated code, which is
 * imported here, after the files of {@link generate} are written.
 */
export async function generateFromCode(): Promise<Map<string, string>> {
  const path = "schemas/README.md";
  const { withReference } = await import("./generate/reference.ts");
  return new Map([[path, withReference(await readFile(new URL(path, ROOT), "utf8"))]]);
}

async function main(): Promise<void> {
  await write(await generate());
  await compileSchemas();
  await write(await generateFromCode());
}

async function write(files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(new URL(".", new URL(path, ROOT)), { recursive: true });
    await writeFile(new URL(path, ROOT), text);
    process.stderr.write(`${path}\n`);
  }
}

// Run with `npm run generate`; the test imports the functions instead.
if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
