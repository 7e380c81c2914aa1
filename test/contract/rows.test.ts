/*
 * The contract of the emulator. Each file of `rows` is a table for the dialect of its folder; a case of it begins with `# ` and its name,
 * with the numbers of the facts that it repeats. What stands above the first case is done before each of them. A line that begins with
 * two spaces belongs to the one before, and `//` begins a comment.
 *
 *   let HOURLY = {<<: $BODY, interval: hour}
 *   POST $PB {<<: $HOURLY, name: x*256} -> 400 max_length name
 *   by mia GET $O/members/?limit=1 -> 200 {length(results): 1, results.*.user.email: [~mia]} as seen
 *
 * A row is a request, and then what of the answer matters: status, code and field of an error, and parts by their path. A row without `->`
 * has to succeed. `each a | b => row` is the row with each of them for `%`, and `3x row` the row with 1, 2 and 3. Values are YAML; `$name` is a value and `${name}` a part of a text; `x*401` is a text of that length. Objects are compared
 * in the parts that are named, or in whole after `=`. `~a` is a text that contains it, `/a/` one that matches, and `not a` another one.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { startEmulator, type Dialect, type Emulator, type Seed } from "../../src/emulator/index.ts";
import { EVENT_SEED } from "../unit/emulator/events.ts";
import { FOREIGN, ORG, SEED, UNKNOWN } from "../unit/emulator/harness.ts";

const FOLDER = new URL("rows/", import.meta.url);
const SEEDS: Readonly<Record<string, Seed>> = { people: SEED, events: EVENT_SEED };

/** Short forms of calls of the control interface. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/^insert (\S+) (\d+) (.*)$/, "control POST /objects/$1 {scope: {project: $2}, values: $3}"],
  [/^insert (\S+) (\S+) (.*)$/, "control POST /objects/$1 {scope: {organization: $2}, values: $3}"],
  [/^edit (\S+) (\S+) (.*)$/, "control PATCH /objects/$1/$2 $3"],
  [/^remove (\S+) (\S+)$/, "control DELETE /objects/$1/$2"],
  [/^find (\S+)$/, "control GET /objects/$1"],
  [/^project (\d+) (.*)$/, "control PATCH /projects/$1 $2"],
  [/^events (\d+) (.*)$/, "control POST /projects/$1/events $2"],
  [/^switch (.*)$/, "control PATCH /switches $1"],
  [/^fault (.*)$/, "control POST /faults $1"],
];

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly value: unknown;
}

/** Follows a path of keys. `*` takes all elements. */
function at(value: unknown, [key = "", ...rest]: readonly string[]): unknown {
  if (key === "") return value;
  if (key === "*") return (value as readonly unknown[]).map((element) => at(element, rest));
  return at((value as Readonly<Record<string, unknown>> | null | undefined)?.[key], rest);
}

/** Other views of a part: `keys(path)`, `length(path)`, `header(name)` and so on. */
const VIEWS: Readonly<Record<string, (value: unknown, answer: Answer, name: string) => unknown>> = {
  text: (_value, { text }) => text,
  header: (_value, { headers }, name) => headers.get(name),
  keys: (value) =>
    Object.keys(value as object)
      .toSorted()
      .join(" "),
  order: (value) => Object.keys(value as object).join(" "),
  length: (value) => (value as readonly unknown[]).length,
  different: (value) => String(new Set((value as readonly unknown[]).map((one) => JSON.stringify(one))).size),
  sorted: (value) => (value as readonly unknown[]).map(String).toSorted(),
  last: (value) => (value as readonly unknown[]).at(-1),
  parsed: (value) => JSON.parse(String(value)),
};

function part(answer: Answer, key: string): unknown {
  const [, view = "", name = key] = /^(\w+)\((.*)\)$/.exec(key) ?? [];
  const value = at(answer.value, name.split("."));
  const show = VIEWS[view];
  return show === undefined ? value : show(value, answer, name);
}

/** Changes every text in a value. */
function mapped(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((element) => mapped(element, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, change)]));
}

