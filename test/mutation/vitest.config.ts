import { defineConfig } from "vitest/config";

const unit = (folder: string): string => new URL(`../unit/${folder}`, import.meta.url).pathname;

/** The quick tests in process of what is mutated; nothing is built for them, and no engine is looked for. */
export default defineConfig({
  test: {
    include: ["plan", "diff", "apply", "snapshot", "api"].map((folder) => `${unit(folder)}/**/*.test.ts`),
    setupFiles: [new URL("setup.ts", import.meta.url).pathname],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
