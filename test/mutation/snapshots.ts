/**
 * Lets `toMatchSnapshot()` work without vitest's workers. It compares with the stored snapshots and never writes them: a
 * snapshot that is missing or different fails the test.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { TestRunner } from "vitest";
import type { SnapshotEnvironment } from "vitest/runtime";
import config from "../../vitest.config.ts";

/** The calls of vitest's own runner that prepare its snapshot client. */
type SnapshotHooks = Required<Pick<TestRunner, "onBeforeRunSuite" | "onBeforeTryTask" | "onAfterRunFiles">>;

const environment: SnapshotEnvironment = {
  getVersion: () => "1",
  getHeader: () => "",
  resolvePath: async (test) => {
    const path = config.test?.resolveSnapshotPath?.(test, ".snap", { config: {} as never });
    if (path === undefined) throw new Error("vitest.config.ts does not say where the snapshots are");
    return path;
  },
  resolveRawPath: async (test, path) => resolve(dirname(test), path),
  readSnapshotFile: (path) => readFile(path, "utf8").catch(() => null),
  saveSnapshotFile: refuse,
  removeSnapshotFile: refuse,
};

/** The part of a worker's state that the snapshots, and tests in general, read. */
export const WORKER = {
  config: { snapshotOptions: { updateSnapshot: "none", snapshotEnvironment: environment } },
  ctx: { pool: "in-process" },
  environment: { name: "node" },
};

/** Returns the hooks. The worker's state must be set before. */
export function createSnapshotHooks(): SnapshotHooks {
  // The rest of its configuration serves other hooks.
  const Hooks = TestRunner as unknown as new (settings: { readonly experimental: object }) => SnapshotHooks;
  return new Hooks({ experimental: {} });
}

async function refuse(path: string): Promise<void> {
  throw new Error(`${path} must not be written`);
}