function sent(text: string): unknown {
  if (text === "$none") return undefined;
  return text.replace(/^x\*(\d+)/, (_all, count: string) => "x".repeat(Number(count)));
}

function wished(text: string): unknown {
  if (text === "$none") return undefined;
  if (text === "$any") return expect.anything();
  if (text.startsWith("~")) return expect.stringContaining(text.slice(1));
  if (text.startsWith("not ")) return expect.not.stringContaining(text.slice(4));
  return /^\/[^]*\/$/.test(text) ? expect.stringMatching(text.slice(1, -1)) : text;
}

/** A wish for the parts that an object names. */
function partly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => partly(element));
  const isPlain = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return value;
  return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, partly(inner)])));
}

/** Creates the function that runs one line after another, on an emulator of its own. */
function runner(dialect: Dialect): (line: string) => Promise<void> {
  const names: Record<string, unknown> = { ORG, FOREIGN, UNKNOWN, O: `/api/organizations/${ORG}` };
  let now = 0;
  let emulator: Emulator | undefined;

  /** Fills in the names that are known. */
  function filled(text: string, pattern: RegExp, form: (value: unknown) => string): string {
    return text.replaceAll(pattern, (all, path: string) => {
      const [name = "", ...rest] = path.split(".");
      return Object.hasOwn(names, name) ? form(at(names[name], rest)) : all;
    });
  }
  const inText = (text: string): string => filled(text, /\$\{(\w+(?:\.\w+)*)\}/g, String);
  const inPath = (text: string): string => filled(inText(text), /\$(\w+(?:\.\w+)*)/g, String);

  function read(text: string): unknown {
    const [, count, element = ""] = /^(\d+) \* (.*)$/.exec(text) ?? [];
    if (count === undefined)
      return parse(
        filled(inText(text), /\$(\w+(?:\.\w+)*)/g, (value) => JSON.stringify(value)),
        { merge: true },
      );
    return Array.from({ length: Number(count) }, (_, index) => read(element.replaceAll("%", String(index))));
  }

  async function start(options: Readonly<Record<string, unknown>>): Promise<Emulator> {
    const { seed = "people", now: from = "2030-01-01T00:00:00Z", resolves, ...others } = options;
    now = Date.parse(String(from));
    const started = await startEmulator({
      dialect,
      controlPort: 0,
      seed: (typeof seed === "string" ? SEEDS[seed] : seed) as Seed,
      now: () => new Date(now),
      ...(resolves === undefined ? {} : { resolves: () => resolves === true }),
      ...others,
    });
    onTestFinished(() => started.close());
    for (const member of started.find("member")) {
      const { email } = member["user"] as { readonly email: string };
      names[email.split("@")[0] ?? ""] = member;
    }
    names["URL"] = started.url;
    return started;
  }

  async function request(line: string): Promise<Answer> {
    const [, key, header, control, method, path = "", body] =
      /^(?:by (\S+) )?(?:with (\S+?=.+?) )?(control )?([A-Z]+) (\S+)(?: (.*))?$/.exec(line) ?? [];
    if (method === undefined) throw new Error(`This is no row: ${line}`);
    emulator ??= await start({});
    const headers = new Headers({ authorization: `Bearer ${key ?? emulator.key}` });
    if (key === "nobody") headers.delete("authorization");
    if (body !== undefined) headers.set("content-type", "application/json");
    const [name, value] = header?.split("=") ?? [];
    if (name !== undefined && value !== undefined) headers.set(name, value);
    const payload =
      body?.startsWith("raw ") === true ? body.slice(4) : body && JSON.stringify(mapped(read(body), sent));
    const base = control === undefined ? emulator.url : emulator.controlUrl;
    const answer = await fetch(new URL(inPath(path), base), {
      method,
      headers,
      body: payload ?? null,
      redirect: "manual",
    });
    const text = await answer.text();
    const isJson = /^[[{]/.test(text);
    return { status: answer.status, headers: answer.headers, text, value: isJson ? JSON.parse(text) : text };
  }

  /** The rows of all pages of a list. */
  async function pages(line: string): Promise<Answer> {
    const answer = await request(line);
    const { results, next } = answer.value as { readonly results: readonly unknown[]; readonly next: string | null };
    if (next === null) return { ...answer, value: results };
    const rest = await pages(`GET ${next}`);
    return { ...rest, value: [...results, ...(rest.value as readonly unknown[])] };
  }

  function compare(line: string, answer: Answer, wanted: string): void {
    const [, status, code, attr, rest = ""] =
      /^(\d{3})?(?: ?([a-z]\w*)(?: (\w+))?)?(?: ?([{=].*))?$/.exec(wanted) ?? [];
    const wishes: Record<string, unknown> = rest.startsWith("{") ? (read(rest) as Record<string, unknown>) : {};
    if (code !== undefined) wishes["code"] = code;
    if (attr !== undefined) wishes["attr"] = attr === "null" ? null : attr;
    if (rest.startsWith("=")) wishes["="] = read(rest.slice(1));
    if (status === undefined && Object.keys(wishes).length === 0) throw new Error(`Nothing is expected: ${line}`);
    const seen = `${line}\n${answer.text.slice(0, 2000)}\n`;
    if (status !== undefined) expect.soft(answer.status, seen).toBe(Number(status));
    for (const [key, given] of Object.entries(wishes)) {
      const wish = key.startsWith("keys(") ? String(given).split(" ").toSorted().join(" ") : mapped(given, wished);
      const isWhole = key.endsWith("=");
      expect.soft(part(answer, isWhole ? key.slice(0, -1) : key), seen + key).toEqual(isWhole ? wish : partly(wish));
    }
  }

  async function once(action: string, wanted: string | undefined): Promise<unknown> {
    const [, word, name = "", text = ""] =
      /^(let) (\w+) = (.*)$/.exec(action) ?? /^(start|wait)() (.*)$/.exec(action) ?? [];
    if (word === "let") names[name] = read(text);
    else if (word === "wait") now += Number(text) * 1000;
    else if (word === "start") emulator = await start(read(text) as Readonly<Record<string, unknown>>);
    if (word !== undefined) return undefined;
    const answer = await (action.startsWith("all ")
      ? pages(action.slice(4))
      : request(SHORT.reduce((line, [short, long]) => line.replace(short, long), action)));
    if (wanted !== undefined) compare(`${action} -> ${wanted}`, answer, wanted);
    else expect.soft(answer.status, `${action}\n${answer.text}`).toBeLessThan(400);
    return answer.value;
  }

  /** `each a | b => row` is the row with each of them for `%`, `3x row` the row with 1, 2 and 3. */
  function repeated(line: string): readonly string[] {
    const [, list, row = line] = /^each (.*?) => (.*)$/.exec(line) ?? [];
    const [, times = "1", one = row] = /^(\d+)x (.*)$/.exec(row) ?? [];
    if (list !== undefined) return list.split(" | ").map((item) => row.replaceAll("%", item));
    return times === "1"
      ? [one]
      : Array.from({ length: Number(times) }, (_, index) => one.replaceAll("%", String(index + 1)));
  }

  return async (line) => {
    for (const one of repeated(line)) {
      const [, row = "", name] = /^(.*?)(?: as ([a-z]\w*))?$/.exec(one) ?? [];
      const [, action = "", wanted] = /^(.*?)(?: -> (.*))?$/.exec(row) ?? [];
      const value = await once(action, wanted);
      if (name !== undefined) names[name] = value;
    }
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.replaceAll(/\n {2,}/g, " ").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("//"));
}

const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".rows"));

describe.each(files.toSorted())("%s", (file) => {
  const [before = "", ...cases] = readFileSync(new URL(file, FOLDER), "utf8").split(/^# /m);
  test.each(cases.map((text) => /^(.*)\n([^]*)$/.exec(text)?.slice(1) ?? []))("%s", async (_name, rows = "") => {
    const run = runner(file.split("/")[0] as Dialect);
    for (const line of [...linesOf(before), ...linesOf(rows)]) await run(line);
  });
});
