/**
 * The records of a journal.
 *
 * Form: one record per line, each with a checksum and on a new line. What a failed write leaves is a line without a valid
 * checksum, which is ignored. The ids that a list had are one record, which comes before the intents that name it by its hash.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { engineError } from "../../model/engine-error.ts";
import { errorReason } from "../../model/text/error-reason.ts";
import type { OpenIntent } from "./intents.ts";
import {
  type CreatedObject,
  latestCreates,
  readRecentCreates,
  recentCreatesPath,
  toCreatedObject,
} from "./recent-creates.ts";

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
    created: latestCreates([...created, ...(await readRecentCreates(recentCreatesPath(path)))]),
  };
}

export type JournalRecord =
  | { readonly type: "list"; readonly hash: string; readonly ids: readonly string[] }
  /** Older journals have the ids in `known`. */
  | ({ readonly type: "begin"; readonly list?: string; readonly known?: OpenIntent["known"] } & Omit<
      OpenIntent,
      "known"
    >)
  | { readonly type: "answer"; readonly id: string; readonly made: string; readonly created: string }
  /** Closes an intent. */
  | { readonly type: "settle"; readonly id: string; readonly made: string | null };

/** The state that the records of a journal describe. */
interface JournalContent {
  /** Ids of the objects of a list, by their hash. */
  readonly lists: Map<string, readonly string[]>;
  readonly open: Map<string, OpenIntent>;
  readonly created: CreatedObject[];
}

/**
 * Reads the journal at a path; a missing file is empty. Record types of later versions are ignored.
 *
 * @throws EngineError `journal_unreadable` if it exists and cannot be read
 */
export async function readRecords(path: string): Promise<JournalContent> {
  const content: JournalContent = { lists: new Map(), open: new Map(), created: [] };
  for (const record of parseRecords(await readFile(path, "utf8").catch(emptyIfMissing))) addRecord(content, record);
  return content;
}

/** Adds a record to the state. It may come from a file, so not even its type is certain. */
export function addRecord({ lists, open, created }: JournalContent, record: JournalRecord): void {
  if (record.type === "list") lists.set(record.hash, record.ids);
  else if (record.type === "begin") {
    const { type: _type, list = "", known = lists.get(list), ...begun } = record;
    open.set(begun.id, { ...begun, known });
  }
  const intent = "id" in record ? open.get(record.id) : undefined;
  if (intent === undefined) return;
  if (record.type === "answer") open.set(intent.id, { ...intent, made: record.made, created: record.created });
  else if (record.type === "settle") {
    open.delete(intent.id);
    if (typeof record.made === "string") created.push(toCreatedObject(intent, record.made));
  }
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
  return hashOf(text).slice(0, 16);
}

/** The SHA-256 of a text. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  const hint = "It says which creates an earlier run began. Give this user access to it, then run this again.";
  throw engineError("failed", "journal_unreadable", `the journal cannot be read: ${errorReason(error)}`, hint);
}
