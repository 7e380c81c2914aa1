// Loaded into the real process with --import: kills it at the nth time that it touches a file of its journal or lock, as
// DRIFTLINE_TEST_KILL says: `n before`, `n torn` (half of what is written lands) or `n after`.
import { writeFileSync, writeSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const [wanted = "0", moment] = (process.env["DRIFTLINE_TEST_KILL"] ?? "").split(" ");
const STATE = /\.(?:journal|lock)/;
let count = 0;

function die() {
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way; nothing else may happen.
  for (;;);
}

/** `tear` does half of the work. */
function killing(target, name, isState, tear) {
  const original = target[name];
  target[name] = async function (...given) {
    if (!isState(given)) return original.apply(this, given);
    count += 1;
    const isIt = count === Number(wanted);
    if (isIt && moment === "before") die();
    if (isIt && moment === "torn") {
      tear(this, given);
      die();
    }
    const result = await original.apply(this, given);
    if (isIt) die();
    return result;
  };
}

const half = (text) => String(text).slice(0, Math.floor(String(text).length / 2));
const nothing = () => undefined;
const handle = await promises.open(process.execPath, "r");
const files = Object.getPrototypeOf(handle);
await handle.close();

// The journal is the only file that is kept open.
killing(
  files,
  "appendFile",
  () => true,
  (file, [text]) => writeSync(file.fd, half(text)),
);
killing(files, "sync", () => true, nothing);
const named = ([path]) => STATE.test(String(path));
killing(promises, "writeFile", named, (_target, [path, text]) => writeFileSync(path, half(text)));
killing(promises, "link", named, nothing);
killing(promises, "open", named, nothing);
killing(promises, "rm", named, nothing);
syncBuiltinESMExports();
