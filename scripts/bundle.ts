/**
 * Bundles the command: src/cli and all that it imports become a few files in dist/bin. Pulumi's provider becomes one file, in the
 * place of its main module. `npm run build` does it after tsc, which makes the plain modules of the library.
 *
 * Premise: a short command spends most of its time on loading modules. Each one is looked up, read and compiled, and an ES module
 * costs more of that than CommonJS. So the files are CommonJS. There is one that every command starts with, one for what it takes to
 * read a configuration, one for what it takes to plan, and one for each group of commands. test/bench/README.md has the figures.
 * What is of the process, `main.ts`, is a small file of its own, so that the tests can run the rest in theirs, through `program.cjs`
 * and `redact.cjs`.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown, type InputOptions, type OutputChunk, type Plugin } from "rolldown";
import { thirdPartyNotices } from "./bundle/third-party.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const OUT = fileURLToPath(new URL("../dist/bin/", import.meta.url));
const WIDTH = "./string-width.cjs";
/** The module in place of string-width: to compile its patterns takes longer than a plan does, and plain ASCII needs none of them. */
const LATE_WIDTH = `
  let width;
  export default (text) => (width ??= require("${WIDTH}").default)(text);`;

const lateWidth: Plugin = {
  name: "late-width",
  resolveId: (name, importer) => (name === "string-width" && importer !== undefined ? "\0late-width" : null),
  load: (id) => (id === "\0late-width" ? LATE_WIDTH : null),
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
  external: ["jiti", WIDTH],
  makeAbsoluteExternalsRelative: false,
  plugins: [lateWidth],
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
  return output.filter((file) => file.type === "chunk");
}

/** The name of a command, from the path of its module or its folder. */
function commandOf(path: string | null): string | undefined {
  return /\/commands\/([\w-]+)(?:\/(?!command\.)[\w-]+|\/command)?\.ts$/.exec(path ?? "")?.[1];
}

/** It stays an ES module: it awaits at its top level, and it is started by its path. */
async function bundleProvider(): Promise<readonly OutputChunk[]> {
  const build = await rolldown({ ...source, input: "src/pulumi/plugin/main.ts" });
  const file = `${ROOT}dist/pulumi/plugin/main.js`;
  const { output } = await build.write({ ...options, format: "es", file, codeSplitting: false });
  await build.close();
  return output.filter((chunk) => chunk.type === "chunk");
}

async function bundleWidth(): Promise<readonly OutputChunk[]> {
  const build = await rolldown({ cwd: ROOT, input: "string-width", platform: "node" });
  const { output } = await build.write({ ...options, file: OUT + WIDTH, exports: "named" });
  await build.close();
  return output.filter((file) => file.type === "chunk");
}

const chunks = [...(await bundleCommand()), ...(await bundleWidth()), ...(await bundleProvider())];
const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
await writeFile(`${OUT}THIRD-PARTY.txt`, await thirdPartyNotices(modules));
