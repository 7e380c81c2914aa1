import { execFileSync } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { Journal } from "../../../../src/apply/journal/journal.ts";
import { readJournal } from "../../../../src/apply/journal/records.ts";
import { INTENT, journalPath, opened } from "../journals.ts";

const keysOf = (journal: Journal): readonly string[] => journal.open().map(({ key }) => key);

it("the journal keeps every other record, no matter at which byte one is torn", async () => {
  const path = await journalPath();
  const journal = await opened(path);
  await journal.begin({ ...INTENT, key: "a.com" });
  const whole = await readFile(path);
  await journal.begin({ ...INTENT, key: "b.com" });
  const both = await readFile(path);
  for (let length = whole.length; length <= both.length; length += 1) {
    await writeFile(path, both.subarray(0, length));
    // The last byte is only the end of the line.
    const expected = length >= both.length - 1 ? ["a.com", "b.com"] : ["a.com"];
    const again = await opened(path);
    expect(keysOf(again), `cut at ${String(length)}`).toEqual(expected);
    await again.begin({ ...INTENT, key: "c.com" });
    expect(
      (await readJournal(path)).map(({ key }) => key),
      `cut at ${String(length)}`,
    ).toEqual([...expected, "c.com"]);
  }
});

it("the journal rejects an intent that a full disk does not store completely, and ignores its first half later", async () => {
  const path = await journalPath();
  const before = await (await opened(path)).begin({ ...INTENT, key: "a.com" });
  const module = new URL("../../../../src/apply/journal/journal.ts", import.meta.url).pathname;
  const script = `
    const { createJiti } = await import(${JSON.stringify(import.meta.resolve("jiti"))});
    const { openJournal } = await createJiti(${JSON.stringify(module)}).import(${JSON.stringify(module)});
    const journal = await openJournal(${JSON.stringify(path)}, () => Promise.resolve(true));
    const big = { ...${JSON.stringify(INTENT)}, key: "b.com", known: Array(200).fill("0190aa11-0000-4000-8000-00000000000a") };
    await journal.begin(big).catch((error) => console.log(error.code, journal.open().length));
    await journal.close(${JSON.stringify(before.id)}, "done " + "x".repeat(5000));
    console.log(journal.open().length);`;
  // The kernel takes what fits and refuses the rest, as a full disk does. jiti's cache would be a file as well.
  const node = `JITI_FS_CACHE=false '${process.execPath}' --input-type=module -e "$SCRIPT"`;
  const printed = execFileSync("bash", ["-c", `ulimit -f 2; ${node}`], {
    env: { ...process.env, SCRIPT: script },
    encoding: "utf8",
  });
  expect(printed).toBe("EFBIG 1\n1\n");
  expect((await stat(path)).size).toBe(2048);
  const after = await opened(path);
  expect(keysOf(after)).toEqual(["a.com"]);
  await after.begin({ ...INTENT, key: "c.com" });
  expect((await readJournal(path)).map(({ key }) => key)).toEqual(["a.com", "c.com"]);
});
