/**
 * Damaged inputs: none ends in anything but a result or one of driftline's own errors, and none takes much longer than the others.
 *
 * How steps are counted: V8 counts how often each function is called (precise coverage). The sum for an input is the same on every
 * machine and under any load. What a single built-in does inside, such as a regular expression, is not in it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dispatcher } from "undici";
import { type Clock, createClient } from "../../src/api/client.ts";
import { ApiError } from "../../src/api/errors/errors.ts";
import { createRedactor } from "../../src/api/redact/redact.ts";
import { loadConfig } from "../../src/config/index.ts";
import { createEmulator } from "../../src/emulator/emulator.ts";
import { loadSeed, SeedError } from "../../src/emulator/seed/load.ts";
import { parseSavedPlan } from "../../src/engine/apply/saved-plan.ts";
import { EngineError } from "../../src/model/engine-error.ts";
import { BUG_HINT } from "../../src/model/text/error-reason.ts";
import { isObject } from "../../src/model/json/json.ts";
import { hashOf } from "../../src/plan/document.ts";
import { summarize } from "../../src/plan/summarize.ts";
import { renderPlan } from "../../src/report/index.ts";
import { runCommandLine } from "../../src/cli/program.ts";
import { createOutput } from "../../src/cli/terminal/streams.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { EVERYTHING } from "../unit/report/documents.ts";

/** More steps than this many times the median of its kind are too many. */
export const MOST_STEPS = 20;

interface Kind {
  /** What is damaged. */
  readonly texts: readonly [string, ...string[]];
  /** Returns by how much the steps are divided: an answer may lead to further requests. Throws own errors, or a crash. */
  readonly run: (text: string, random: Random, folder: string) => Promise<number>;
}

const example = (file: string): string => readFileSync(new URL(`../../examples/${file}`, import.meta.url), "utf8");
const ID = "0190aa11-0000-4000-8000-00000000000a";
const rows = ["a", "b", "c"].map((name, index) => ({
  id: ID.replace(/a$/, String(index)),
  domain: `${name}.acme.com`,
}));
const PAGE = JSON.stringify({ count: 3, next: null, previous: null, results: rows });
const HEAD = "HTTP/1.1 200 OK\ncontent-type: application/json\nretry-after: 1\ncontent-encoding: identity";

const changes = EVERYTHING.changes.filter(
  ({ address }, index, all) => all.findIndex((one) => one.address === address) === index,
);
const PLAN = { ...EVERYTHING, changes, summary: summarize(changes, EVERYTHING.unmanaged.length) };

export const KINDS: Readonly<Record<"loader" | "plan" | "answers" | "seeds" | "arguments", Kind>> = {
  loader: {
    texts: [example("batch-exports/driftline.yaml")],
    run: async (text, _random, folder) => {
      writeFileSync(join(folder, "a.yaml"), text);
      await loadConfig({ paths: ["a.yaml"], cwd: folder, env: {}, vars: [], varFiles: [] });
      return 1;
    },
  },
  plan: {
    texts: [withHash(renderPlan(PLAN, "json", { color: false }))],
    run: (text, random) => {
      const document = parseSavedPlan(random.chance(0.8) ? withHash(text) : text, "plan.json");
      const formats = ["text", "markdown", "html", "json"] as const;
      renderPlan(document, formats[random.below(4)] ?? "text", { color: false });
      return Promise.resolve(1);
    },
  },
  answers: {
    texts: [`${HEAD}\n\n${PAGE}`],
    run: async (text) => {
      const [head = "", ...body] = text.split("\n\n");
      const [start = "", ...headers] = head.split("\n");
      const fields = headers.map((line): [string, string] => [
        /^[\w-]*/.exec(line)?.[0] ?? "",
        line.replace(/^.*?:/, ""),
      ]);
      const answer = { status: Number(/\d{3}/.exec(start)?.[0] ?? 200), headers: Object.fromEntries(fields) };
      const dispatcher = new Answering({ ...answer, body: body.join("\n\n") });
      const client = createClient({
        url: "http://service.example",
        key: "k",
        mode: "read",
        profile: "posthog",
        clock: instantClock(),
        redactor: createRedactor(),
        dispatcher,
      });
      await client.list("domains.list", { organization_id: ID }).catch((error: unknown) => ignoreOwn(error));
      return client.requests();
    },
  },
  seeds: {
    texts: [example("teams/seed.json")],
    run: (text) => {
      createEmulator({ seed: loadSeed(text) });
      return Promise.resolve(1);
    },
  },
  arguments: {
    texts: [
      "plan\n--prune\n--only\nacme/domains\n--format\njson\n--var\na=b\ndriftline.yaml",
      'call\ninsights.list\nproject_id=2\n--all\nfilters:={"a":1}\n--verbose',
      "export\n--pulumi\nprogram\n--provider\ndynamic\n--no-ids\n--profile\ndocument",
      "explain\ninsight.query\n--format\njson",
      "drift\n--accept\n--yes\n--since\n2d\n--by\nada@acme.com\nacme/domains/a.yaml",
      "apply\n--plan\nplan.json\n--approve\nsha256:0\n--confirm-organization\nAcme",
      "completion\nbash\nvalidate\n--vars\nvars.yaml\n--max-requests-per-minute\n5",
    ],
    run: async (text, _random, folder) => {
      const words = text.split("\n");
      // It would serve until it is interrupted.
      if (words.some((word) => word.startsWith("emu"))) return 1;
      const output = await outputOf(words, folder);
      if (output.includes(BUG_HINT)) throw new Error(output);
      return 1;
    },
  },
};

