/**
 * Several writers of one file: what one of them has written is in the file in the end, or it was told that it is not.
 *
 * Algorithm: each writer prepares an edit of its own of the text that it has loaded, and writes it. Some load the file later than
 * others, an editor saves in between, and several write at the same moment.
 */
import { mkdtemp, readFile, readdir, rm, writeFile as write } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { editAt } from "./edit-at.ts";
import { systemClock } from "../../../src/api/limits/clock.ts";
import { textHash } from "../../../src/config/source/read.ts";
import { type PreparedFile, prepareEdits, writeFile } from "../../../src/edit/files.ts";
import { budget } from "../../support/budget.ts";

const FILE = "a.yaml";

/** What happens next: an editor saves, or some writers load the file, of which some write at once. The others write later. */
type Step = "save" | readonly boolean[];

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { arbitrary: fc.constant<Step>("save"), weight: 1 },
    { arbitrary: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), weight: 3 },
  ),
  { minLength: 1, maxLength: 4 },
);

async function prepare(folder: string, key: string): Promise<PreparedFile> {
  const text = await readFile(join(folder, FILE), "utf8");
  const edit = editAt(1, 1, { path: "", value: { [key]: 1 }, add: true }, FILE);
  const { files } = await prepareEdits(
    [edit],
    { fileHashes: new Map([[FILE, textHash(text)]]), included: new Map() },
    folder,
  );
  const [prepared] = files;
  if (prepared === undefined) throw new Error("nothing was prepared");
  return prepared;
}

it("no edit is lost that was reported as written, whoever else writes the file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "driftline-races-"));
  const path = join(folder, FILE);
  const run = async (all: readonly Step[]): Promise<void> => {
    await write(path, "acme:\n  name: Acme # ours\n");
    const kept: string[] = ["# ours"];
    const later: [string, PreparedFile][] = [];
    const writeAll = async (some: readonly [string, PreparedFile][]): Promise<void> => {
      const results = await Promise.allSettled(some.map(([, prepared]) => writeFile(prepared, systemClock)));
      for (const [index, result] of results.entries()) {
        if (result.status === "fulfilled") kept.push(`${some[index]?.[0] ?? ""}: 1`);
        else expect(result.reason).toMatchObject({ reason: "stale", diagnostics: [{ code: "file_changed" }] });
      }
    };
    for (const [index, step] of all.entries()) {
      if (step === "save") {
        await write(path, `${await readFile(path, "utf8")}# saved ${String(index)}\n`);
        kept.push(`# saved ${String(index)}`);
        continue;
      }
      const keys = step.map((_, number) => `k${String(index)}_${String(number)}`);
      const prepared = await Promise.all(keys.map(async (key) => [key, await prepare(folder, key)] as const));
      later.push(
        ...prepared.filter((_, number) => step[number] === false).map(([key, one]): [string, typeof one] => [key, one]),
      );
      await writeAll(prepared.filter((_, number) => step[number] === true).map(([key, one]) => [key, one]));
    }
    await writeAll(later);
    const text = await readFile(path, "utf8");
    for (const one of kept) expect(text).toContain(one);
    expect(await readdir(folder)).toEqual([FILE]);
  };
  try {
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: budget(300) });
  } finally {
    await rm(folder, { recursive: true });
  }
});
