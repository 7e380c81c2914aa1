import { existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { acquireLock, LockedError } from "../../../src/files/lock.ts";
import { sentencesOf } from "../../support/sentences.ts";

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

/** What a lock of this process says of its machine. */
const MACHINE = await (async () => {
  const path = join(await mkdtemp(join(tmpdir(), "driftline-lock-")), "a.lock");
  await acquireLock(path, () => NOW);
  const { machine } = JSON.parse(await readFile(path, "utf8")) as { readonly machine: string };
  await rm(dirname(path), { recursive: true });
  return machine;
})();

const owner = (pid: number, machine = MACHINE): string =>
  JSON.stringify({ pid, host: hostname(), machine, since: "2023-11-14T22:13:20.000Z" });

/** What is begun to be done every minute until it is stopped is done when it passes. */
function everyMinute(): { readonly pass: () => void; readonly left: () => number } {
  const begun = new Map<object, () => void>();
  const begin = (work: () => void, ms: number): object => {
    expect(ms).toBe(MINUTE);
    const timer = { unref: () => undefined };
    begun.set(timer, work);
    return timer;
  };
  const spies = [
    vi.spyOn(globalThis, "setInterval").mockImplementation(begin as unknown as typeof setInterval),
    vi.spyOn(globalThis, "clearInterval").mockImplementation((timer) => void begun.delete(timer as object)),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const pass = (): void => {
    for (const work of begun.values()) work();
  };
  return { pass, left: () => begun.size };
}

describe("the lock", () => {
  it("is acquired by one run, reports its owner to another, and can be acquired after its release", async () => {
    const path = await lockPath();
    const lock = await acquireLock(path, () => NOW);
    const error = await acquireLock(path, () => NOW + MINUTE).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LockedError);
    const since = new Date(NOW).toISOString();
    expect(error).toMatchObject({ name: "LockedError" });
    const sentences = sentencesOf(error).join(" ");
    for (const part of [String(process.pid), hostname(), since, path]) expect(sentences).toContain(part);
    expect(
      sentences.replace(path, "PATH").replace(String(process.pid), "PID").replace(hostname(), "HOST"),
    ).toMatchSnapshot();
    await lock.release();
    expect(existsSync(path)).toBe(false);
    await (await acquireLock(path, () => NOW)).release();
  });

  it.each([
    ["another machine", owner(DEAD, "elsewhere"), true],
    ["an unknown owner", "", true],
    ["a process of this machine, whose end is noticed at once", owner(process.pid), false],
  ])("of %s: its expiry is reported where nothing else ends it", async (_name, text, isReported) => {
    const path = await lockPath();
    await leave(path, text);
    const error = await acquireLock(path, () => NOW).catch((thrown: unknown) => thrown);
    const expiry = new Date(NOW + 10 * MINUTE).toISOString();
    expect(sentencesOf(error).join(" ").includes(expiry)).toBe(isReported);
  });

  it("of a dead process is taken over immediately", async () => {
    const path = await lockPath();
    await leave(path, owner(DEAD));
    const lock = await acquireLock(path, () => NOW);
    expect(await lock.isHeld()).toBe(true);
    expect(await readdir(dirname(path))).toEqual(["a.lock"]);
  });

  it.each([
    ["of another machine, or of another container with the same host name", owner(DEAD, "elsewhere")],
    ["of a process that lives", owner(process.pid)],
    ["without an owner, as its process died while writing it", ""],
    ["that is rubbish", "{"],
    ["that is nothing", "null"],
    ["of this machine that names no process", JSON.stringify({ machine: MACHINE })],
    ["of this machine that names something else than a process", JSON.stringify({ machine: MACHINE, pid: "x" })],
  ])("%s is not broken until it expires", async (_name, text) => {
    const path = await lockPath();
    await leave(path, text);
    await expect(acquireLock(path, () => NOW + 10 * MINUTE - 1)).rejects.toThrow(LockedError);
    await (await acquireLock(path, () => NOW + 10 * MINUTE)).release();
  });

  it.each(["{", '{"host":7,"since":7}'])("whose owner is unknown (%s) is reported as such", async (text) => {
    const path = await lockPath();
    await leave(path, text);
    const error = await acquireLock(path, () => NOW).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LockedError);
    expect((error as LockedError).message).toMatchSnapshot();
  });

  it("of another user's process is not broken", async () => {
    const path = await lockPath();
    await leave(path, owner(DEAD));
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("not permitted"), { code: "EPERM" });
    });
    onTestFinished(() => kill.mockRestore());
    await expect(acquireLock(path, () => NOW)).rejects.toThrow(LockedError);
    expect(kill.mock.calls).toEqual([[DEAD, 0]]);
  });

  it("can be read only by its owner", async () => {
    const path = await lockPath();
    await acquireLock(path, () => NOW);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("whose file is gone is not held, and can still be released", async () => {
    const path = await lockPath();
    const lock = await acquireLock(path, () => NOW);
    await rm(path);
    expect(await lock.isHeld()).toBe(false);
    await lock.release();
  });

  it("that cannot be created is an error, and not reported as held by another run", async () => {
    const path = await lockPath();
    await expect(acquireLock(join(dirname(path), "x".repeat(250)), () => NOW)).rejects.toThrow("ENAMETOOLONG");
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it("is refreshed by its owner, so a long run keeps it", async () => {
    const minutes = everyMinute();
    const path = await lockPath();
    let now = NOW;
    const lock = await acquireLock(path, () => now);
    now += 9 * MINUTE;
    minutes.pass();
    for (let look = 0; look < 1_000 && (await stat(path)).mtimeMs !== now; look += 1);
    expect((await stat(path)).mtimeMs).toBe(now);
    now += 9 * MINUTE;
    await expect(acquireLock(path, () => now)).rejects.toThrow(LockedError);
    await lock.release();
    expect(minutes.left()).toBe(0);
  });

  it("that was lost to another run is neither refreshed nor released", async () => {
    const minutes = everyMinute();
    const path = await lockPath();
    const slept = await acquireLock(path, () => NOW);
    const theirs = owner(process.pid);
    await leave(path, theirs, NOW + 11 * MINUTE);
    expect(await slept.isHeld()).toBe(false);
    minutes.pass();
    await slept.release();
    // By then what the timer has begun is done as well.
    for (let look = 0; look < 10; look += 1) expect(await readFile(path, "utf8")).toBe(theirs);
    expect((await stat(path)).mtimeMs).toBe(NOW + 11 * MINUTE);
  });

  it.each([
    ["of a dead process", owner(DEAD), NOW],
    ["that says nothing", "", NOW - 10 * MINUTE],
  ])("the right to break a lock is taken over like a lock: one %s", async (_name, text, at) => {
    const path = await lockPath();
    await leave(path, owner(DEAD));
    await leave(`${path}.break`, text, at);
    await (await acquireLock(path, () => NOW)).release();
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it("the right to break a lock belongs to one process", async () => {
    const path = await lockPath();
    await leave(path, owner(DEAD));
    await leave(`${path}.break`, owner(process.pid));
    await expect(acquireLock(path, () => NOW)).rejects.toThrow(LockedError);
    expect((await readdir(dirname(path))).toSorted()).toEqual(["a.lock", "a.lock.break"]);
  });
});

/** Runs the actions of other processes between the steps of acquiring a lock, which reads the clock before each step. */
describe("the lock, with concurrent runs:", () => {
  /** A clock that lets `act` happen when it is asked for the n-th time. */
  const clock = (at: number, act: () => void): (() => number) => {
    let asked = 0;
    return () => {
      asked += 1;
      if (asked === at) act();
      return NOW;
    };
  };
  const [LOOKED_AT, LOOKED_AT_AGAIN] = [3, 6];

  it("released just before the check, it is acquired", async () => {
    const path = await lockPath();
    await leave(path, owner(process.pid));
    const lock = await acquireLock(
      path,
      clock(LOOKED_AT, () => rmSync(path)),
    );
    expect(await lock.isHeld()).toBe(true);
    expect(await readdir(dirname(path))).toEqual(["a.lock"]);
  });

  it("broken by a faster run, it stays with that run", async () => {
    const path = await lockPath();
    await leave(path, owner(DEAD));
    const theirs = owner(process.pid);
    const late = clock(LOOKED_AT_AGAIN, () => {
      writeFileSync(path, theirs);
      utimesSync(path, NOW / 1000, NOW / 1000);
    });
    await expect(acquireLock(path, late)).rejects.toThrow(LockedError);
    expect(await readFile(path, "utf8")).toBe(theirs);
    expect(await readdir(dirname(path))).toEqual(["a.lock"]);
  });

  it("broken and released by a faster run, it is acquired", async () => {
    const path = await lockPath();
    await leave(path, owner(DEAD));
    const lock = await acquireLock(
      path,
      clock(LOOKED_AT_AGAIN, () => rmSync(path)),
    );
    expect(await lock.isHeld()).toBe(true);
  });

  it.each([4, 5, 6, 7, 8, 9, 10])(
    "whose right to be broken a faster run takes before step %i, it stays with that",
    async (at) => {
      const path = await lockPath();
      const right = `${path}.break`;
      await leave(path, owner(DEAD));
      await leave(right, owner(DEAD), 0);
      const theirs = owner(process.pid);
      const late = clock(at, () => {
        writeFileSync(right, theirs);
        utimesSync(right, NOW / 1000, NOW / 1000);
      });
      await expect(acquireLock(path, late)).rejects.toThrow(LockedError);
      expect(await readFile(right, "utf8")).toBe(theirs);
    },
  );

  it("whose right to be broken was left by a dead process, it is acquired", async () => {
    const path = await lockPath();
    await leave(path, owner(DEAD));
    const lock = await acquireLock(
      path,
      clock(LOOKED_AT_AGAIN, () => rmSync(`${path}.break`)),
    );
    expect(await lock.isHeld()).toBe(true);
    expect(await readdir(dirname(path))).toEqual(["a.lock"]);
  });
});
