import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { acquireLock, LockedError } from "../../../src/apply/lock.ts";

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
/** No process has this id. */
const DEAD = 2 ** 22 + 1;

async function lockPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-lock-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "a.lock");
}

async function leave(path: string, owner: string, at = NOW): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, owner);
  await utimes(path, at / 1000, at / 1000);
}

const owner = (pid: number, host = hostname()): string =>
  JSON.stringify({ pid, host, since: "2023-11-14T22:13:20.000Z" });

describe("the lock", () => {
  it("is taken by one, names its owner to the other, and can be taken once it is released", async () => {
    const path = await lockPath();
    const lock = await acquireLock(path, () => NOW);
    const error = await acquireLock(path, () => NOW + MINUTE).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LockedError);
    expect(error).toMatchObject({
      message: expect.stringContaining(`process ${String(process.pid)} on ${hostname()}`) as string,
      hint: expect.stringContaining(new Date(NOW + 10 * MINUTE).toISOString()) as string,
    });
    await lock.release();
    expect(existsSync(path)).toBe(false);
    await (await acquireLock(path, () => NOW)).release();
  });

  it("of a process that has died is taken over at once", async () => {
    const path = await lockPath();
    await leave(path, owner(DEAD));
    const lock = await acquireLock(path, () => NOW);
    expect(await lock.isHeld()).toBe(true);
    expect(await readdir(dirname(path))).toEqual(["a.lock"]);
  });

  it.each([
    ["of another machine", owner(DEAD, "elsewhere")],
    ["of a process that lives", owner(process.pid)],
    ["without an owner, as its process died while writing it", ""],
    ["that is rubbish", "{"],
  ])("%s is left alone until it expires", async (_name, text) => {
    const path = await lockPath();
    await leave(path, text);
    await expect(acquireLock(path, () => NOW + 10 * MINUTE - 1)).rejects.toThrow(LockedError);
    await (await acquireLock(path, () => NOW + 10 * MINUTE)).release();
  });

  it("is refreshed by its owner, so that a long run does not lose it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const path = await lockPath();
    let now = NOW;
    const lock = await acquireLock(path, () => now);
    now += 9 * MINUTE;
    vi.advanceTimersByTime(MINUTE);
    await vi.waitFor(async () => expect((await stat(path)).mtimeMs).toBe(now));
    now += 9 * MINUTE;
    await expect(acquireLock(path, () => now)).rejects.toThrow(LockedError);
    await lock.release();
  });

  it("that was lost to another run is neither refreshed nor released", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const path = await lockPath();
    const slept = await acquireLock(path, () => NOW);
    const other = await acquireLock(path, () => NOW + 11 * MINUTE);
    expect([await slept.isHeld(), await other.isHeld()]).toEqual([false, true]);
    const { mtimeMs } = await stat(path);
    vi.advanceTimersByTime(MINUTE);
    await slept.release();
    expect(await other.isHeld()).toBe(true);
    expect((await stat(path)).mtimeMs).toBe(mtimeMs);
  });

  it("the right to break a lock that a crash has left behind expires as well", async () => {
    const path = await lockPath();
    await leave(path, owner(DEAD));
    await leave(`${path}.break`, "");
    await expect(acquireLock(path, () => NOW + MINUTE - 1)).rejects.toThrow(LockedError);
    await (await acquireLock(path, () => NOW + MINUTE)).release();
    expect(await readdir(dirname(path))).toEqual([]);
  });
});
