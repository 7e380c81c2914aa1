import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { onTestFinished } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions, type LoggedRequest } from "../../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";
import { isWhole } from "../../support/budget.ts";
import { spokenDialect } from "../../support/dialects.ts";
import { SEED } from "../../support/workspace.ts";
import { envOfSdk, type Toolchain } from "../sdks/sdks.ts";
import { KEY, keyService } from "./key-service.ts";
import { PACKAGE, ROOT } from "./package.ts";
import { OWN } from "./provider-process.ts";

/** One resource of a program, as data. Texts like `${acme.id}` are outputs of others, `{"$secret": x}` is a secret. */
export interface Declaration {
  readonly type: string;
  readonly args: JsonObject;
  readonly options?: JsonObject;
}
export type Program = Readonly<Record<string, Declaration>>;

export interface Result {
  readonly code: number;
  readonly output: string;
}

/** A step of the engine's, out of its JSON. */
export interface Step {
  readonly op: string;
  readonly name: string;
  /** Paths that differ. */
  readonly paths: readonly string[];
}

/** A stack of the real engine in a user's own project: file backend, an emulator, nothing else. */
export interface Stack {
  readonly resources: "dynamic" | "packaged";
  readonly emulator: Emulator;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly declare: (program: Program) => Promise<void>;
  readonly pulumi: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Result>;
  /** Fails the test if the engine does not end with 0, or if an update leaves something to update or to refresh. */
  readonly run: (...args: readonly string[]) => Promise<string>;
  readonly start: (args: readonly string[]) => ReturnType<typeof spawn>;
  /** The steps of a preview, a refresh or an update, without unchanged resources. */
  readonly steps: (...args: readonly string[]) => Promise<readonly Step[]>;
  /** Replaces the state of the stack by a deployment. */
  readonly restore: (deployment: object) => Promise<void>;
  readonly deployment: () => Promise<Deployment>;
  readonly state: () => Promise<readonly StateResource[]>;
  /** The text of every file besides the program, so of all that the engine and the resources wrote. */
  readonly files: () => Promise<ReadonlyMap<string, string>>;
}

/** A state as the engine stores it. */
export interface Deployment {
  readonly version: number;
  readonly deployment: { readonly resources?: readonly JsonObject[] };
}

