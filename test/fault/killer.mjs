// Loaded into the real process with --import: kills it after the nth time, DRIFTLINE_TEST_KILL, that it touches a file of its
// journal or lock.
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const wanted = Number(process.env["DRIFTLINE_TEST_KILL"]);
const STATE = /\.(?:journal|lock)/;
let count = 0;

function killing(target, name, isState) {
  const original = target[name];
  target[name] = async function (...given) {
    const result = await original.apply(this, given);
    if (!isState(given)) return result;
    count += 1;
    if (count !== wanted) return result;
    process.kill(process.pid, "SIGKILL");
    // The signal is on its way; nothing else may happen.
    for (;;);
  };
}

const handle = await promises.open(process.execPath, "r");
const files = Object.getPrototypeOf(handle);
await handle.close();

// The journal is the only file that is kept open.
for (const name of ["appendFile", "sync"]) killing(files, name, () => true);
for (const name of ["writeFile", "link", "open", "rm"]) killing(promises, name, ([path]) => STATE.test(String(path)));
syncBuiltinESMExports();