export interface Fuzzed {
  readonly median: number;
  readonly most: number;
}

/** Runs damaged inputs of a kind. @throws Error with the seed and the input for a crash, and for too many steps */
export async function fuzz(
  name: keyof typeof KINDS,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Fuzzed> {
  const { texts, run } = KINDS[name];
  const folder = mkdtempSync(join(tmpdir(), "driftline-fuzz-"));
  const steps = await countSteps();
  const counts: { readonly steps: number; readonly what: string }[] = [];
  try {
    // What is loaded and computed once is no step of an input.
    for (const text of texts) await run(text, seededRandom(seed), folder);
    await steps.take();
    for (let input = 0; input < count; input += 1) {
      const random = seededRandom(seed + input);
      const [start, body] = splitOf(random.pick(texts));
      const isText = body === "" || random.chance(0.2);
      const text = isText ? damaged(start + body, random) : start + damagedJson(body, random);
      const what = `${name}, --seed ${String(seed + input)}: ${JSON.stringify(text.slice(0, 4_000))}`;
      const parts = await Promise.resolve()
        .then(() => run(text, random, folder))
        .catch((error: unknown) => ignoreOwn(error, what));
      counts.push({ steps: Math.ceil((await steps.take()) / Math.max(1, parts)), what });
    }
  } finally {
    await steps.stop();
    rmSync(folder, { recursive: true });
  }
  const sorted = counts.toSorted((a, b) => a.steps - b.steps);
  const median = sorted[Math.floor(sorted.length / 2)]?.steps ?? 0;
  const { steps: most, what } = sorted.at(-1) ?? { steps: 0, what: "" };
  if (most > MOST_STEPS * median)
    throw new Error(`${String(most)} steps, and the median is ${String(median)}: ${what}`);
  return { median, most };
}

/** The part of a text before a JSON document, and the document. */
function splitOf(text: string): readonly [start: string, document: string] {
  const at = /^\{/m.exec(text)?.index ?? text.length;
  return [text.slice(0, at), text.slice(at)];
}

/** An error that driftline makes is a result. */
function ignoreOwn(error: unknown, what = "undamaged"): number {
  const isOwn = [ApiError, SeedError, EngineError].some((type) => error instanceof type);
  if (!isOwn) throw new Error(`a crash of ${what}`, { cause: error });
  return 1;
}

/** Runs a command in a folder, without a service. */
async function outputOf(words: readonly string[], cwd: string): Promise<string> {
  let output = "";
  const redactor = createRedactor();
  const stream = { isTTY: false, columns: 0, write: (text: string) => (output += text) };
  await runCommandLine(words, {
    cwd,
    env: {},
    clock: instantClock(),
    redactor,
    signal: new AbortController().signal,
    onStop: () => undefined,
    catchSignals: () => undefined,
    ...createOutput(redactor, {
      env: {},
      stdout: stream,
      stderr: stream,
      canAsk: false,
      prompt: () => Promise.resolve(undefined),
    }),
    columns: undefined,
    color: { stdout: false, stderr: false },
  });
  return output;
}

/** Time passes only while something waits. */
function instantClock(): Clock {
  let now = Date.UTC(2026, 0, 1);
  const sleep = async (ms: number): Promise<void> => void (now += Math.max(0, ms));
  return { now: () => now, random: () => 0, sleep };
}

async function countSteps(): Promise<{ readonly take: () => Promise<number>; readonly stop: () => Promise<void> }> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return {
    // Reading the counts sets them to zero.
    take: async () => {
      const { result } = await session.post("Profiler.takePreciseCoverage");
      let sum = 0;
      for (const { url, functions } of result)
        if (!/^node:|\/test\/|jiti/.test(url))
          for (const { ranges } of functions) for (const { count } of ranges) sum += count;
      return sum;
    },
    stop: async () => {
      await session.post("Profiler.stopPreciseCoverage");
      await session.post("Profiler.disable");
      session.disconnect();
    },
  };
}

const JUNK = [
  "__proto__",
  "toString",
  "constructor",
  "null",
  "{}",
  "[]",
  "~",
  "''",
  '"',
  "\\",
  "-",
  "--",
  "=",
  ":",
  "\n",
  "\n\n",
  "\t",
  " ",

  "\u0000",
  "\u001b[2J",
  "\ud800",
  "\u202e",
  "\ufeff",
  "${env:A}",
  "${secret:",
  "${var:region}",
  "&a ",
  "*a",
  "<<: *a",
  "!tag ",

  "1e400",
  "NaN",
  "-0",
  "9".repeat(400),
  "0".repeat(2_000),
  "[".repeat(300),
  "{a: ".repeat(300),
  "a".repeat(2_000),
  "é".repeat(500),
] as const;

/** Replaces, removes, repeats, renames or wraps one to four values in a document. */
function damagedJson(text: string, random: Random): string {
  const document: unknown = JSON.parse(text);
  const piece = (): unknown =>
    random.pick([
      ...VALUES,
      JUNK[random.below(JUNK.length)],
      random.below(1_000),
      [random.below(9)],
      document,
    ] as never);
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    let at = document as Record<string, unknown>;
    for (let depth = random.below(9); depth > 0; depth -= 1) {
      const inner = Object.values(at).filter((value) => typeof value === "object" && value !== null);
      at = (inner[random.below(inner.length)] ?? at) as Record<string, unknown>;
    }
    const keys = Object.keys(at);
    const key = keys[random.below(keys.length)] ?? "x";
    const how = random.below(5);
    if (how === 0) Reflect.deleteProperty(at, key);
    else if (how === 1) at[JUNK[random.below(JUNK.length)] ?? ""] = at[key];
    else at[key] = how === 2 ? [structuredClone(at[key]), structuredClone(at[key])] : structuredClone(piece());
  }
  return JSON.stringify(document);
}

