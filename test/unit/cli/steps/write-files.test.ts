import { mkdtemp, readFile, rm, writeFile as write } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/api/limits/clock.ts";
import type { Runtime } from "../../../../src/cli/runtime.ts";
import { writeFiles } from "../../../../src/cli/steps/write-files.ts";

const BEFORE = "a: 1\n";
const NAMES = ["a.yaml", "b.yaml", "c.yaml", "d.yaml"];

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "driftline-write-"));
  for (const name of NAMES) await write(join(folder, name), BEFORE);
});
afterEach(() => rm(folder, { recursive: true }));

/** What is asked, and the first letters of the files that are written. `^C` interrupts the run. */
async function answered(...answers: readonly string[]) {
  const questions: string[] = [];
  const left = [...answers];
  const controller = new AbortController();
  const ask = (question: string): Promise<string | undefined> => {
    questions.push(question);
    const answer = left.shift();
    if (answer === "^C") controller.abort();
    return Promise.resolve(answer === "^C" ? undefined : answer);
  };
  const some: Partial<Runtime> = {
    ask,
    err: () => undefined,
    color: { stdout: false, stderr: false },
    clock: systemClock,
    signal: controller.signal,
  };
  const files = NAMES.map((file) => ({ file, path: join(folder, file), before: BEFORE, after: "a: 2\n", edits: [] }));
  const options = { describe: () => "Wrote it", print: () => undefined };
  const written = await writeFiles(some as Runtime, files, options);
  const texts = await Promise.all(NAMES.map((name) => readFile(join(folder, name), "utf8")));
  const changed = NAMES.filter((_, index) => texts[index] !== BEFORE);
  expect(written.map(({ file }) => file)).toEqual(changed);
  expect(left).toEqual([]);
  return { questions, changed: changed.map((name) => name.charAt(0)).join("") };
}

describe("the question for each of several files", () => {
  it.each<[readonly string[], string]>([
    [["all"], "abcd"],
    [["no", "All"], "bcd"],
    [["yes", "quit"], "a"],
    [["^C"], ""],
    [["yes", "^C"], "a"],
    [["", "yes", "no", "y"], "bd"],
    // What is none of the answers is asked once more. For the last file there is no rest.
    [["sure", "all"], "abcd"],
    [["sure", "?", "quit"], ""],
    [["no", "no", "no", "all", "all"], ""],
  ])("answered with %j writes %j", async (answers, expected) => {
    expect((await answered(...answers)).changed).toBe(expected);
  });

  it("says how many files are the rest", async () => {
    const { questions } = await answered("no", "no", "no", "no");
    expect(questions.map((question) => /next (?:\d+ )?files?/u.exec(question)?.[0])).toEqual([
      "next 3 files",
      "next 2 files",
      "next file",
      undefined,
    ]);
  });
});

describe("what was written without a question of its own", () => {
  async function said(verbose: boolean, change?: number): Promise<readonly string[]> {
    const lines: string[] = [];
    const some: Partial<Runtime> = { clock: systemClock, signal: new AbortController().signal };
    const names = Array.from({ length: 12 }, (_, index) => `${String(index)}.yaml`);
    for (const name of names) await write(join(folder, name), BEFORE);
    const files = names.map((file, index) => ({
      file,
      path: join(folder, file),
      before: BEFORE,
      after: index === 3 ? undefined : "a: 2\n",
      edits: [],
    }));
    if (change !== undefined) await write(join(folder, `${String(change)}.yaml`), "b: 1\n");
    const describeFile = ({ file, after }: { readonly file: string; readonly after: string | undefined }): string =>
      `${after === undefined ? "Removed" : "Wrote"} ${file}`;
    const options = {
      yes: true,
      verbose,
      describe: describeFile,
      print: (text: string) => void lines.push(text.trim()),
    };
    await writeFiles(some as Runtime, files, options).catch(() => lines.push("failed"));
    return lines;
  }

  it("is one line for more than ten files that are alike, and one each with --verbose", async () => {
    expect(await said(false)).toEqual(["Wrote 11 files.", "Removed 3.yaml."]);
    expect(await said(true)).toHaveLength(12);
  });

  it("is said also if a file changed meanwhile", async () => {
    expect(await said(false, 2)).toEqual(["Wrote 0.yaml.", "Wrote 1.yaml.", "failed"]);
  });
});
