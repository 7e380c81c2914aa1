// One life of a feature flag, through the command line of a copy of driftline that knows the kind. Prints what it sees.
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRedactor } from "./dist/api/redact/redact.js";
import { systemClock } from "./dist/api/limits/clock.js";
import { runCommandLine } from "./dist/cli/program.js";
import { startEmulator } from "./dist/emulator/index.js";
import { kinds } from "./dist/kinds/registry.js";

const cwd = await mkdtemp(join(import.meta.dirname, "life-"));
const seed = { organizations: [{ name: "Acme", projects: [{ id: 2, name: "Web", feature_flags: [{ key: "old" }] }] }] };
const emulator = await startEmulator({ seed });
const env = { DRIFTLINE_URL: emulator.url, DRIFTLINE_API_KEY: emulator.key, DRIFTLINE_STATE_DIR: join(cwd, "state") };

/** Runs a command in this process. Returns its exit code and the actions of its document. */
async function run(...args) {
  const output = { stdout: "", stderr: "" };
  const code = await runCommandLine([...args, "--format", "json"], {
    cwd,
    env,
    clock: systemClock,
    redactor: createRedactor(),
    signal: new AbortController().signal,
    onStop: () => undefined,
    catchSignals: () => undefined,
    terminal: false,
    interactive: false,
    color: { stdout: false, stderr: false },
    out: (text) => void (output.stdout += text),
    err: (text) => void (output.stderr += text),
    raw: (stream, text) => void (output[stream] += text),
    status: () => undefined,
    ask: () => Promise.resolve(undefined),
  });
  const document = JSON.parse(output.stdout);
  const rows = document.changes ?? document.outcomes ?? [];
  const done = rows.filter(({ kind }) => kind === "feature_flag").map(({ action, status }) => status ?? action);
  return [args[0], code, ...done, ...(code === 0 || code === 2 ? [] : [output.stderr])];
}

async function declare(flag) {
  const projects = { web: { id: 2, feature_flags: { checkout: flag } } };
  const config = { driftline: 1, organizations: { acme: { name: "Acme", projects } } };
  await writeFile(join(cwd, "driftline.yaml"), JSON.stringify(config));
}

function stored() {
  return emulator.find("feature_flag", ({ key }) => key === "checkout").map(({ id: _id, ...fields }) => fields);
}

const life = [];
await declare({ key: "checkout", name: "The new checkout" });
life.push(await run("plan"), await run("apply", "--yes"), stored());
await declare({ key: "checkout", name: "The new checkout", active: false });
life.push(await run("apply", "--yes"), stored(), await run("plan"));
const [{ id }] = emulator.find("feature_flag", ({ key }) => key === "checkout");
emulator.edit("feature_flag", id, { active: true });
life.push(await run("drift"), await run("apply", "--yes"), stored());
await declare({ key: "checkout", lifecycle: { state: "absent" } });
life.push(await run("apply", "--yes"), stored());
await declare({ id, key: "checkout", name: "The new checkout", active: false });
life.push(await run("plan"), await run("apply", "--yes"), stored());
const rows = { "feature_flags.list": [false, true].map((deleted, index) => ({ id: index + 1, key: "row", deleted })) };
life.push(
  kinds.feature_flag.lists.assemble({ scope: "acme/projects/web", path: {}, rows }).map(({ state }) => state ?? "live"),
);
await emulator.close();
process.stdout.write(JSON.stringify(life));
