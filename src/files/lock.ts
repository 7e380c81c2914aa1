/**
 * The lock that prevents two runs from using one journal, or writing one file, at the same time. It is taken by an apply
 * (../engine/apply/apply-plan.ts), by Pulumi (../engine/one-resource/shared-journal.ts), and around each file that is edited (../edit/files.ts).
 *
 * Terms: a lock is stale if its owner has died, or has not refreshed it for {@link EXPIRY}.
 * Premise: only one of several processes can link a file to a name that must not exist. Reading a lock and then
 * removing it is not atomic: a process could remove the new lock of another process that was faster.
 * Algorithm: create the lock. If a stale lock exists, first take a second lock in the same way, the right to break the
 * first one, then check that again and remove it. An owner that was suspended until its lock expired notices that the
 * text in the file changed.
 */
import { randomUUID } from "node:crypto";
import { link, readFile, readlink, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { makeFolder } from "./make-folder.ts";

/** A lock that was not refreshed for this long is stale. Milliseconds. */
const EXPIRY = 10 * 60_000;
const REFRESH = 60_000;

export interface Lock {
  /** Returns whether this run still holds the lock. A process that was suspended for a long time may have lost it. */
  readonly isHeld: () => Promise<boolean>;
  /** Never rejects. */
  readonly release: () => Promise<void>;
}

/** Another process holds the lock. Callers say what it is the lock of. */
export class LockedError extends Error {
  readonly owner: string;
  readonly hint: string;

  /** @param expires when the lock ends although nothing shows whether its owner lives; undefined for a process of this machine */
  constructor(path: string, owner: string, expires?: Date) {
    super(`locked by another run (${owner})`);
    this.name = "LockedError";
    this.owner = owner;
    const ifDead = expires === undefined ? "" : ` If it has died, its lock expires at ${expires.toISOString()}.`;
    this.hint = `Wait until it ends.${ifDead} The lock file is ${path}`;
  }
}

/** Acquires the lock, and breaks a stale one if necessary. @throws LockedError */
export async function acquireLock(path: string, now: () => number): Promise<Lock> {
  await makeFolder(dirname(path), 0o700);
  const since = new Date(now()).toISOString();
  const owner = { pid: process.pid, host: hostname(), machine: await thisMachine(), since };
  const text = JSON.stringify({ ...owner, token: randomUUID() });
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

/**
 * Returns false if the file exists. It appears with its full text, because a crash must not leave a lock without an
 * owner.
 */
async function createExclusively(path: string, text: string, now: number): Promise<boolean> {
  const draft = `${path}.${randomUUID()}.new`;
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

/**
 * Names the set of processes in which a process id is unique. Containers may have one host name, but each has processes of its own: Linux names the
 * boot, and in it the set of processes.
 */
async function thisMachine(): Promise<string> {
  const processes = [readFile("/proc/sys/kernel/random/boot_id", "utf8"), readlink("/proc/self/ns/pid")];
  return [hostname(), ...(await Promise.all(processes).catch(() => []))].join(" ");
}

/** Removes a stale lock. @throws LockedError if its owner is still running */
async function breakStale(path: string, now: () => number): Promise<void> {
  await requireStale(path, now());
  const right = await acquireLock(`${path}.break`, now);
  try {
    if (await requireStale(path, now())) await rm(path, { force: true });
  } finally {
    await right.release();
  }
}

/**
 * Returns true for a stale lock, and false if the lock is gone by now.
 *
 * @throws LockedError if the owner is still running
 */
async function requireStale(path: string, now: number): Promise<boolean> {
  const [owned, info] = await Promise.all([readOwner(path), stat(path).catch(() => undefined)]);
  if (info === undefined) return false;
  const { pid, host, since } = owned;
  const expires = info.mtimeMs + EXPIRY;
  const isHere = owned.machine === (await thisMachine()) && pid !== undefined;
  if (now >= expires || (isHere && !isAlive(pid))) return true;
  const process = pid === undefined ? "a process" : `process ${String(pid)}`;
  const owner = `${process} on ${host ?? "an unknown host"}, since ${since ?? "an unknown time"}`;
  // If a process dies on this machine, its lock is taken over at once. So no expiry is shown.
  throw new LockedError(path, owner, isHere ? undefined : new Date(expires));
}

interface LockOwner {
  readonly pid?: number | undefined;
  readonly host?: string | undefined;
  readonly machine?: unknown;
  readonly since?: string | undefined;
}

/** Reads the owner of a lock. An unreadable lock file has an unknown owner, so it counts as held until it expires. */
async function readOwner(path: string): Promise<LockOwner> {
  try {
    const { pid, host, machine, since } = JSON.parse(await readFile(path, "utf8")) as Readonly<Record<string, unknown>>;
    return {
      pid: typeof pid === "number" ? pid : undefined,
      host: typeof host === "string" ? host : undefined,
      machine,
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
