/** The format of a journal: each line holds a checksum and one record. A record always starts on a new line. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { toCreatedObject, type CreatedObject } from "./recent-creates.ts";
import type { OpenIntent } from "./intent.ts";

export type JournalRecord =
  | ({ readonly type: "begin" } & OpenIntent)
  | { readonly type: "settle"; readonly id: string; readonly made: string | null };

/** The state that the records of a journal describe. */
export interface JournalContent {
  readonly open: Map<string, OpenIntent>;
  readonly created: CreatedObject[];
}

/**
 * Reads the journal at a path; a missing file is empty. Record types of later versions are ignored. @throws if it
 * cannot be read
 */
export async function readRecords(path: string): Promise<JournalContent> {
  const intents = new Map<string, OpenIntent>();
  const created: CreatedObject[] = [];
  for (const record of parseRecords(await readFile(path, "utf8").catch(ifMissing))) {
    if (record.type === "begin") {
      const { type: _type, ...intent } = record;
      intents.set(intent.id, intent);
    } else if (record.type === "settle") {
      const intent = intents.get(record.id);
      intents.delete(record.id);
      if (intent !== undefined && typeof record.made === "string") created.push(toCreatedObject(intent, record.made));
    }
  }
  return { open: intents, created };
}

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
