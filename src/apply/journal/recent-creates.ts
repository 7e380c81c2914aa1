/**
 * The file of the objects that runs have created recently.
 *
 * Premise: a list may come from a lagging replica, so the next run may not find the objects of this one in it. And if Pulumi
 * crashes between the answer of the service and the write of its state, the state does not contain the object.
 * Form: one line per object, of which the last one counts. It counts for a day, and is dropped later. An incomplete line is ignored.
 */
import { appendFile, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isJsonObject, type Json } from "../../model/json/json.ts";
import { writeAtomically } from "../../files/atomic-write.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { OpenIntent } from "./intents.ts";

/** How long an object counts as recently created. Milliseconds. */
const RETENTION = 24 * 60 * 60_000;

/** An object that a run has created, with the main fields of its intent: `id` is that of the intent, `scope` its path. */
export interface CreatedObject extends Pick<
  OpenIntent,
  "id" | "url" | "kind" | "scope" | "key" | "payload" | "replaces" | "owner" | "at"
> {
  /** Id of the object. */
  readonly made: string;
  /** Set once the state of the owner has the object: no run of the owner has to go on with it any more. */
  readonly stored?: boolean;
}

export function toCreatedObject(intent: OpenIntent, made: string): CreatedObject {
  const { id, url, kind, scope, key, payload, replaces, owner, at } = intent;
  return { id, url, kind, scope, key, payload, replaces, owner, at, made };
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
  return latestCreates(text.split("\n").flatMap((one) => parseCreate(one) ?? []));
}

/** Each create once, as it was recorded last. */
export function latestCreates(creates: readonly CreatedObject[]): readonly CreatedObject[] {
  return [...new Map(creates.map((one) => [`${one.id} ${one.made}`, one])).values()];
}

/**
 * Records that the states of their owners have these objects. Takes no lock, for it only adds. If that fails, or another run writes the
 * file anew at this moment, a later call records it again.
 */
export async function recordStored(path: string, creates: readonly CreatedObject[]): Promise<void> {
  if (creates.length === 0) return;
  const text = creates.map((one) => formatCreate({ ...one, stored: true })).join("");
  await appendFile(path, text, { mode: 0o600 }).catch(() => undefined);
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
  const newest = added.reduce((last, { at }) => Math.max(last, at), 0);
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
