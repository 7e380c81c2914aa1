import { readFileSync, statfsSync } from "node:fs";

/** Room for what unit tests and scenarios write at one time. Bytes. */
const ENOUGH = 1024 ** 3;

/**
 * The variable that makes a folder in memory the one for temporary files, if Linux has one with room where programs may run: a container
 * may have 64 MB, and no programs. An apply writes its journal through, which takes a disk up to ten milliseconds for each record.
 */
export function inMemory(): { readonly TMPDIR?: string } {
  try {
    const mounted = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .findLast((line) => line.split(" ")[1] === "/dev/shm");
    const { bavail, bsize } = statfsSync("/dev/shm");
    return mounted?.includes("noexec") === false && bavail * bsize > ENOUGH ? { TMPDIR: "/dev/shm" } : {};
  } catch {
    return {};
  }
}