const VALUES = [null, true, 0, -1, 1.5, "", "a@b.c", [], {}, { id: 7 }, "2026-01-01T00:00:00Z"] as const;

/** The text after one to four damages. It is at most a few thousand characters longer. */
function damaged(text: string, random: Random): string {
  let result = text;
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const from = random.below(result.length + 1);
    const to = Math.min(result.length, from + random.below(random.chance(0.2) ? 400 : 12));
    const piece = random.pick([
      "",
      JUNK[random.below(JUNK.length)] ?? "",
      result.slice(from, to).repeat(1 + random.below(4)),
      String.fromCharCode(random.below(256)),
    ]);
    result = result.slice(0, from) + piece + result.slice(random.chance(0.5) ? to : from);
  }
  return result;
}

/** With the hash that an attacker would compute. */
function withHash(text: string): string {
  try {
    const document: unknown = JSON.parse(text);
    return isObject(document) ? JSON.stringify({ ...document, hash: hashOf(document) }) : text;
  } catch {
    return text;
  }
}

/** Gives one answer to every request. */
class Answering extends Dispatcher {
  readonly #answer: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };

  constructor(answer: { readonly status: number; readonly headers: Record<string, string>; readonly body: string }) {
    super();
    this.#answer = answer;
  }

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
    const { status, headers, body } = this.#answer;
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, status, headers);
    handler.onResponseData?.(controller, Buffer.from(body));
    handler.onResponseEnd?.(controller, {});
    return true;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}
