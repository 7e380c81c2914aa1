/**
 * The lock that keeps two runs off one journal.
 *
 * Terms: a lock is stale where its owner has died, or has not refreshed it for {@link EXPIRY}.
 * Premise: giving a file a name that must not exist is the one thing that only one of several processes can do. Looking at a lock
 * and removing it is not, so that whoever removes another's lock could remove the lock of whoever was quicker.
 * Algorithm: create the lock, or, where there is a stale one, remove it under a second such file, the right to break locks;
 * under it the lock is looked at again. An owner that slept through the expiry finds out by its own text in the file.
 */
import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import type { JsonObject } from "../../model/json.ts";

/** A lock that nobody refreshed for this long belongs to nobody. Milliseconds. */
const EXPIRY = 10 * 60_000;
const REFRESH = 60_000;
/** The right to break a lock is used at once: whoever still has it after this long has died. Milliseconds. */
const RIGHT_EXPIRY = 60_000;

export interface Lock {
  /** Whether the lock is still this run's: a process that slept for long may have lost it to another. */
  readonly isHeld: () => Promise<boolean>;
  /** Never rejects. */
  readonly release: () => Promise<void>;
}

/** Somebody else is applying to the same service from this machine. */
export class LockedError extends Error {
  readonly hint: string;
  constructor(path: string, owner: string, expires: Date) {
    super(`another apply to this service is running (${owner})`);
    this.name = "LockedError";
    this.hint = `Wait for it to end; its lock expires at ${expires.toISOString()} if it has died. The lock is ${path}`;
  }
}

/** Takes the lock, or the one that a dead or expired owner has left. @throws LockedError */
export async function acquireLock(path: string, now: () => number): Promise<Lock> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const since = new Date(now()).toISOString();
  const text = JSON.stringify({ pid: process.pid, host: hostname(), since, token: randomUUID() });
  while (!(await createExclusively(path, text, now()))) await breakStale(path, now);
  const isHeld = (): Promise<boolean> =>
    readFile(path, "utf8").then(
      (found) => found === text,
      () => false,
    );
  const timer = setInterval(() => void refresh(path, isHeld, now), REFRESH);
  timer.unref();
  return {
    isHeld,
    release: async () => {
      clearInterval(timer);
      if (await isHeld()) await rm(path).catch(() => undefined);
    },
  };
}

/** False where the file is there already. It appears with all of its text, or a crash could leave a lock without an owner. */
async function createExclusively(path: string, text: string, now: number): Promise<boolean> {
  const draft = `${path}.${String(process.pid)}-${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await touch(draft, now);
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft).catch(() => undefined);
  }
}

function touch(path: string, now: number): Promise<void> {
  const seconds = now / 1000;
  return utimes(path, seconds, seconds);
}

/** Removes what another may have removed by now. */
function removeIfThere(path: string): Promise<void> {
  return rm(path, { force: true });
}

/** Removes a lock whose owner is gone; throws where it is not. */
async function breakStale(path: string, now: () => number): Promise<void> {
  await requireStale(path, now());
  const right = `${path}.break`;
  if (!(await createExclusively(right, String(process.pid), now()))) {
    const since = await stat(right).then(
      ({ mtimeMs }) => mtimeMs,
      () => now(),
    );
    if (now() >= since + RIGHT_EXPIRY) return removeIfThere(right);
    // Whoever has the right is about to have the lock as well.
    throw new LockedError(path, "it is taking over the lock of one that has died", new Date(since + RIGHT_EXPIRY));
  }
  try {
    if (await requireStale(path, now())) await removeIfThere(path);
  } finally {
    await removeIfThere(right);
  }
}

/** True for a stale lock, false where there is none by now. @throws LockedError where the owner is at work */
async function requireStale(path: string, now: number): Promise<boolean> {
  const [{ pid, host, since }, info] = await Promise.all([readOwner(path), stat(path).catch(() => undefined)]);
  if (info === undefined) return false;
  const expires = info.mtimeMs + EXPIRY;
  if (now >= expires || (host === hostname() && pid !== undefined && !isAlive(pid))) return true;
  const process = pid === undefined ? "a process" : `process ${String(pid)}`;
  const owner = `${process} on ${host ?? "an unknown host"}, since ${since ?? "an unknown time"}`;
  throw new LockedError(path, owner, new Date(expires));
}

interface Owner {
  readonly pid?: number | undefined;
  readonly host?: string | undefined;
  readonly since?: string | undefined;
}

/** Whoever cannot be told from the text of a lock is somebody: nobody's lock is broken before it expires. */
async function readOwner(path: string): Promise<Owner> {
  try {
    const { pid, host, since } = JSON.parse(await readFile(path, "utf8")) as JsonObject;
    return {
      pid: typeof pid === "number" ? pid : undefined,
      host: typeof host === "string" ? host : undefined,
      since: typeof since === "string" ? since : undefined,
    };
  } catch {
    return {};
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function refresh(path: string, isHeld: () => Promise<boolean>, now: () => number): Promise<void> {
  if (await isHeld()) await touch(path, now()).catch(() => undefined);
}
