import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { agreement, DENOMINATOR, replay } from "./replay/run.ts";
import { differences } from "./replay/compare.ts";
import { readRecording, RECORDING } from "./replay/recording.ts";
import type { Json } from "../../src/emulator/json.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the script like a developer. */
async function script(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const command = [
    fileURLToPath(new URL("../../node_modules/.bin/jiti", import.meta.url)),
    "scripts/replay.ts",
    ...args,
  ];
  const { stdout } = await promisify(execFile)(command[0] ?? "", command.slice(1), { cwd: root });
  return { code: 0, text: stdout };
}

describe("the replay script", () => {
  test("reports a missing recording and succeeds", async () => {
    const { text } = await script("no-such-recording.jsonl");
    expect(text).toMatch(/^There is no recording at .*no-such-recording\.jsonl: nothing was replayed\.$/m);
  });

  test.skipIf(!existsSync(RECORDING))(
    "prints the agreement over its denominator, and a reason for each exception",
    async () => {
      const { text } = await script();
      expect(text).toContain(`${DENOMINATOR} concern the interface`);
      expect(text).not.toContain("no reason is known");
    },
  );
});

/** Without a recording these tests are reported as skipped. */
describe.skipIf(!existsSync(RECORDING))("the deployed dialect and the recorded server", async () => {
  const exchanges = (await readRecording(RECORDING)) ?? [];

  test("agree on at least 95 % of the exchanges that concern the interface", async () => {
    const result = await replay(exchanges);
    expect(result.compared).toBe(DENOMINATOR);
    expect(agreement(result)).toBeGreaterThanOrEqual(95);
    expect(result.disagreements.filter(({ reason }) => reason === undefined)).toEqual([]);
    expect(result.needless).toEqual([]);
  });

  test("does not agree if the emulator has the other dialect, so the comparison detects differences", async () => {
    expect(agreement(await replay(exchanges, { dialect: "document" }))).toBeLessThan(70);
  });
});

describe("the comparison of answers", () => {
  const ok = (response: Json): { status: number; response: Json } => ({ status: 200, response });

  test.each<[string, Json, Json, readonly string[]]>([
    ["equal shapes", { a: 1, b: [{ c: "x" }] }, { a: 2, b: [{ c: "y" }, { c: "z" }] }, []],
    ["a missing key", { a: 1, b: 2 }, { a: 1 }, ["/b is missing"]],
    ["a key too much", { a: 1 }, { a: 1, b: 2 }, ["/b is too much"]],
    ["another type", { a: 1 }, { a: "1" }, ["/a is string instead of number"]],
    ["null in the place of a text", { a: "x" }, { a: null }, ["/a is null instead of string"]],
    ["another type in a list", { a: [{ b: true }] }, { a: [{ b: 1 }] }, ["/a[]/b is number instead of boolean"]],
    ["no rows in the place of some", { a: [{ b: true }] }, { a: [] }, []],
  ])("%s", (_name, recorded, given, expected) => {
    expect(differences(ok(recorded), ok(given))).toEqual(expected);
  });

  test("an error has its status, type, code and field compared", () => {
    const error = { type: "t", code: "c", detail: "d", attr: null };
    const recorded = { status: 400, response: error };
    expect(differences(recorded, { status: 404, response: error })).toEqual(["status 404 instead of 400"]);
    expect(differences(recorded, { status: 400, response: { ...error, detail: "other" } })).toEqual([]);
    expect(differences(recorded, { status: 400, response: { ...error, code: "e" } })).toEqual([
      "code is e instead of c",
    ]);
  });
});
