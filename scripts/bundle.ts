/**
 * Bundles the command: src/cli and all that it imports become a few files in dist/bin. Pulumi's provider becomes one file. The library
 * has a file for each entry of the package, and those for what several share. `npm run build` does it after tsc, which makes the
 * declarations: those that no entry names are removed, so that the package holds what somebody can import, and nothing else.
 *
 * Premise: a short command spends most of its time on loading modules. Each one is looked up, read and compiled, and an ES module
 * costs more of that than CommonJS. So the files are CommonJS. There is one that every command starts with, one for what it takes to
 * read a configuration, one for what it takes to plan, and one for each group of commands. test/bench/README.md has the figures.
 * What is of the process, `main.ts`, is a small file of its own, so that the tests can run the rest in theirs, through `program.cjs`
 * and `redact.cjs`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown, type InputOptions, type OutputChunk, type Plugin } from "rolldown";
import { keepDeclarations } from "./bundle/declarations.ts";
import { thirdPartyNotices } from "./bundle/third-party.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const OUT = fileURLToPath(new URL("../dist/bin/", import.meta.url));

/** A module that is a file of its own, and that is loaded when one of its functions is first called. */
interface LateModule {
  readonly file: string;
  readonly input: string;
  /** How others import it. */
  readonly importedAs: RegExp;
  readonly exports: readonly string[];
}

const LATE: readonly LateModule[] = [
  // To compile its patterns takes longer than a plan does, and plain ASCII needs none of them.
  { file: "./string-width.cjs", input: "string-width", importedAs: /^string-width$/, exports: ["default"] },
  // Only a report with a chart needs it.
  {
    file: "./ticks.cjs",
    input: "src/report/html/effect/ticks.ts",
    importedAs: /^\.\/ticks\.ts$/,
    exports: ["valueTicks", "numberTicks", "timeTicks"],
  },
];

const late: Plugin = {
  name: "late",
  resolveId: (name, importer) => {
    const found = importer === undefined ? undefined : LATE.find(({ importedAs }) => importedAs.test(name));
    return found === undefined ? null : `\0late:${found.input}`;
  },
  load: (id) => {
    const found = LATE.find(({ input }) => id === `\0late:${input}`);
    if (found === undefined) return null;
    const functions = found.exports.map((name) => `(...all) => require("${found.file}").${name}(...all)`);
    return found.exports
      .map((name, index) => `export ${name === "default" ? name : `const ${name} =`} ${functions[index] ?? ""};`)
      .join("\n");
  },
};

/**
 * Source maps name only every tenth line of long files of other packages. All positions there would be half of all maps, and nobody mends
 * anything in them. `AACA` is one line below the position before it, and `AAUA` ten lines.
 */
const linesOfPackages: Plugin = {
  name: "lines-of-packages",
  transform: {
    filter: { id: /\/node_modules\// },
    handler: (code, id) => {
      const others = code.split("\n").slice(1);
      const line = (at: number): string => (others.length < 50 ? ";AACA" : at % 10 === 9 ? ";AAUA" : ";");
      const mappings = `AAAA${others.map((_, at) => line(at)).join("")}`;
      return { code, map: { version: 3, sources: [id], names: [], mappings } };
    },
  },
};

/** Files that several commands share: these modules and all that they import, but for what is in a file above. */
const SHARED = [
  { name: "start", tags: ["$initial"] as ["$initial"], test: /(?<!src\/cli\/main\.ts)$/ },
  { name: "configuration", test: /src\/cli\/commands\/validate\.ts$/ },
  { name: "service", test: /src\/cli\/commands\/plan\.ts$/ },
];

const source: InputOptions = {
  cwd: ROOT,
  platform: "node",
  // jiti loads its own parts by their paths.
  external: ["jiti", ...LATE.map(({ file }) => file)],
  makeAbsoluteExternalsRelative: false,
  plugins: [late, linesOfPackages],
  // Some modules are imported statically by one command and dynamically by another. They are in a shared file then.
  checks: { ineffectiveDynamicImport: false },
};
const options = { format: "cjs", sourcemap: true, sourcemapExcludeSources: true, minify: true } as const;

async function bundleCommand(): Promise<readonly OutputChunk[]> {
  const input = { driftline: "src/cli/main.ts", program: "src/cli/program.ts", redact: "src/api/redact/redact.ts" };
  const build = await rolldown({ ...source, input });
  const { output } = await build.write({
    ...options,
    dir: OUT,
    entryFileNames: "[name].cjs",
    chunkFileNames: ({ facadeModuleId, name }) => `${commandOf(facadeModuleId) ?? name}.cjs`,
    codeSplitting: { groups: SHARED.map((group, index) => ({ ...group, priority: SHARED.length - index })) },
  });
  await build.close();
  return output.filter((chunk) => chunk.type === "chunk");
}

/** The name of a command, from the path of its module or its folder. */
function commandOf(path: string | null): string | undefined {
  return /\/commands\/([\w-]+)(?:\/[\w-]+)?\.ts$/.exec(path ?? "")?.[1];
}

/** It stays an ES module: it awaits at its top level, and it is started by its path. */
async function bundleProvider(): Promise<readonly OutputChunk[]> {
  const build = await rolldown({ ...source, input: "src/pulumi/plugin/main.ts" });
  const file = `${ROOT}dist/pulumi/plugin/main.js`;
  const { output } = await build.write({ ...options, format: "es", file, codeSplitting: false });
  await build.close();
  return output.filter((chunk) => chunk.type === "chunk");
}

async function bundleLate({ file, input }: LateModule): Promise<readonly OutputChunk[]> {
  const build = await rolldown({ cwd: ROOT, input, platform: "node" });
  const { output } = await build.write({ ...options, file: OUT + file, exports: "named" });
  await build.close();
  return output.filter((chunk) => chunk.type === "chunk");
}

/** The modules that others import: the exports of the package, and the program that needs none. By their paths in dist. */
async function libraryEntries(): Promise<readonly string[]> {
  const { exports } = JSON.parse(await readFile(`${ROOT}package.json`, "utf8")) as { readonly exports: object };
  const files = Object.values(exports).flatMap((target: string | { readonly default: string }) =>
    typeof target === "string" ? [] : [target.default],
  );
  return [...files, "./dist/pulumi/program.js"].map((file) => file.replace(/^\.\/dist\/|\.js$/gu, ""));
}

/** Packages stay imports, but for helpers of the bundler. Names and lines stay, because people read them in stack traces. */
async function bundleLibrary(): Promise<readonly OutputChunk[]> {
  const entries = await libraryEntries();
  const build = await rolldown({
    cwd: ROOT,
    platform: "node",
    input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    external: /^(?!@oxc-project\/)[^./\0]/,
  });
  // The documentation is in the declarations.
  const comments = { jsdoc: false };
  const { output } = await build.write({
    dir: `${ROOT}dist`,
    format: "es",
    chunkFileNames: "shared/[name].js",
    comments,
  });
  await build.close();
  await keepDeclarations(`${ROOT}dist`, entries);
  return output.filter((chunk) => chunk.type === "chunk");
}

const chunks = [
  ...(await bundleLibrary()),
  ...(await bundleCommand()),
  ...(await Promise.all(LATE.map(bundleLate))).flat(),
  ...(await bundleProvider()),
];
const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
await writeFile(`${OUT}THIRD-PARTY.txt`, await thirdPartyNotices(modules));
