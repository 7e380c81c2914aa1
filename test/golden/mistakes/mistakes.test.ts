/** What people read after a common mistake, on a terminal of 80 columns. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../../src/emulator/index.ts";
import { cli, envOf } from "../../support/cli.ts";
import { SEED } from "../../support/workspace.ts";
import { MISTAKES, type Mistake } from "./rows.ts";

const GOLDEN = join(import.meta.dirname, "mistakes.txt");

interface Result {
  readonly code: number;
  readonly sent: number;
  readonly text: string;
}

let emulator: Emulator;
let folder: string;
const results = new Map<string, Result>();

async function run({ name, args, files, env }: Mistake): Promise<Result> {
  const cwd = join(folder, name.replaceAll(/\W+/gu, "-"));
  await mkdir(cwd);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, file)), { recursive: true });
    await writeFile(join(cwd, file), text);
  }
  emulator.clearRequests();
  const { code, stdout, stderr } = await cli(args, {
    cwd,
    env: { ...envOf(emulator, join(cwd, "state")), ...env },
    runtime: { errColumns: 80 },
  });
  const lines = ["", `## ${name}`, "", `$ driftline ${args.join(" ")}`, stdout + stderr + `exit code ${String(code)}`];
  return {
    code,
    sent: emulator.requests.length,
    text: `${lines.join("\n")}\n`.replaceAll(emulator.url, "http://localhost:PORT"),
  };
}

beforeAll(async () => {
  emulator = await startEmulator({ seed: SEED });
  folder = await mkdtemp(join(tmpdir(), "driftline-mistakes-"));
  for (const mistake of MISTAKES) results.set(mistake.name, await run(mistake));
});

afterAll(async () => {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a common mistake", () => {
  it("is one of at least 60, each with its own name", () => {
    expect(new Set(MISTAKES.map(({ name }) => name)).size).toBe(MISTAKES.length);
    expect(MISTAKES.length).toBeGreaterThanOrEqual(60);
  });

  it.each(MISTAKES.map((mistake): [string, Mistake] => [mistake.name, mistake]))("%s", (name, { code, sends }) => {
    expect(results.get(name)?.code).toBe(code);
    if (sends === undefined) expect(results.get(name)?.sent).toBe(0);
  });

  it("gets a message that says what was expected, and a way out", async () => {
    const text = [...results.values()].map((result) => result.text).join("");
    await expect(text).toMatchFileSnapshot(GOLDEN);
  });
});
