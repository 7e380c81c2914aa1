import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

const FOLDER = new URL("../../golden/report/", import.meta.url);

/** Compares with a golden report. As with all snapshots, only `-u` rewrites it. */
export function expectGolden(name: string, text: string): void {
  expectGoldenFile(new URL(name, FOLDER), text);
}

/** Compares with a golden file at any path. */
export function expectGoldenFile(file: URL, text: string): void {
  if (expect.getState().snapshotState.snapshotUpdateState === "all") {
    mkdirSync(new URL(".", file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}
