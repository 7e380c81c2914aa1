import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Intent } from "../../../src/apply/journal/intents.ts";
import { openJournal, type Journal } from "../../../src/apply/journal/journal.ts";

export const INTENT: Intent = {
  url: "https://a",
  kind: "domain",
  scope: { organization_id: "o" },
  key: "a.com",
  payload: "sha256:0",
  known: ["x"],
  at: 7,
};

/** Where a journal may be, in a folder that is not there yet; both go with the test. */
export async function journalPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-journal-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "state", "a.journal");
}

/** Closed when the test ends. */
export async function opened(path: string, isHeld = () => Promise.resolve(true)): Promise<Journal> {
  const journal = await openJournal(path, isHeld);
  onTestFinished(() => journal.release());
  return journal;
}

/** The prototype of all open files: a spy on it sees the calls of each. */
export async function fileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(tmpdir());
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

/** Returns how often `work` syncs a file. */
export async function syncs(work: () => Promise<void>): Promise<number> {
  const sync = vi.spyOn(await fileHandlePrototype(), "sync");
  onTestFinished(() => sync.mockRestore());
  await work();
  return sync.mock.calls.length;
}
