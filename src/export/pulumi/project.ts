import { stringify } from "yaml";
import type { ExportFile } from "../types.ts";

export interface ProjectOptions {
  /** The version of the driftline package. */
  readonly version: string;
  /** The base URL of the service. */
  readonly url: string;
}

/** The files beside `index.ts` in a Pulumi project that is compiled with `tsc` and runs as JavaScript. */
export function projectFiles(name: string, { version, url }: ProjectOptions): readonly ExportFile[] {
  return [
    { name: "Pulumi.yaml", text: pulumiYaml(name, url) },
    { name: "package.json", text: json(manifest(name, version)) },
    { name: "tsconfig.json", text: json(TSCONFIG) },
    { name: ".gitignore", text: "node_modules/\ndist/\n" },
  ];
}

function pulumiYaml(name: string, url: string): string {
  return stringify({
    name,
    description: "Resources exported by driftline.",
    runtime: { name: "nodejs", options: { typescript: false } },
    main: "dist/index.js",
    config: { "driftline:url": { value: url } },
  });
}

function manifest(name: string, version: string): object {
  return {
    name,
    private: true,
    type: "module",
    scripts: { build: "tsc", preview: "tsc && pulumi preview", up: "tsc && pulumi up" },
    dependencies: { "@pulumi/pulumi": "^3.216.0", driftline: `^${version}` },
    devDependencies: { "@types/node": "^20.19.0", typescript: "^6.0.3" },
    engines: { node: ">=20.19" },
  };
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
