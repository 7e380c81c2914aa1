import { stringify } from "yaml";
import type { ExportFile } from "../types.ts";
import type { ProgramProvider } from "./declaration.ts";

/** Where npm finds the driftline package for a program. */
export interface PackageSource {
  /** What package.json says of it: a version, a URL, or a path from the program. */
  readonly spec: string;
  /** Whether it is a path to a folder. npm links folders, unless it is asked to install them. */
  readonly isFolder: boolean;
}

export interface ProjectOptions {
  readonly source: PackageSource;
  /** The base URL of the service. */
  readonly url: string;
  readonly provider: ProgramProvider;
}

export type NamedProject = ProjectOptions & { readonly name: string };

/** Where Pulumi finds the packaged provider without a network: in the folder that npm has put it into. */
const PLUGINS = { plugins: { providers: [{ name: "driftline", path: "node_modules/.bin" }] } };

/** The files beside `index.ts` in a Pulumi project that is compiled with `tsc` and runs as JavaScript. */
export function projectFiles({ name, source, ...options }: NamedProject): readonly ExportFile[] {
  const scripts = { build: "tsc", preview: "tsc && pulumi preview", up: "tsc && pulumi up" };
  const devDependencies = { "@types/node": "^20.19.0", typescript: "^6.0.3" };
  const runtime = { name: "nodejs", options: { typescript: false } };
  const pulumi = { ...projectHead({ name, ...options }), runtime, main: "dist/index.js", ...projectConfig(options) };
  return [
    { name: "Pulumi.yaml", text: stringify(pulumi) },
    ...packageFiles({ name, source }, { type: "module", scripts }, { devDependencies }),
    { name: "tsconfig.json", text: json(TSCONFIG) },
    { name: ".gitignore", text: "node_modules/\ndist/\n" },
  ];
}

/** The files beside `Pulumi.yaml` in a YAML project, which install the packaged provider. */
export function yamlProjectFiles(project: NamedProject): readonly ExportFile[] {
  return [...packageFiles(project), { name: ".gitignore", text: "node_modules/\n" }];
}

/** The first keys of `Pulumi.yaml`. */
export function projectHead({ name, provider }: Omit<NamedProject, "source" | "url">): object {
  return { name, description: "Resources exported by driftline.", ...(provider === "packaged" ? PLUGINS : {}) };
}

/** The configuration in `Pulumi.yaml`. */
export function projectConfig({ url }: Pick<ProjectOptions, "url">, others: object = {}): object {
  return { config: { "driftline:url": { value: url }, ...others } };
}

/** `package.json`, and npm's settings if it needs any. */
function packageFiles(
  { name, source }: Pick<NamedProject, "name" | "source">,
  head: object = {},
  tail: object = {},
): readonly ExportFile[] {
  const dependencies = { "@pulumi/pulumi": "^3.216.0", driftline: source.spec };
  const manifest = { name, private: true, ...head, dependencies, ...tail, engines: { node: ">=20.19" } };
  return [
    { name: "package.json", text: json(manifest) },
    ...(source.isFolder ? [{ name: ".npmrc", text: INSTALL_LINKS }] : []),
  ];
}

/** A link would find the Pulumi SDK of the folder that it leads to, or none. */
const INSTALL_LINKS = `# driftline comes from a folder. It is copied, so that it finds the Pulumi SDK of this program.
install-links=true
`;

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
