import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openJournal, readJournal, type Intent, type Journal } from "../../../src/apply/journal.ts";

const INTENT: Intent = {
  url: "https://a",
  kind: "domain",
  scope: { organization_id: "o" },
  key: "a.com",
  payload: "sha256:0",
  known: ["x"],
  at: 7,
};

async function journalPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-journal-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "state", "a.journal");
}

/** Closed when the test ends. */
async function opened(...given: Parameters<typeof openJournal>): Promise<Journal> {
  const journal = await openJournal(...given);
  onTestFinished(() => journal.close());
  return journal;
}

const keysOf = (journal: { readonly open: () => readonly Intent[] }): readonly string[] =>
  journal.open().map(({ key }) => key);

describe("the journal", () => {
  it("has an intent on disk before begin returns, and only for its owner's eyes", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    const { id } = await journal.begin(INTENT);
    expect(await readJournal(path)).toEqual([{ ...INTENT, id }]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
  });

  it("shows the open intents of earlier runs, the oldest first, and only those", async () => {
    const path = await journalPath();
    const first = await opened(path);
    const settled = await first.begin({ ...INTENT, key: "settled.com" });
    await first.begin({ ...INTENT, key: "a.com" });
    await first.begin({ ...INTENT, key: "b.com" });
    await first.settle(settled.id, "id-1");
    const again = await opened(path);
    expect(keysOf(again)).toEqual(["a.com", "b.com"]);
    await again.begin({ ...INTENT, key: "c.com" });
    expect(keysOf(await opened(path))).toEqual(["a.com", "b.com", "c.com"]);
  });

  it("only ever appends", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    let before = "";
    for (const key of ["a.com", "b.com"]) {
      const { id } = await journal.begin({ ...INTENT, key });
      if (key === "a.com") await journal.settle(id, "done");
      const text = await readFile(path, "utf8");
      expect(text.startsWith(before)).toBe(true);
      before = text;
    }
  });

  it("is removed when no intent is open, and kept when one is", async () => {
    const path = await journalPath();
    const first = await opened(path);
    const { id } = await first.begin(INTENT);
    await first.close();
    expect(existsSync(path)).toBe(true);
    const second = await opened(path);
    await second.settle(id, "done");
    await second.close();
    expect(existsSync(path)).toBe(false);
    expect(await readJournal(path)).toEqual([]);
  });

  it("keeps every record that was made before, wherever the last one was torn, and the one after it", async () => {
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

  it("takes no record whose checksum is wrong", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    await journal.begin({ ...INTENT, key: "a.com" });
    await journal.begin({ ...INTENT, key: "b.com" });
    await writeFile(path, (await readFile(path, "utf8")).replace('"a.com"', '"z.com"'));
    expect((await readJournal(path)).map(({ key }) => key)).toEqual(["b.com"]);
  });

  it("leaves lines alone that it does not know: blank ones, rubbish, and records of a later version", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    await journal.begin(INTENT);
    const own = await readFile(path, "utf8");
    const { createHash } = await import("node:crypto");
    const later = JSON.stringify({ type: "lease", id: "l" });
    const sum = createHash("sha256").update(later).digest("hex").slice(0, 16);
    await writeFile(path, `\n\nrubbish\n${own}\n${sum} ${later}\n{"type":"begin"}\n`);
    expect((await readJournal(path)).map(({ key }) => key)).toEqual(["a.com"]);
  });

  it("writes records that come at once each whole, and resolves none before it is on disk", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    const keys = Array.from({ length: 64 }, (_, index) => `${String(index)}.com`);
    await Promise.all(
      keys.map(async (key) => {
        const { id } = await journal.begin({ ...INTENT, key });
        expect((await readJournal(path)).some((intent) => intent.id === id)).toBe(true);
      }),
    );
    expect((await readJournal(path)).map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  });

  it("rejects an intent that a full disk does not take whole, and the half that it took does no harm later", async () => {
    const path = await journalPath();
    const before = await (await opened(path)).begin({ ...INTENT, key: "a.com" });
    const module = new URL("../../../src/apply/journal.ts", import.meta.url).pathname;
    const script = `
      const { createJiti } = await import(${JSON.stringify(import.meta.resolve("jiti"))});
      const { openJournal } = await createJiti(${JSON.stringify(module)}).import(${JSON.stringify(module)});
      const journal = await openJournal(${JSON.stringify(path)});
      const big = { ...${JSON.stringify(INTENT)}, key: "b.com", known: Array(200).fill("0190aa11-0000-4000-8000-00000000000a") };
      await journal.begin(big).catch((error) => console.log(error.code, journal.open().length));
      await journal.settle(${JSON.stringify(before.id)}, "done " + "x".repeat(5000));
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

  it("rejects an intent once another run has taken the lock over, and leaves that run's file alone", async () => {
    const path = await journalPath();
    let held = true;
    const journal = await opened(path, () => Promise.resolve(held));
    const { id } = await journal.begin(INTENT);
    held = false;
    await expect(journal.begin(INTENT)).rejects.toThrow("taken over");
    await journal.settle(id, "done");
    await journal.close();
    expect(existsSync(path)).toBe(true);
  });

  it("cannot be opened in a folder that cannot be written", async () => {
    const path = await journalPath();
    await writeFile(join(path, "..", "..", "file"), "");
    await expect(opened(join(path, "..", "..", "file", "a.journal"))).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});
