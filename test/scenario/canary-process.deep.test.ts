import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defectText } from "../../src/cli/program.ts";
import { CANARIES, leaksIn } from "../support/canary.ts";
import { spawnCli } from "../support/cli.ts";
import { linesWith } from "../support/normalized.ts";

const TOKEN = CANARIES.markup;
const PASSWORD = "canary~pass.Hx4Kd9";
const SECRETS = { token: TOKEN, key: "phx_canaryKey8Wq2LmZ5tRv", password: PASSWORD };
const env = { CANARY_TOKEN: TOKEN, DRIFTLINE_API_KEY: SECRETS.key };

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-canary-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

describe("the process shows no secrets", () => {
  it.each([
    ["an uncaught error", "throw error"],
    ["an unhandled rejection", "void Promise.reject(error)"],
  ])("if it ends by %s", async (_what, how) => {
    // It goes wrong as soon as the command is at work.
    const cwd = await folderWith({
      "crash.mjs": `const timer = setInterval(() => {
        if (process.listenerCount("SIGINT") === 0) return;
        clearInterval(timer);
        const { CANARY_TOKEN: token, DRIFTLINE_API_KEY: key } = process.env;
        const error = Object.assign(new Error("it broke over " + token), { headers: { authorization: "Bearer " + key }, token });
        ${how};
      }, 10);`,
    });
    const { result } = spawnCli(["emulator"], {
      cwd,
      env: { ...env, NODE_OPTIONS: `--import ${join(cwd, "crash.mjs")}` },
    });
    const { code, stdout, stderr } = await result;
    expect(code).toBe(1);
    expect(stderr).toBe(defectText("it broke over [redacted]"));
    expect(leaksIn(stdout + stderr, SECRETS)).toEqual([]);
  });

  // It has no key in its environment, but may know one from elsewhere.
  it("if a configuration in TypeScript throws them", async () => {
    const cwd = await folderWith({ "a.driftline.ts": `throw new Error(${JSON.stringify(`no ${TOKEN}`)});\n` });
    const { code, stdout, stderr } = await spawnCli(["plan", "."], { cwd, env }).result;
    expect(code).toBe(10);
    expect(stderr).toContain(" no [redacted]");
    expect(linesWith(stderr, "error ts_failed: ")).toMatchSnapshot();
    expect(leaksIn(stdout + stderr, SECRETS)).toEqual([]);
  });

  it.each(["refuses", "is not there"])("of a proxy that %s", async (how) => {
    const proxy = createServer((_request, response) => response.writeHead(407).end(PASSWORD));
    proxy.on("connect", (_request, socket) => socket.end(`HTTP/1.1 407 No ${PASSWORD}\r\n\r\n${PASSWORD}`));
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as AddressInfo;
    const close = (): Promise<void> => new Promise((resolve) => proxy.close(() => resolve()));
    if (how === "refuses") onTestFinished(close);
    else await close();
    const cwd = await folderWith({ "driftline.yaml": "driftline: 1\norganizations: { acme: { name: Acme } }\n" });
    const address = `http://somebody:${encodeURIComponent(PASSWORD)}@127.0.0.1:${String(port)}`;
    for (const url of ["https://service.invalid", "http://service.invalid"]) {
      const world = { ...env, DRIFTLINE_URL: url, HTTP_PROXY: address, HTTPS_PROXY: address };
      const { code, stdout, stderr } = await spawnCli(["doctor", "--verbose"], { cwd, env: world }).result;
      expect(code, stderr).toBeGreaterThan(0);
      expect(leaksIn(stdout + stderr, SECRETS)).toEqual([]);
    }
  });
});
