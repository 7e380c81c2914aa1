import { defineConfig } from "vitest/config";

const report = process.env["DRIFTLINE_TEST_REPORT"];

export default defineConfig({
  // Configurations and examples import the package by its own name, as users do.
  resolve: { alias: [{ find: /^driftline$/, replacement: new URL("src/index.ts", import.meta.url).pathname }] },
  test: {
    include: ["test/**/*.test.ts"],
    resolveSnapshotPath: (test, extension) => test.replace("/test/", "/test/golden/snapshots/") + extension,
    // Many tests wait for sockets and processes: no core is kept free for the runner.
    maxWorkers: "100%",
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ["test/setup/build.ts", "test/setup/engine.ts"],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
  },
});
