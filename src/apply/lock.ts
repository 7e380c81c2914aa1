import { mkdir, open, readFile, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";

/** A lock that nobody refreshed for this long belongs to nobody. Milliseconds. */
const EXPIRY = 10 * 60_000;
const REFRESH = 60_000;

export interface Lock {
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

/** Takes the lock, or the one that a dead or expired owner has left. */
export async function acquireLock(path: string, now: () => number): Promise<Lock> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      const file = await open(path, "wx", 0o600);
      await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname(), since: new Date(now()).toISOString() }));
      await file.close();
      const timer = setInterval(() => void touch(path, now()), REFRESH);
      timer.unref();
      return {
        release: async () => {
          clearInterval(timer);
          await rm(path, { force: true });
        },
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      await breakStale(path, now());
    }
  }
}

/** Removes a lock whose owner is gone; throws where it is not. */
async function breakStale(path: string, now: number): Promise<void> {
  const [text, info] = await Promise.all([readFile(path, "utf8").catch(() => ""), stat(path).catch(() => undefined)]);
  if (info === undefined) return;
  const { pid, host, since } = parseOwner(text);
  const expires = info.mtimeMs + EXPIRY;
  if (now >= expires || (host === hostname() && pid !== undefined && !isAlive(pid))) {
    await rm(path, { force: true });
    return;
  }
  throw new LockedError(path, `process ${String(pid)} on ${host ?? "an unknown host"}, since ${since ?? "an unknown time"}`, new Date(expires));
}

function parseOwner(text: string): { pid?: number; host?: string; since?: string } {
  try {
    return JSON.parse(text) as { pid?: number; host?: string; since?: string };
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

async function touch(path: string, now: number): Promise<void> {
  await utimes(path, now / 1000, now / 1000).catch(() => undefined);
}
