import { safeLine } from "../report/escape.ts";
import type { Runtime } from "./runtime.ts";

/** Whether `--progress json` is among the words as they were given: stderr is for a program then. */
export function wantsJsonLines(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  return own.some((arg, index) => arg === "--progress=json" || (arg === "--progress" && own[index + 1] === "json"));
}

/** Writes one event as a line of JSON. What is in it has to be without secrets by now. */
export function writeEvent({ raw }: Pick<Runtime, "raw">, event: string, data: object): void {
  raw("stderr", `${safeLine({ type: "driftline.progress", schema_version: 1, event, ...data })}\n`);
}

/** The same world, every line on stderr a line of JSON: what is said in words is an event of its own. */
export function asJsonLines(runtime: Runtime): Runtime {
  const err = (text: string): void => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    for (const line of lines) writeEvent(runtime, "message", { text: runtime.redactor.text(line) });
  };
  return { ...runtime, err, lines: true };
}
