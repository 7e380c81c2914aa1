/** What people read after a common mistake, on a terminal of 80 columns. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startProxy } from "../../support/proxy.ts";
import { workspace } from "../../support/workspace.ts";
import { MISTAKES, OWN_URL, type Mistake } from "./rows.ts";

afterEach(() => vi.unstubAllEnvs());

/** A proxy that asks for a password. */
async function askingProxy(): Promise<string> {
  const { url, close } = await startProxy({ credentials: "user:password" });
  onTestFinished(close);
  return url;
}

async function run({ args, files, env = {}, fault, proxy, seed, runtime }: Mistake) {
  const space = await workspace(seed === undefined ? {} : { seed });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(space.folder, file)), { recursive: true });
    await space.configure(text, file);
  }
  if (fault !== undefined) space.emulator.faults.add({ fault });
  if (proxy !== undefined) vi.stubEnv("http_proxy", proxy === "asks" ? await askingProxy() : proxy);
  const own = Object.entries(env).map(([name, value]) => [name, value.replace(OWN_URL, space.emulator.url)]);
  const { code, stdout, stderr } = await space.run(args, {
    env: Object.fromEntries(own),
    runtime: { errColumns: 80, ...runtime },
  });
  const text = `$ driftline ${args.join(" ")}\n${stdout}${stderr}exit code ${String(code)}\n`;
  const ids = /(?<=id=)[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gu;
  const shown = text.replaceAll(/127\.0\.0\.1:\d{2,}/gu, "localhost:PORT").replaceAll(ids, "UUID");
  return { code, sent: space.emulator.requests.length, shown };
}

describe("a common mistake", () => {
  const texts: string[] = [];

  it("is one of at least 60, each with its own name", () => {
    expect(new Set(MISTAKES.map(({ name }) => name)).size).toBe(MISTAKES.length);
    expect(MISTAKES.length).toBeGreaterThanOrEqual(60);
  });

  // Rows of `it.each` would run in part in `npm test`, and the file holds all of them.
  for (const mistake of MISTAKES)
    it(mistake.name, async () => {
      const { code, sent, shown } = await run(mistake);
      texts.push(`\n## ${mistake.name}\n\n${shown}`);
      expect(code).toBe(mistake.code);
      if (mistake.sends === undefined) expect(sent).toBe(0);
      expect(shown).not.toContain("hunter2");
    });

  it("gets a message that says what was expected, and a way out", async () => {
    await expect(texts.join("")).toMatchFileSnapshot("mistakes.txt");
  });
});
