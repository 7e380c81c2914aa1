/**
 * What a command writes, on the streams of its process.
 *
 * Premise: the status line, the text and a question share one terminal. Text replaces the status line, and while a question stands,
 * there is no status line: it would erase the question. Nothing that is printed is a command of the pipeline that runs driftline.
 */
import type { Redactor } from "../../api/redact/redact.ts";
import { withoutCommands } from "../../model/pipeline-commands.ts";
import { cut } from "../../model/text/quote.ts";
import { hasColor } from "./color.ts";
import type { Environment, Output } from "../runtime.ts";

/** The parts of a stream that are used. `columns` is undefined if it is not a terminal. */
export type OutputStream = Pick<NodeJS.WriteStream, "isTTY" | "columns"> & {
  readonly write: (text: string) => unknown;
};

/** The streams of a process, and how it asks. */
export interface Terminal extends Pick<Environment, "env"> {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether stdin is a terminal. */
  readonly canAsk: boolean;
  readonly prompt: Output["ask"];
}

export function createOutput(
  redactor: Redactor,
  { stdout, stderr, env, canAsk, prompt }: Terminal,
): Omit<Output, "onStop"> {
  const given = Number(env["COLUMNS"]);
  let shown = "";
  let isAsking = false;
  const status = (whole: string): void => {
    // A line that wraps could not be replaced. Some terminals say that they have no columns.
    const text = stderr.columns > 1 ? cut(whole, stderr.columns - 1) : whole;
    if (text === shown || isAsking) return;
    stderr.write(`\r\u001B[2K${text}`);
    shown = text;
  };
  const write = (stream: "stdout" | "stderr", text: string): void => {
    status("");
    (stream === "stdout" ? stdout : stderr).write(withoutCommands(text));
  };
  const ask: Output["ask"] = async (question, form) => {
    status("");
    isAsking = true;
    try {
      return await prompt(question, form);
    } finally {
      isAsking = false;
    }
  };
  return {
    terminal: stdout.isTTY,
    interactive: canAsk && stderr.isTTY,
    columns: stdout.isTTY ? stdout.columns : given > 0 ? given : undefined,
    errColumns: stderr.isTTY ? stderr.columns : undefined,
    color: { stdout: hasColor(env, stdout), stderr: hasColor(env, stderr) },
    out: (text) => write("stdout", redactor.text(text)),
    err: (text) => write("stderr", redactor.text(text)),
    raw: write,
    status: stderr.isTTY ? status : undefined,
    ask,
  };
}
