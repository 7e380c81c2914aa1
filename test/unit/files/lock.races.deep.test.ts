import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { acquireLock } from "../../../src/files/lock.ts";

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "driftline-lock-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Leaves behind what a process of this machine leaves that is no more: none has this id. */
async function leave(path: string): Promise<string> {
  await acquireLock(path, Date.now);
  const left = JSON.stringify({ ...(JSON.parse(await readFile(path, "utf8")) as object), pid: 2 ** 22 + 1 });
  await writeFile(path, left);
  return left;
}

it("the lock of a dead process is taken over by only one of many racing processes", async () => {
  const path = join(await folder(), "a.lock");
  for (let round = 0; round < 25; round += 1) {
    await leave(path);
    const locks = await Promise.all(
      Array.from({ length: 12 }, () => acquireLock(path, Date.now).catch(() => undefined)),
    );
    const taken = locks.filter((lock) => lock !== undefined);
    expect(taken.length).toBeLessThanOrEqual(1);
    for (const lock of taken) await lock.release();
  }
});

it("the lock of a dead process is taken by exactly one at a time of several processes that race for it", async () => {
  const within = await folder();
  const [path, log] = [join(within, "a.lock"), join(within, "log")];
  const left = await leave(path);
  await Promise.all(Array.from({ length: 6 }, () => racer({ path, log, left })));
  const lines = (await readFile(log, "utf8")).trim().split("\n");
  // Each owner leaves before the next one enters.
  expect(lines.length).toBeGreaterThan(20);
  for (let index = 0; index < lines.length; index += 2) {
    const [inside = "", out = ""] = lines.slice(index, index + 2).map((line) => line.split(" "));
    expect([inside[0], out[0], inside[1] === out[1]]).toEqual(["in", "out", true]);
  }
});

/** A process that takes the lock 20 times, leaves it behind as a dead one's every other time, and logs when it has it. */
function racer({ path, log, left }: Readonly<Record<"path" | "log" | "left", string>>): Promise<void> {
  const lock = new URL("../../../src/files/lock.ts", import.meta.url).pathname;
  const script = `
    const { createJiti } = await import(${JSON.stringify(import.meta.resolve("jiti"))});
    const { acquireLock } = await createJiti(${JSON.stringify(lock)}).import(${JSON.stringify(lock)});
    const { appendFileSync, utimesSync, writeFileSync } = await import("node:fs");
    for (let taken = 0, tries = 0; taken < 20 && tries < 3000; tries += 1) {
      const held = await acquireLock(${JSON.stringify(path)}, Date.now).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (held === undefined) continue;
      appendFileSync(${JSON.stringify(log)}, "in " + process.pid + "\\n");
      await new Promise((resolve) => setTimeout(resolve, 1));
      appendFileSync(${JSON.stringify(log)}, "out " + process.pid + "\\n");
      taken += 1;
      if (taken % 2 === 0) writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(left)});
      else await held.release();
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.on("close", () => resolve()));
}
