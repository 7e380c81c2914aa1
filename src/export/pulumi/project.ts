import { stringify } from "yaml";
import type { ExportFile } from "../types.ts";
import type { ProgramProvider } from "./declaration.ts";

export interface ProjectOptions {
  /** The version of the driftline package. */
  readonly version: string;
  /** The base URL of the service. */
  readonly url: string;
  readonly provider: ProgramProvider;
}

export type NamedProject = ProjectOptions & { readonly name: string };

/** Where Pulumi finds the packaged provider without a network: in the folder that npm has put it into. */
const PLUGINS = { plugins: { providers: [{ name: "driftline", path: "node_modules/.bin" }] } };

/** The files beside `index.ts` in a Pulumi project that is compiled with `tsc` and runs as JavaScript. */
export function projectFiles({ name, version, ...options }: NamedProject): readonly ExportFile[] {
  const scripts = { build: "tsc", preview: "tsc && pulumi preview", up: "tsc && pulumi up" };
  const devDependencies = { "@types/node": "^20.19.0", typescript: "^6.0.3" };
  const runtime = { name: "nodejs", options: { typescript: false } };
  return [
    projectFile({ name, ...options }, { runtime, main: "dist/index.js" }),
    { name: "package.json", text: json(manifest({ name, version }, { type: "module", scripts }, { devDependencies })) },
    { name: "tsconfig.json", text: json(TSCONFIG) },
    { name: ".gitignore", text: "node_modules/\ndist/\n" },
  ];
}

/** What a project in another language needs to install the packaged provider. */
export function packagedFiles({ name, version }: NamedProject): readonly ExportFile[] {
  return [
    { name: "package.json", text: json(manifest({ name, version })) },
    { name: ".gitignore", text: "node_modules/\nsdks/\nvenv/\n" },
  ];
}

/** `Pulumi.yaml`, in which the runtime and all else that belongs to the language is `more`. */
export function projectFile(options: Omit<NamedProject, "version">, more: object): ExportFile {
  return { name: "Pulumi.yaml", text: stringify({ ...projectHead(options), ...more, ...projectConfig(options) }) };
}

/** The first keys of `Pulumi.yaml`. */
export function projectHead({ name, provider }: Omit<NamedProject, "version" | "url">): object {
  return { name, description: "Resources exported by driftline.", ...(provider === "packaged" ? PLUGINS : {}) };
}

/** The configuration in `Pulumi.yaml`. */
export function projectConfig({ url }: Pick<ProjectOptions, "url">, more: object = {}): object {
  return { config: { "driftline:url": { value: url }, ...more } };
}

function manifest(
  { name, version }: Pick<NamedProject, "name" | "version">,
  head: object = {},
  tail: object = {},
): object {
  const dependencies = { "@pulumi/pulumi": "^3.216.0", driftline: `^${version}` };
  return { name, private: true, ...head, dependencies, ...tail, engines: { node: ">=20.19" } };
}

const TSCONFIG = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    types: ["node"],
    rootDir: ".",
    outDir: "dist",
  },
  files: ["index.ts"],
};

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
