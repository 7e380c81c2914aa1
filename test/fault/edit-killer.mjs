// Loaded into the real process with --import: kills it at the nth moment, DRIFTLINE_TEST_KILL, of its work on the files in the
// folder DRIFTLINE_TEST_FOLDER, or runs the shell command DRIFTLINE_TEST_MEANWHILE there and goes on. A moment is before or after
// a call that touches one, or in the middle of a write. At a normal end, it says how many moments there were.
import { spawnSync } from "node:child_process";
import { writeFileSync, writeSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { sep } from "node:path";

const wanted = Number(process.env["DRIFTLINE_TEST_KILL"]);
const folder = process.env["DRIFTLINE_TEST_FOLDER"] + sep;
const meanwhile = process.env["DRIFTLINE_TEST_MEANWHILE"];
let moment = 0;

/**
 * @param name what it is before or after
 * @param leave what the dying process still does
 */
function reach(name, leave) {
  moment += 1;
  if (moment !== wanted) return;
  if (meanwhile !== undefined) return runMeanwhile(name);
  leave?.();
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way; nothing else may happen.
  for (;;);
}

function runMeanwhile(name) {
  const env = { ...process.env, NODE_OPTIONS: "" };
  const { status, stderr } = spawnSync(meanwhile, { shell: true, env, encoding: "utf8" });
  writeSync(2, `\nmeanwhile: ${String(status)}, ${name}\n${stderr}\n`);
}

function watch(name, half) {
  const original = promises[name];
  promises[name] = async (...given) => {
    if (!String(given[0]).startsWith(folder)) return original(...given);
    reach(`before ${name}`);
    if (half !== undefined) reach(`in ${name}`, () => half(...given));
    const result = await original(...given);
    reach(`after ${name}`);
    return result;
  };
}

watch("writeFile", (path, text, options) => writeFileSync(path, text.slice(0, text.length / 2), options));
for (const name of ["rename", "chmod", "rm"]) watch(name);
syncBuiltinESMExports();
process.on("exit", () => writeSync(2, `\nmoments: ${String(moment)}\n`));
