/**
 * What was created lately.
 *
 * Premise: lists may be copies that lag behind, so that the next run does not find in them what this one has created; and between
 * an answer of the service and the state of Pulumi's engine lies a crash, after which no state knows of the object.
 * Form: a file beside the journal, a line for each object, kept for a day. A line that was torn was not written; losing it costs
 * no more than not having it.
 */
import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isJsonObject, type Json } from "../../model/json.ts";
import { writeAtomically } from "./atomic-write.ts";
import type { OpenIntent } from "./intent.ts";

/** For how long it is looked for. Milliseconds. */
const RETENTION = 24 * 60 * 60_000;

/** An object that some run has created, and the intent that it did so by. */
export interface CreatedObject extends Pick<OpenIntent, "id" | "url" | "kind" | "scope" | "key" | "payload" | "at"> {
  /** Id of the object. */
  readonly made: string;
}

export function toCreatedObject({ id, url, kind, scope, key, payload, at }: OpenIntent, made: string): CreatedObject {
  return { id, url, kind, scope, key, payload, at, made };
}

/** Whether anybody still looks for it. `now` in milliseconds since 1970. */
export function isRecent({ at }: CreatedObject, now: number): boolean {
  return now - at < RETENTION;
}

/** Where what was created is kept, beside the journal at a path. */
export function recentCreatesPath(journal: string): string {
  return `${journal.replace(/\.journal$/u, "")}.created`;
}

/** What is remembered at a path; nothing where that cannot be told. Never rejects. */
export async function readRecentCreates(path: string): Promise<readonly CreatedObject[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").flatMap((one) => parseCreate(one) ?? []);
}

/**
 * Remembers what was created. `before` is what is remembered already: what nobody looks for any more is dropped once it is most
 * of it. @throws where the file cannot be written
 */
export async function saveRecentCreates(
  path: string,
  before: readonly CreatedObject[],
  added: readonly CreatedObject[],
): Promise<void> {
  const newest = added.reduce((latest, { at }) => Math.max(latest, at), 0);
  const kept = before.filter((one) => isRecent(one, newest));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
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
