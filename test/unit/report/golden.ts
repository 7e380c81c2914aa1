import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

const FOLDER = new URL("../../golden/report/", import.meta.url);

/** Compares with a golden file, which only UPDATE_GOLDEN=1 rewrites. */
export function expectGolden(name: string, text: string): void {
  expectGoldenFile(new URL(name, FOLDER), text);
}

/** The same for a file anywhere. */
export function expectGoldenFile(file: URL, text: string): void {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(new URL(".", file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}
