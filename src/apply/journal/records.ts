/**
 * The two files that creates leave on disk: the records of the journal, and the objects that were created recently.
 *
 * Premise of the second file: a list may come from a lagging replica, so the next run may not find the objects of this one in
 * it. And if Pulumi crashes between the answer of the service and the write of its state, the state does not contain the object.
 * Form: a journal has one record per line, each with a checksum and on a new line. What a failed write leaves is a line
 * without a valid checksum, which is ignored. The other file has one line per object. It counts for a day, and is dropped
 * later. An incomplete line is ignored.
 */
import { createHash } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isJsonObject, type Json } from "../../model/json.ts";
import { writeAtomically } from "../../files/atomic-write.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { OpenIntent } from "./intents.ts";

/** Lists the open intents of a journal. The file may be missing, and another process may be writing to it. */
export async function readJournal(path: string): Promise<readonly OpenIntent[]> {
  return [...(await readRecords(path)).open.values()];
}

/** The state that earlier runs left behind, for commands that only read it. */
export interface PriorRunState {
  /** Intents whose outcome is unknown. */
  readonly intents: readonly OpenIntent[];
  /** Objects that were created recently. */
  readonly created: readonly CreatedObject[];
}

/**
 * Reads the journal at a path; one that cannot be read counts as empty. Another process may be writing to it. Never
 * rejects.
 */
export async function readPriorRunState(path: string): Promise<PriorRunState> {
  const { open: intents, created } = await readRecords(path).catch(() => ({
    open: new Map<string, OpenIntent>(),
    created: [],
  }));
  return {
    intents: [...intents.values()],
    created: [...(await readRecentCreates(recentCreatesPath(path))), ...created],
  };
}

/** A record of a journal. */
type JournalRecord =
  | ({ readonly type: "begin" } & OpenIntent)
  | { readonly type: "settle"; readonly id: string; readonly made: string | null };

/** The state that the records of a journal describe. */
interface JournalContent {
  readonly open: Map<string, OpenIntent>;
  readonly created: CreatedObject[];
}

/**
 * Reads the journal at a path; a missing file is empty. Record types of later versions are ignored. @throws if it
 * cannot be read
 */
export async function readRecords(path: string): Promise<JournalContent> {
  const content: JournalContent = { open: new Map(), created: [] };
  for (const record of parseRecords(await readFile(path, "utf8").catch(ifMissing))) {
    if (record.type === "begin") {
      const { type: _type, ...intent } = record;
      content.open.set(intent.id, intent);
    } else if (record.type === "settle") closeIntent(content, record.id, record.made);
  }
  return content;
}

/** Closes an intent. If it created an object, that is kept. `createdId` may come from a file, so its type is checked. */
export function closeIntent({ open: intents, created }: JournalContent, id: string, createdId: string | null): void {
  const intent = intents.get(id);
  intents.delete(id);
  if (intent !== undefined && typeof createdId === "string") created.push(toCreatedObject(intent, createdId));
}

/** Returns a record as the text that is appended to a journal. */
export function formatRecord(record: JournalRecord): string {
  const text = JSON.stringify(record);
  return `\n${checksum(text)} ${text}\n`;
}

function parseRecords(text: string): readonly JournalRecord[] {
  const lines = text.split("\n").map((one) => ({ sum: one.slice(0, 16), body: one.slice(17) }));
  return lines
    .filter(({ sum, body }) => body !== "" && checksum(body) === sum)
    .map(({ body }) => JSON.parse(body) as JournalRecord);
}

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function ifMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}

/** How long an object counts as recently created. Milliseconds. */
const RETENTION = 24 * 60 * 60_000;

/** An object that a run has created, with the main fields of its intent: `id` is that of the intent, `scope` its path. */
export interface CreatedObject extends Pick<
  OpenIntent,
  "id" | "url" | "kind" | "scope" | "key" | "payload" | "replaces" | "at"
> {
  /** Id of the object. */
  readonly made: string;
}

export function toCreatedObject(intent: OpenIntent, made: string): CreatedObject {
  const { id, url, kind, scope, key, payload, replaces, at } = intent;
  return { id, url, kind, scope, key, payload, ...(replaces === undefined ? {} : { replaces }), at, made };
}

/** Whether an object was created recently. `now` in milliseconds since 1970. */
export function isRecent({ at }: CreatedObject, now: number): boolean {
  return now - at < RETENTION;
}

/** The path of the file of recent creates, beside the journal at the given path. */
export function recentCreatesPath(journal: string): string {
  return `${journal.replace(/\.journal$/u, "")}.created`;
}

/** Reads the recent creates at a path; a file that cannot be read counts as empty. Never rejects. */
export async function readRecentCreates(path: string): Promise<readonly CreatedObject[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").flatMap((one) => parseCreate(one) ?? []);
}

/**
 * Adds recent creates to the file. `before` is its current content: expired entries are dropped once they are the
 * majority.
 * @throws if the file cannot be written
 */
export async function saveRecentCreates(
  path: string,
  before: readonly CreatedObject[],
  added: readonly CreatedObject[],
): Promise<void> {
  const newest = added.reduce((latest, { at }) => Math.max(latest, at), 0);
  const kept = before.filter((one) => isRecent(one, newest));
  await makeFolder(dirname(path), 0o700);
  if (kept.length < before.length / 2) {
    return writeAtomically(path, [...kept, ...added].map(formatCreate).join(""));
  }
  const file = await open(path, "a", 0o600);
  try {
    await file.appendFile(added.map(formatCreate).join(""));
    await file.sync();
  } finally {
    await file.close();
  }
}

function formatCreate(creation: CreatedObject): string {
  return `\n${JSON.stringify(creation)}\n`;
}

function parseCreate(text: string): CreatedObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    const isOne = isJsonObject(value) && isJsonObject(value["scope"]) && typeof value["made"] === "string";
    return isOne ? (value as unknown as CreatedObject) : undefined;
  } catch {
    return undefined;
  }
}
