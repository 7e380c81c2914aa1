import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emulatorCommand, type EmulatorCommandOptions } from "../../../../src/cli/commands/emulator.ts";
import type { Runtime } from "../../../../src/cli/runtime.ts";
import { cli } from "../../../support/cli.ts";

/** Runs the command until `use` has finished with its output. */
async function run(options: EmulatorCommandOptions, use: (text: string) => Promise<void>, cwd = "."): Promise<number> {
  const stop = new AbortController();
  let report = (_text: string): void => undefined;
  const text = new Promise<string>((resolve) => (report = resolve));
  // The command uses nothing else of the runtime.
  const surroundings: Partial<Runtime> = {
    cwd,
    signal: stop.signal,
    catchSignals: () => undefined,
    out: (line: string) => report(line),
  };
  const runtime = surroundings as Runtime;
  const code = emulatorCommand(runtime, options);
  await Promise.race([text.then(use), code]);
  stop.abort();
  return code;
}

const urlIn = (text: string): string => /DRIFTLINE_URL=(\S+)/.exec(text)?.[1] ?? "";
const controlIn = (text: string): string | undefined => /control API listens at (\S+)/.exec(text)?.[1];
const HEADERS = { authorization: "Bearer emulator-key" };

describe("driftline emulator", () => {
  test("prints the URL and the key, and no control URL without the option", async () => {
    const code = await run({}, async (text) => {
      expect(controlIn(text)).toBeUndefined();
      expect(text).toContain("DRIFTLINE_API_KEY=emulator-key");
      expect((await fetch(`${urlIn(text)}/api/organizations/`, { headers: HEADERS })).status).toBe(200);
    });
    expect(code).toBe(0);
  });

  test("accepts a seed, a dialect, a page size, rate limits, a latency and a control port", async () => {
    const folder = await mkdtemp(join(tmpdir(), "driftline-emulator-"));
    await writeFile(join(folder, "seed.json"), '{"organizations":[{"name":"A"},{"name":"B"}]}');
    const options = {
      seed: "seed.json",
      dialect: "deployed" as const,
      maxPageSize: 1,
      rateLimits: true,
      latency: 20,
      controlPort: 0,
    };
    const use = async (text: string): Promise<void> => {
      const started = performance.now();
      const reply = await fetch(`${urlIn(text)}/api/organizations/?limit=5`, { headers: HEADERS });
      expect(performance.now() - started).toBeGreaterThanOrEqual(19);
      const { count, results } = (await reply.json()) as { count: number; results: { member_count: unknown }[] };
      expect([count, results.map((row) => row.member_count)]).toEqual([2, [1]]);
      expect(controlIn(text)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await fetch(`${String(controlIn(text))}/requests`)).status).toBe(200);
    };
    expect(await run(options, use, folder)).toBe(0);
  });

  test("gives a seed without ids the same ones after a restart", async () => {
    const folder = await mkdtemp(join(tmpdir(), "driftline-emulator-"));
    await writeFile(join(folder, "seed.json"), '{"organizations":[{"name":"A"}]}');
    const ids: unknown[] = [];
    const use = async (text: string): Promise<void> => {
      const reply = await fetch(`${urlIn(text)}/api/organizations/`, { headers: HEADERS });
      ids.push(((await reply.json()) as { results: { id: unknown }[] }).results[0]?.id);
    };
    for (let start = 0; start < 2; start += 1) await run({ seed: "seed.json" }, use, folder);
    expect(ids).toEqual([expect.any(String), ids[0]]);
  });

  test("accepts the dialect of today's service", async () => {
    const use = async (text: string): Promise<void> => {
      const path = "/api/organizations/11111111-1111-4111-8111-111111111111/identity_provider_configs/";
      const reply = await fetch(urlIn(text) + path, { headers: HEADERS });
      // The other dialects say that there is no such endpoint.
      expect(await reply.json()).toMatchObject({ detail: "Organization not found." });
    };
    expect(await run({ dialect: "current" }, use)).toBe(0);
  });

  test("refuses a seed that does not exist", async () => {
    const failed = run({ seed: "nothing.json" }, () => Promise.resolve());
    await expect(failed).rejects.toMatchObject({ diagnostics: [{ code: "seed_missing" }] });
  });

  test("refuses a dialect that does not exist", async () => {
    const { code, stderr } = await cli(["emulator", "--dialect", "both"], { cwd: ".", env: {} });
    expect([code, stderr]).toEqual([10, expect.stringContaining("usage")]);
  });

  test("accepts keys, of which one with scopes may not write", async () => {
    const use = async (text: string): Promise<void> => {
      expect(text).toContain("DRIFTLINE_API_KEY=reader");
      const ask = async (key: string, method: string): Promise<number> => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        const body = method === "POST" ? JSON.stringify({ name: "Acme" }) : null;
        return (await fetch(`${urlIn(text)}/api/organizations/`, { method, headers, body })).status;
      };
      expect(await ask("reader", "GET")).toBe(200);
      expect(await ask("reader", "POST")).toBe(403);
      expect(await ask("insights", "GET")).toBe(403);
      expect(await ask("writer", "POST")).toBe(201);
      expect(await ask("emulator-key", "GET")).toBe(401);
    };
    const key = ["reader=organization:read,insight:read", "insights=insight:write", "writer"];
    expect(await run({ key }, use)).toBe(0);
  });

  test("accepts several keys on the command line, and refuses what is no list of scopes", async () => {
    const options = { cwd: ".", env: {}, runtime: { signal: AbortSignal.abort() } };
    const keys = ["--key", "reader=organization:read", "--key", "writer"];
    expect(await cli(["emulator", ...keys], options)).toMatchObject({ code: 0 });
    const refused = ["reader=", "=organization:read", "reader=organization", "a b=organization:read", "reader=a:read,"];
    for (const key of refused)
      expect(await cli(["emulator", "--key", key], options)).toMatchObject({
        code: 10,
        stderr: expect.stringContaining("usage") as string,
      });
  });

  test("accepts 0 on the command line for any free port and for no latency", async () => {
    const stop = new AbortController();
    const out = (text: string): void => {
      expect(controlIn(text)).toMatch(/:[1-9]\d*$/);
      stop.abort();
    };
    const args = ["emulator", "--port", "0", "--control-port", "0", "--latency", "0"];
    expect((await cli(args, { cwd: ".", env: {}, runtime: { signal: stop.signal, out } })).code).toBe(0);
  });

  test("reports which port is in use", async () => {
    await run({}, async (text) => {
      const port = Number(new URL(urlIn(text)).port);
      const nothing = (): Promise<void> => Promise.resolve();
      await expect(run({ port }, nothing)).rejects.toMatchObject({
        diagnostics: [{ code: "cannot_listen", hint: expect.stringContaining("--port") }],
      });
      await expect(run({ controlPort: port }, nothing)).rejects.toMatchObject({
        diagnostics: [{ code: "cannot_listen", hint: expect.stringContaining("--control-port") }],
      });
    });
  });
});
