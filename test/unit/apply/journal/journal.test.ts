import { createHash } from "node:crypto";
import { mkdir, readFile, rm, stat, writeFile, type FileHandle } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { OpenIntent } from "../../../../src/apply/journal/intents.ts";
import { recentCreatesPath, toCreatedObject, readRecentCreates } from "../../../../src/apply/journal/recent-creates.ts";
import { formatRecord, readPriorRunState, readJournal } from "../../../../src/apply/journal/records.ts";
import { noJournal } from "../../../../src/apply/journal/journal.ts";
import { fileHandlePrototype, INTENT, journalPath, opened } from "../journals.ts";

const keysOf = (journal: { readonly open: () => readonly OpenIntent[] }): readonly string[] =>
  journal.open().map(({ key }) => key);

describe("the journal", () => {
  it("has an intent on disk before begin returns, in a file that only its owner can read", async () => {
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
    await first.close(settled.id, "id-1");
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
      if (key === "a.com") await journal.close(id, "done");
      const text = await readFile(path, "utf8");
      expect(text.startsWith(before)).toBe(true);
      before = text;
    }
  });

  it("is removed when no intent is open, and kept when one is", async () => {
    const path = await journalPath();
    const first = await opened(path);
    const { id } = await first.begin(INTENT);
    await first.release();
    expect(existsSync(path)).toBe(true);
    const second = await opened(path);
    await second.close(id, "done");
    await second.release();
    expect(existsSync(path)).toBe(false);
    expect(await readJournal(path)).toEqual([]);
  });

  it.each<[string, (whole: number, both: number) => number, readonly string[]]>([
    ["at its begin", (whole) => whole, ["a.com"]],
    ["after its first line break", (whole) => whole + 1, ["a.com"]],
    ["in its checksum", (whole) => whole + 9, ["a.com"]],
    ["after its checksum", (whole) => whole + 17, ["a.com"]],
    ["in its text", (whole, both) => Math.round((whole + both) / 2), ["a.com"]],
    ["before its last character", (_whole, both) => both - 2, ["a.com"]],
    ["before the end of its line", (_whole, both) => both - 1, ["a.com", "b.com"]],
  ])("keeps the records before and after a record that is torn %s", async (_name, cut, kept) => {
    const path = await journalPath();
    const journal = await opened(path);
    await journal.begin({ ...INTENT, key: "a.com" });
    const whole = await readFile(path);
    await journal.begin({ ...INTENT, key: "b.com" });
    const both = await readFile(path);
    await writeFile(path, both.subarray(0, cut(whole.length, both.length)));
    const again = await opened(path);
    expect(keysOf(again)).toEqual(kept);
    await again.begin({ ...INTENT, key: "c.com" });
    expect((await readJournal(path)).map(({ key }) => key)).toEqual([...kept, "c.com"]);
  });

  it("ignores a record whose checksum is wrong", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    await journal.begin({ ...INTENT, key: "a.com" });
    await journal.begin({ ...INTENT, key: "b.com" });
    await writeFile(path, (await readFile(path, "utf8")).replace('"a.com"', '"z.com"'));
    expect((await readJournal(path)).map(({ key }) => key)).toEqual(["b.com"]);
  });

  it("ignores unknown lines: blank ones, garbage, and records of a later version", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    const { id } = await journal.begin(INTENT);
    const own = await readFile(path, "utf8");
    const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
    const later = JSON.stringify({ type: "lease", id });
    await writeFile(path, `\n\nrubbish\n${own}\n${sumOf(later)} ${later}\n{"type":"begin"}\n${sumOf("")}\n`);
    expect((await readJournal(path)).map(({ key }) => key)).toEqual(["a.com"]);
  });

  it("writes concurrent records completely, and resolves none before it is on disk", async () => {
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
    const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
    // One has the ids that all of them know.
    expect(lines).toHaveLength(1 + 64);
    for (const line of lines) expect(line).toMatch(/^[0-9a-f]{16} \{.*\}$/u);
  });

  it("has the ids of a list once, and those of a list that is lost are not known", async () => {
    const path = await journalPath();
    for (const key of ["a.com", "b.com"]) await (await opened(path)).begin({ ...INTENT, key, known: ["x", "y"] });
    const journal = await opened(path);
    await journal.begin({ ...INTENT, key: "c.com", known: ["x", "z"] });
    const knownIn = async (): Promise<readonly unknown[]> => (await readJournal(path)).map(({ known }) => known);
    expect(await knownIn()).toEqual([
      ["x", "y"],
      ["x", "y"],
      ["x", "z"],
    ]);
    const text = await readFile(path, "utf8");
    expect(text.match(/"y"/gu)).toHaveLength(1);
    await writeFile(path, text.replace('"y"', '"w"'));
    expect(await knownIn()).toEqual([undefined, undefined, ["x", "z"]]);
  });

  it("of an older version has the ids in each intent", async () => {
    const path = await journalPath();
    await opened(path);
    await writeFile(path, formatRecord({ type: "begin", ...INTENT, id: "i" }));
    expect(await readJournal(path)).toEqual([{ ...INTENT, id: "i" }]);
  });

  it("syncs its folder before the first write, and writes waiting records together", async () => {
    const path = await journalPath();
    const sync = vi.spyOn(await fileHandlePrototype(), "sync");
    onTestFinished(() => sync.mockRestore());
    const journal = await opened(path);
    // The folder's, which is closed again.
    expect(sync.mock.contexts.map((file) => (file as FileHandle).fd)).toEqual([-1]);
    await Promise.all(Array.from({ length: 64 }, () => journal.begin(INTENT)));
    expect(sync.mock.calls.length).toBeLessThan(1 + 8);
    sync.mockClear();
    await journal.begin(INTENT);
    expect(sync).toHaveBeenCalledTimes(1);
  });

  it("opens even if its folder cannot be synced", async () => {
    const path = await journalPath();
    const sync = vi.spyOn(await fileHandlePrototype(), "sync").mockRejectedValueOnce(new Error("EINVAL"));
    onTestFinished(() => sync.mockRestore());
    const journal = await opened(path);
    expect(sync).toHaveBeenCalledTimes(1);
    await journal.begin(INTENT);
    expect(keysOf(journal)).toEqual(["a.com"]);
  });

  it("saves recent creates in a file beside it when it is closed, which only its owner can read", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    const made = await journal.begin(INTENT);
    await journal.close((await journal.begin({ ...INTENT, key: "b.com" })).id, null);
    await journal.close(made.id, "d-1");
    const { known: _known, ...kept } = INTENT;
    const creation = { ...kept, id: made.id, made: "d-1" };
    expect([journal.created(), (await readPriorRunState(path)).created]).toEqual([[creation], [creation]]);
    await journal.release();
    expect(existsSync(path)).toBe(false);
    expect((await readPriorRunState(path)).created).toEqual([creation]);
    expect((await stat(recentCreatesPath(path))).mode & 0o777).toBe(0o600);
    const next = await opened(path);
    await next.close((await next.begin({ ...INTENT, key: "c.com" })).id, "d-2");
    await next.release();
    expect((await readPriorRunState(path)).created.map((one) => one.made)).toEqual(["d-1", "d-2"]);
  });

  it("saves the creates of a run that crashed, and only once", async () => {
    const path = await journalPath();
    const crashed = await opened(path);
    await crashed.close((await crashed.begin(INTENT)).id, "d-1");
    const left = await crashed.begin({ ...INTENT, key: "b.com" });
    for (let run = 0; run < 2; run += 1) {
      const next = await opened(path);
      expect(next.created().map(({ made }) => made)).toContain("d-1");
      await next.release();
    }
    expect((await readJournal(path)).map(({ id }) => id)).toEqual([left.id]);
    expect((await readRecentCreates(recentCreatesPath(path))).map(({ made }) => made)).toEqual(["d-1"]);
  });

  it("keeps its own records of creates if the other file cannot be written", async () => {
    const path = await journalPath();
    await mkdir(recentCreatesPath(path), { recursive: true });
    const journal = await opened(path);
    await journal.close((await journal.begin(INTENT)).id, "d-1");
    await journal.release();
    expect((await readPriorRunState(path)).created.map(({ made }) => made)).toEqual(["d-1"]);
  });

  it("drops expired creates, and ignores torn and foreign lines", async () => {
    const path = await journalPath();
    await mkdir(join(path, ".."), { recursive: true });
    const creation = toCreatedObject({ ...INTENT, id: "i" }, "d-1");
    const lines = [creation, { ...creation, made: 7 }, { ...creation, scope: null }, 5].map((one) =>
      JSON.stringify(one),
    );
    await writeFile(recentCreatesPath(path), `${lines.join("\n")}\n${JSON.stringify(creation).slice(0, 40)}`);
    expect((await readPriorRunState(path)).created).toEqual([creation]);
    const journal = await opened(path);
    const at = INTENT.at + 24 * 60 * 60_000;
    await journal.close((await journal.begin({ ...INTENT, at })).id, "d-2");
    await journal.release();
    expect((await readPriorRunState(path)).created.map(({ made }) => made)).toEqual(["d-2"]);
  });

  it("rejects an intent that cannot be written, and leaves it open if its outcome cannot be written", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    const { id } = await journal.begin(INTENT);
    await journal.release();
    await expect(journal.begin(INTENT)).rejects.toThrowErrorMatchingSnapshot();
    await journal.close(id, "done");
    expect(keysOf(journal)).toEqual(["a.com"]);
    await journal.release();
    expect((await readJournal(path)).map((intent) => intent.id)).toEqual([id]);
  });

  it("that exists but cannot be read is an error, because it may hold intents", async () => {
    const path = await journalPath();
    await mkdir(path, { recursive: true });
    const unreadable = { diagnostics: [{ code: "journal_unreadable" }] };
    await expect(readJournal(path)).rejects.toMatchObject(unreadable);
    await expect(opened(path)).rejects.toMatchObject(unreadable);
  });

  it("that was removed in the meantime can still be closed", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    await rm(path);
    await journal.release();
  });

  it("that created nothing leaves no file behind", async () => {
    const path = await journalPath();
    const journal = await opened(path);
    await journal.close((await journal.begin(INTENT)).id, null);
    await journal.release();
    expect([existsSync(path), existsSync(recentCreatesPath(path))]).toEqual([false, false]);
  });

  it("ignores the outcome of an intent that it does not hold", async () => {
    const journal = await opened(await journalPath());
    await expect(journal.close("another", "d-1")).resolves.toBeUndefined();
    expect(journal.created()).toEqual([]);
  });

  it("is read for a plan: its open intents, or nothing if it cannot be read", async () => {
    const path = await journalPath();
    const begun = await (await opened(path)).begin(INTENT);
    expect(await readPriorRunState(path)).toEqual({ intents: [begun], created: [] });
    await rm(path);
    await mkdir(path);
    expect(await readPriorRunState(path)).toEqual({ intents: [], created: [] });
  });

  it("of a run that creates nothing has no intents and takes none", async () => {
    expect([noJournal.open(), noJournal.created()]).toEqual([[], []]);
    await expect(noJournal.begin(INTENT)).rejects.toThrowErrorMatchingSnapshot();
    await expect(noJournal.close("x", "done")).resolves.toBeUndefined();
    await expect(noJournal.release()).resolves.toBeUndefined();
  });

  it("rejects an intent once another run has taken over the lock, and leaves the file to that run", async () => {
    const path = await journalPath();
    let held = true;
    const journal = await opened(path, () => Promise.resolve(held));
    const { id } = await journal.begin(INTENT);
    held = false;
    await expect(journal.begin(INTENT)).rejects.toThrowErrorMatchingSnapshot();
    await journal.close(id, "done");
    await journal.release();
    expect(existsSync(path)).toBe(true);
  });

  it("cannot be opened in a folder that cannot be written", async () => {
    const path = await journalPath();
    await writeFile(join(path, "..", "..", "file"), "");
    await expect(opened(join(path, "..", "..", "file", "a.journal"))).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});
