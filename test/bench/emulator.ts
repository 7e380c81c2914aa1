/**
 * Measures the speed and memory of the emulator: `jiti test/bench/emulator.ts`. The emulator runs in its own process, so
 * the figures do not include the client. Nothing is asserted, because machines differ.
 */
import { fork, type ChildProcess } from "node:child_process";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { startEmulator } from "../../src/emulator/index.ts";

const INSIGHTS = 100_000;
const SIDE_BY_SIDE = 32;
const SECONDS = 5;

interface Ready {
  readonly url: string;
  readonly key: string;
}

if (process.send === undefined) await measure();
else await serve();

/** The process of the emulator. It reports its memory on request. */
async function serve(): Promise<void> {
  const emulator = await startEmulator({
    seed: { organizations: [{ name: "Acme", projects: [{ id: 1, name: "Web" }] }] },
  });
  process.on("message", (message) => {
    if (message === "fill") {
      for (let index = 0; index < INSIGHTS; index += 1) {
        const events = [{ id: `event ${index % 50}`, math: "dau" }];
        emulator.insert("insight", { project: 1 }, { name: `Insight ${index}`, filters: { events }, tags: ["bench"] });
      }
    }
    globalThis.gc?.();
    process.send?.(process.memoryUsage().rss);
  });
  process.on("disconnect", () => void emulator.close());
  process.send?.({ url: emulator.url, key: emulator.key } satisfies Ready);
}

async function measure(): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ["--expose-gc", "--import", "jiti/register"] });
  const ready = (await withFolderTimeout(child)) as Ready;
  const ask = async (message: string): Promise<number> => {
    child.send(message);
    return Number(await withFolderTimeout(child));
  };
  print("memory, empty", `${megabytes(await ask("memory"))} MB`);
  print("organizations, list of one", `${await perSecond(ready, () => "/api/organizations/")} requests/s`);
  print(`memory, ${INSIGHTS} insights`, `${megabytes(await ask("fill"))} MB`);
  const one = (index: number): string => `/api/projects/1/insights/${1 + (index % INSIGHTS)}/`;
  print("insights, one by id", `${await perSecond(ready, one)} requests/s`);
  const page = (index: number): string => `/api/projects/1/insights/?limit=100&offset=${(index * 100) % INSIGHTS}`;
  print("insights, pages of 100", `${await perSecond(ready, page)} requests/s`);
  print(`memory, the same after all these requests`, `${megabytes(await ask("memory"))} MB`);
  child.disconnect();
}

function withFolderTimeout(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once("message", resolve));
}

/** Requests per second over several connections. Each sends its next request after the answer to the last. */
async function perSecond({ url, key }: Ready, path: (index: number) => string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });
  let sent = 0;
  const start = performance.now();
  const end = start + SECONDS * 1000;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      sent += 1;
      await get(url + path(sent), key, agent);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  agent.destroy();
  return Math.round(sent / ((performance.now() - start) / 1000));
}

function get(url: string, key: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answers ${response.statusCode}`));
      response.resume();
      response.on("end", resolve);
    });
    sent.on("error", reject);
    sent.end();
  });
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function print(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(50)} ${figure}\n`);
}
