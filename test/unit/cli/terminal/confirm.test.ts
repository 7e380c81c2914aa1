import { describe, expect, it } from "vitest";
import { confirm } from "../../../../src/cli/terminal/confirm.ts";
import type { Runtime } from "../../../../src/cli/runtime.ts";

/** The lines of a question on a terminal with this many columns. */
async function asked(question: string, errColumns?: number): Promise<readonly string[]> {
  let shown = "";
  const ask = (text: string): Promise<string> => {
    shown = text;
    return Promise.resolve("yes");
  };
  const runtime: Pick<Runtime, "ask" | "errColumns"> = { ask, errColumns };
  expect(await confirm(runtime as Runtime, question)).toBe(true);
  return shown.split("\n");
}

const LONG = "Apply 20 changes to https://analytics.example.com/below/a/long/path and its projects";

describe("a question", () => {
  it("is one line where it fits with its answer, and where no width is known", async () => {
    expect(await asked("Apply 1 change", 80)).toHaveLength(1);
    expect(await asked(LONG)).toHaveLength(1);
  });

  it("has what to type on a line of its own where both do not fit, and is broken between words only", async () => {
    const lines = await asked(LONG, 60);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
    expect(lines.slice(0, -1).join(" ")).toBe(`${LONG}?`);
    expect(lines.at(-1)).toContain('"yes"');
  });
});
