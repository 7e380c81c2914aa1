import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../../src/api/redact/redact.ts";
import { createOutput } from "../../../../src/cli/terminal/streams.ts";

/** Both streams of a terminal, whose screen has what was written to either. */
function terminal(prompt: (question: string) => Promise<string | undefined>) {
  let screen = "";
  const write = (text: string): void => void (screen += text);
  const stream = { isTTY: true, columns: 80, write } as const;
  const asked = (question: string): Promise<string | undefined> => {
    write(question);
    return prompt(question);
  };
  const output = createOutput(createRedactor(), {
    stdout: stream,
    stderr: stream,
    env: {},
    canAsk: true,
    prompt: asked,
  });
  const take = (): string => {
    const text = screen;
    screen = "";
    return text;
  };
  return { output, take };
}

const CLEAR = "\r\u001B[2K";

describe("a terminal", () => {
  it("replaces the status line by text", () => {
    const { output, take } = terminal(() => Promise.resolve(undefined));
    output.status?.("2 requests");
    output.out("result\n");
    expect(take()).toBe(`${CLEAR}2 requests${CLEAR}result\n`);
  });

  it("has no status line while a question stands, and may have one after the answer", async () => {
    const { output, take } = terminal((): Promise<string> => {
      output.status?.("3 requests");
      return Promise.resolve("yes");
    });
    output.status?.("2 requests");
    expect(await output.ask("Apply? ")).toBe("yes");
    expect(take()).toBe(`${CLEAR}2 requests${CLEAR}Apply? `);
    output.status?.("4 requests");
    expect(take()).toBe(`${CLEAR}4 requests`);
  });

  it("has a status line again after a question that failed", async () => {
    const { output, take } = terminal(() => Promise.reject(new Error("no answer")));
    await expect(output.ask("Apply? ")).rejects.toThrow("no answer");
    take();
    output.status?.("1 request");
    expect(take()).toBe(`${CLEAR}1 request`);
  });

  it.each([
    ["80", 80],
    ["", undefined],
    ["wide", undefined],
    ["0", undefined],
  ])("in a pipe, COLUMNS=%s is the width of stdout", (columns, expected) => {
    const pipe = { isTTY: false, columns: 0, write: () => true } as const;
    const output = createOutput(createRedactor(), {
      stdout: pipe,
      stderr: pipe,
      env: { COLUMNS: columns },
      canAsk: false,
      prompt: () => Promise.resolve(undefined),
    });
    expect([output.columns, output.errColumns]).toEqual([expected, undefined]);
  });
});