export interface StateResource {
  readonly name: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

const PROGRAM = `
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as driftline from "driftline/pulumi";

const made = new Map();
const value = (it) => {
  if (Array.isArray(it)) return it.map(value);
  if (it !== null && typeof it === "object") return "$secret" in it ? pulumi.secret(it.$secret) : Object.fromEntries(Object.entries(it).map(([key, item]) => [key, value(item)]));
  const found = typeof it === "string" ? /^\\$\\{(\\w+)\\.(\\w+)\\}$/.exec(it) : null;
  return found ? made.get(found[1])[found[2]] : it;
};
for (const [name, { type, args, options = {} }] of Object.entries(JSON.parse(readFileSync("program.json", "utf8")))) {
  made.set(name, new driftline[type](name, value(args), options));
}
`;

/**
 * @param bin folder with the engine's parts
 * @param main program of the project; by default one that registers the resources of `declare`
 * @param toolchain SDK and Node of the project
 */
export function createStack(
  bin: string,
  options: EmulatorOptions = {},
  main = "index.js",
  toolchain: Toolchain = OWN,
): Promise<Stack> {
  return openStack({
    bin,
    options,
    toolchain,
    resources: "dynamic",
    lay: (project) => layProject(project, main, toolchain),
    declare: writeData,
    program: DATA,
  });
}

/** The file of a Node project with what its program registers. */
export const DATA = "program.json";

/** Writes what the program registers. */
export function writeData(project: string, program: Program): Promise<void> {
  return writeFile(join(project, DATA), JSON.stringify(program));
}

/** How a stack is made. */
export interface StackOptions {
  /** Folder with the engine's parts. */
  readonly bin: string;
  readonly options: EmulatorOptions;
  readonly toolchain: Toolchain;
  readonly resources: Stack["resources"];
  /** Writes the user's project into an empty folder. */
  readonly lay: (project: string) => Promise<void>;
  /** Writes the program. */
  readonly declare: (project: string, program: Program) => Promise<void>;
  /** The file that it writes. */
  readonly program: string;
}

/** What `stack init` writes, by path in the folder of a stack: the same for each stack, as its key lies in it. */
const WRITTEN = ["backend", "project/Pulumi.dev.yaml"];
let initialized: Promise<string> | undefined;

/** Initializes the stack in a folder, and selects it. The engine does it once, and its files are copied for the others. */
async function initialize(folder: string, init: () => Promise<unknown>): Promise<void> {
  initialized ??= (async () => {
    await init();
    const copy = await mkdtemp(join(tmpdir(), "driftline-initialized-"));
    process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
    for (const path of WRITTEN) await cp(join(folder, path), join(copy, path), { recursive: true });
    return copy;
  })();
  const made = await initialized;
  for (const path of WRITTEN) await cp(join(made, path), join(folder, path), { recursive: true });
  // The engine keeps the selection of each project by the path of its file and by its backend.
  const project = createHash("sha1").update(join(folder, "project/Pulumi.yaml")).digest("hex");
  await mkdir(join(folder, "home/workspaces"), { recursive: true });
  const selected = { stacks: { [backendOf(folder)]: "organization/acme/dev" } };
  await writeFile(join(folder, "home/workspaces", `acme-${project}-workspace.json`), JSON.stringify(selected));
}

/**
 * The backend renames each complete file into place, but writes the metadata beside it in steps. A kill between them leaves an empty
 * file, and then the engine cannot read the stack ("failed to load checkpoint: EOF").
 */
const backendOf = (folder: string): string => `file://${join(folder, "backend")}?metadata=skip`;

let updates = 0;

/** Whether the state after an update is checked, which is a run of the engine: after every third one of a file, and if DRIFTLINE_TESTS is `all` after each. */
function isChecked(): boolean {
  updates += 1;
  return isWhole || updates % 3 === 1;
}

/** Opens an empty stack of a project in any language. */
export async function openStack(made: StackOptions): Promise<Stack> {
  const { bin, options, toolchain, resources, lay, declare, program } = made;
  const folder = await mkdtemp(join(tmpdir(), "driftline-stack-"));
  const emulator = await startEmulator({ seed: SEED, dialect: spokenDialect() ?? "document", ...options });
  onTestFinished(async () => {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const paths = [bin, dirname(toolchain.node)];
  const env = { ...environment(paths, folder, emulator), ...envOfSdk(toolchain), ...(await keyService()) };
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}): ReturnType<typeof spawn> =>
    spawn("pulumi", [...args, "--non-interactive"], {
      cwd: join(folder, "project"),
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
  const pulumi: Stack["pulumi"] = (args, more) =>
    new Promise((resolve) => {
      const child = start(args, more);
      let output = "";
      child.stdout?.on("data", (data: Buffer) => void (output += data.toString()));
      child.stderr?.on("data", (data: Buffer) => void (output += data.toString()));
      child.on("close", (code) => resolve({ code: code ?? -1, output }));
    });
  const run: Stack["run"] = async (...args) => {
    const { code, output } = await pulumi(args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${String(code)}\n${output}`);
    if (args[0] === "up" && spokenDialect() !== undefined && isChecked()) await mustBeAtRest();
    return output;
  };
  /** Leaves the request log of the service as it was. */
  const mustBeAtRest = async (): Promise<void> => {
    const before = [...emulator.requests];
    // With this setting the output is all events. Without it, it has no differences that the refresh has found.
    const allEvents = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
    const { code, output } = await pulumi(["preview", "--refresh", "--json"], allEvents);
    emulator.clearRequests();
    (emulator.requests as LoggedRequest[]).push(...before);
    const left = changesOf(output);
    if (code !== 0 || left.length > 0)
      throw new Error(`after pulumi up the preview is not empty: ${JSON.stringify(left)}\n${output}`);
  };
  await mkdir(join(folder, "backend"));
  await mkdir(join(folder, "project"));
  await lay(join(folder, "project"));
  await initialize(folder, () => run("stack", "init", "dev", "--secrets-provider", KEY));
  return {
    resources,
    emulator,
    folder,
    env,
    pulumi,
    run,
    start,
    declare: (declared) => declare(join(folder, "project"), declared),
    steps: async (...args) => {
      const output = await run(...args, "--json");
      return args[0] === "up" ? doneIn(output) : stepsOf(output);
    },
    restore: async (deployment) => {
      await writeFile(join(folder, "state.json"), JSON.stringify(deployment));
      await run("stack", "import", "--file", join(folder, "state.json"));
    },
    deployment: () => deploymentIn(folder),
    state: async () => {
      const deployment = await deploymentIn(folder);
      const hasSecrets = JSON.stringify(deployment).includes('"ciphertext"');
      return resourcesOf(
        hasSecrets ? (JSON.parse(await run("stack", "export", "--show-secrets")) as Deployment) : deployment,
      );
    },
    files: () => allFiles(folder, join(folder, "project", program)),
  };
}

function environment(paths: readonly string[], folder: string, emulator: Emulator): Readonly<Record<string, string>> {
  return {
    PATH: [...paths, process.env["PATH"] ?? ""].join(delimiter),
    HOME: folder,
    PWD: join(folder, "project"),
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: backendOf(folder),
    PULUMI_CONFIG_PASSPHRASE: "correct horse",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    // The engine lives for seconds. Collecting its garbage is a tenth of its work.
    GOGC: "400",
    DRIFTLINE_STATE_DIR: join(folder, "journal"),
    DRIFTLINE_URL: emulator.url,
    DRIFTLINE_API_KEY: emulator.key,
  };
}

/** Writes the project of a user who has installed the package. */
export async function layProject(project: string, main: string, toolchain: Toolchain): Promise<void> {
  await installPackages(project, toolchain);
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ name: "acme", type: "module", dependencies: { "@pulumi/pulumi": "*" } }),
  );
  await writeFile(join(project, "index.js"), PROGRAM);
  await writeData(project, {});
  await writeFile(
    join(project, "Pulumi.yaml"),
    `name: acme\nruntime:\n  name: nodejs\n  options:\n    typescript: false\nmain: ${main}\n`,
  );
}

/** Lays the packages that `npm install driftline @pulumi/pulumi` would lay, with the executables. */
export async function installPackages(project: string, { modules }: Toolchain): Promise<void> {
  const packages = join(project, "node_modules");
  await mkdir(join(packages, ".bin"), { recursive: true });
  await symlink(join(modules, "@pulumi"), join(packages, "@pulumi"));
  if (modules === OWN.modules) await symlink(PACKAGE, join(packages, "driftline"));
  else await install(packages);
  const executable = "dist/pulumi/plugin/main.js";
  await chmod(join(packages, "driftline", executable), 0o755);
  await symlink(join("../driftline", executable), join(packages, ".bin", "pulumi-resource-driftline"));
}

/** Copies the package, because a link would find the repository's own SDK. */
async function install(packages: string): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(packages, name)), { recursive: true });
    await symlink(join(ROOT, "node_modules", name), join(packages, name));
  }
  for (const name of ["package.json", "dist", "schemas"])
    await cp(join(PACKAGE, name), join(packages, "driftline", name), { recursive: true });
}

type PlannedStep = Pick<Change, "op" | "urn"> & Partial<Pick<Change, "detailedDiff">>;

/** The steps in the JSON output of the engine, without unchanged resources. */
export function stepsOf(output: string): readonly Step[] {
  const { steps = [] } = JSON.parse(output.slice(output.indexOf("{"))) as { steps?: readonly PlannedStep[] };
  return changed(steps);
}

/** The same of an update, which prints its events. A replacement is one step there, too. */
function doneIn(output: string): readonly Step[] {
  const steps = eventsOf(output).flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  return changed(steps.filter(({ op }) => op !== "create-replacement" && op !== "delete-replaced"));
}

function changed(steps: readonly PlannedStep[]): readonly Step[] {
  return steps
    .filter(({ op, urn }) => op !== "same" && op !== "refresh" && !urn.includes("pulumi:pulumi:Stack"))
    .map(({ op, urn, detailedDiff }) => ({
      op,
      name: urn.split("::").at(-1) ?? "",
      paths: Object.keys(detailedDiff ?? {}).toSorted(),
    }));
}

/** A resource before and after a step of the engine. */
interface Change {
  readonly op: string;
  readonly urn: string;
  readonly detailedDiff: JsonObject | null;
  readonly old: Side | null;
  readonly new: Side | null;
}

interface Side {
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  readonly external?: boolean;
}

type Event = Readonly<Record<string, { readonly metadata: Change } | undefined>>;

function eventsOf(output: string): readonly Event[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Event);
}

/** What the events of `preview --refresh` show: changes to make, and changes that others have made. */
function changesOf(output: string): readonly Change[] {
  return (
    eventsOf(output)
      .flatMap(({ resourcePreEvent, resOutputsEvent }) => (resourcePreEvent ?? resOutputsEvent)?.metadata ?? [])
      .filter((change) => (change.op === "refresh" ? isChangedByOthers(change) : change.op !== "same"))
      // Resources that a program only looks up are read each time.
      .filter(({ op, old }) => op !== "read" && old?.external !== true)
  );
}

function isChangedByOthers({ detailedDiff, old, new: now }: Change): boolean {
  const isSame = isDeepStrictEqual([old?.inputs, old?.outputs], [now?.inputs, now?.outputs]);
  return !isSame || Object.keys(detailedDiff ?? {}).length > 0;
}

/** Reads the state of the stack as `stack export` prints it, without a run of the engine. */
async function deploymentIn(folder: string): Promise<Deployment> {
  const text = await readFile(join(folder, "backend/.pulumi/stacks/acme/dev.json"), "utf8");
  const { version, checkpoint } = JSON.parse(text) as { version: number; checkpoint: { latest?: object } };
  return { version, deployment: checkpoint.latest ?? {} };
}

function resourcesOf({ deployment }: Deployment): readonly StateResource[] {
  const resources = (deployment.resources ?? []) as unknown as readonly (Partial<StateResource> & {
    readonly urn: string;
    readonly type: string;
  })[];
  return resources
    .filter(({ type }) => type.includes("driftline") && !type.startsWith("pulumi:providers:"))
    .map(({ urn, type, id = "", inputs = {}, outputs = {} }) => ({
      name: urn.split("::").at(-1) ?? "",
      type,
      id,
      inputs: plain(inputs) as JsonObject,
      outputs: plain(outputs) as JsonObject,
    }));
}

/** A value of `--show-secrets` without its wrapping. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => plain(item));
  if (value === null || typeof value !== "object") return value;
  const object = value as JsonObject;
  if (typeof object["plaintext"] === "string") return plain(JSON.parse(object["plaintext"]) as Json);
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, plain(item)]));
}

async function allFiles(folder: string, except: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const paths = files.filter((path) => path !== except);
  return new Map(
    await Promise.all(paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, "utf8")])),
  );
}
