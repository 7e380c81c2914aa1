/** Runs the command on a terminal of its own, where somebody types. It needs Python, because Node opens no terminals. */
import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { commandFile } from "./command.ts";

/** Types the first text before the command has started, and one of the others after each question; after the last one, Ctrl-D. */
const DRIVER = `
import json, os, pty, sys
spec = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.chdir(spec["cwd"])
    os.execvpe(spec["command"][0], spec["command"], spec["env"])
early, *answers = [one.encode() for one in spec["typed"]]
os.write(terminal, early)
shown = b""
try:
    while data := os.read(terminal, 65536):
        shown += data
        while answers and shown.count(b": \\x1b[") >= len(spec["typed"]) - len(answers):
            os.write(terminal, answers.pop(0))
except OSError:
    pass
_, status = os.waitpid(pid, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "shown": shown.decode()}))
`;

/** Whether there is a Python that can open a terminal. */
export const hasTerminal = spawnSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode"]).status === 0;

export interface Typing {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What is typed before the command has started, then what is typed after each question. */
  readonly typed: readonly [string, ...string[]];
}

export async function onTerminal(
  args: readonly string[],
  { cwd, env, typed }: Typing,
): Promise<{ readonly code: number; readonly shown: string }> {
  const child = spawn("python3", ["-c", DRIVER], { stdio: ["pipe", "pipe", "inherit"] });
  const world = { PATH: process.env["PATH"] ?? "", TERM: "xterm", NO_COLOR: "1", ...env };
  child.stdin.end(JSON.stringify({ cwd, typed, command: [process.execPath, commandFile(), ...args], env: world }));
  return JSON.parse(await text(child.stdout)) as { readonly code: number; readonly shown: string };
}
