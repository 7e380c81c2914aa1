// Applies of the package in the folder that is the argument, side by side in one process. Each stops at its given boundary and
// reports it. From there on it sends no request, receives no answer, and touches no file of its state. Then the process only waits
// to be killed, with everything that the applies have left open.
import { writeFileSync, writeSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join, sep } from "node:path";
import { Agent } from "undici";

const NEVER = new Promise(() => undefined);
const runs = [];
/** The run that has opened a file. */
const owners = new WeakMap();

function die(run) {
  run.dead = true;
  report(run, { reached: true });
}

function report({ index, request, touch, sent }, more) {
  process.send({ index, boundaries: { request, touch }, sent, ...more });
}

/** Whether the next boundary of its kind is the last one of the run. */
function isLast(run, what) {
  run[what] += 1;
  return run.at.what === what && run.at.number === run[what];
}

/** Does some work on a file of a run. `tear` does half of it, where half of it can be done. */
async function touching(run, work, tear) {
  if (run.dead) return NEVER;
  // To touch nothing is what comes after the touch before, but for the first one, and what is sent in between.
  if ((tear !== undefined || run.touch === 0) && isLast(run, "touch")) die(run);
  else if (tear !== undefined && isLast(run, "touch")) {
    tear();
    die(run);
  }
  if (run.dead) return NEVER;
  const isIt = isLast(run, "touch");
  const result = await work();
  if (isIt) die(run);
  return run.dead ? NEVER : result;
}

const half = (text) => String(text).slice(0, Math.floor(String(text).length / 2));
const nothing = () => undefined;
const ownerOf = (path) => runs.find(({ state }) => String(path).startsWith(state + sep));

/** What is done to a file by its name. */
function watchNamed(name, tear) {
  const original = promises[name];
  promises[name] = async (...given) => {
    const run = ownerOf(given[0]);
    if (run === undefined) return original(...given);
    return touching(
      run,
      async () => {
        const result = await original(...given);
        if (name === "open") owners.set(result, run);
        return result;
      },
      tear && (() => tear(...given)),
    );
  };
}

/** What is done to a file that is open. */
async function watchOpen(name, tear) {
  const handle = await promises.open(process.execPath, "r");
  const files = Object.getPrototypeOf(handle);
  await handle.close();
  const original = files[name];
  files[name] = async function (...given) {
    const run = owners.get(this);
    if (run === undefined) return original.apply(this, given);
    return touching(run, () => original.apply(this, given), tear && (() => tear(this, ...given)));
  };
}

/** Hands an answer on as long as the run lives. `end` ends it when this answer is about to come. */
function deafening(run, handler, end) {
  const hear = (name) => {
    return (...given) => {
      if (name !== "onRequestStart" && name !== "onResponseError" && !run.dead) end();
      if (!run.dead) handler[name]?.(...given);
    };
  };
  const names = ["onRequestStart", "onResponseStart", "onResponseData", "onResponseEnd", "onResponseError"];
  return Object.fromEntries(names.map((name) => [name, hear(name)]));
}

/** Every run believes to speak to one and the same address. */
function dispatcherOf(run) {
  return new Agent().compose((next) => (options, handler) => {
    if (run.dead) return true;
    if (isLast(run, "request")) die(run);
    if (run.dead) return true;
    run.sent += 1;
    // A read takes no effect: after it all is as before.
    const end = options.method !== "GET" && isLast(run, "request") ? () => die(run) : nothing;
    return next({ ...options, origin: run.origin }, deafening(run, handler, end));
  });
}

await watchOpen("appendFile", (file, text) => writeSync(file.fd, half(text)));
await watchOpen("sync");
watchNamed("writeFile", (path, text) => writeFileSync(path, half(text)));
for (const name of ["open", "link", "rename", "rm", "utimes"]) watchNamed(name);
syncBuiltinESMExports();

const load = (file) => import(join(process.argv[2], "dist", file));
const { runCommandLine } = await load("bin/program.cjs");
const { createRedactor } = await load("bin/redact.cjs");
const { systemClock } = await load("index.js");

async function start(given) {
  const run = { ...given, request: 0, touch: 0, sent: 0, dead: false };
  runs.push(run);
  let output = "";
  const write = (text) => void (output += text);
  const code = await runCommandLine(run.args, {
    cwd: run.folder,
    env: run.env,
    clock: systemClock,
    redactor: createRedactor(),
    signal: new AbortController().signal,
    onStop: nothing,
    catchSignals: nothing,
    interactive: false,
    color: { stdout: false, stderr: false },
    out: write,
    err: write,
    raw: (_stream, text) => write(text),
    status: nothing,
    ask: async () => undefined,
    dispatcher: dispatcherOf(run),
  });
  if (!run.dead) report(run, { reached: false, code, output });
}

process.on("message", (all) => all.forEach((run) => void start(run)));
process.send("ready");
