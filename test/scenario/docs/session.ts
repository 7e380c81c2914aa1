import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";
import { createRedactor } from "../../../src/api/redact/redact.ts";
import { loadSeed } from "../../../src/emulator/index.ts";
import { workspace, type Workspace } from "../../support/workspace.ts";
import type { Block } from "./blocks.ts";
import { ROOT, textOf } from "./pages.ts";
import { inShell, isPlain, wordsOf, type Words } from "./shell.ts";

/** Where the emulator of the documentation listens; here it takes any free port. */
const SHOWN_URL = "http://127.0.0.1:8010";

/** A command and what a page says that it prints; `...` stands for any number of lines. */
interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

interface Session {
  readonly space: Workspace;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Of the last command. */
  code: number;
}

/**
 * Does what the blocks say, against an emulator with the seed of the first, and holds what comes out against what they
 * show. Returns the number of commands.
 */
export async function play(blocks: readonly Block[]): Promise<number> {
  const seed = blocks[0]?.attributes["seed"] ?? "";
  const space = await workspace({ seed: loadSeed(textOf(seed)) });
  const session: Session = { space, cwd: space.folder, env: space.env, code: 0 };
  // Elsewhere a folder of examples would be part of the configuration.
  if (blocks.some(({ text }) => /^\$ .* examples\//m.test(text)))
    await cp(join(ROOT, "examples"), join(space.folder, "examples"), { recursive: true });
  let played = 0;
  for (const { language, attributes, text } of blocks) {
    const { file } = attributes;
    if (file !== undefined) {
      const path = join(space.folder, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, language === "diff" ? patched(await readFile(path, "utf8"), text) : `${text}\n`);
    }
    if (language !== "console") continue;
    for (const { command, shown } of stepsOf(text)) {
      const printed = await perform(session, command);
      expect(differenceOf(shown.map(neutral), printed.map(neutral)), `$ ${command}\n${printed.join("\n")}`).toBe("");
      played += 1;
    }
  }
  return played;
}

/** A text with the changes of a difference, whose hunks are separated by lines of dots. */
function patched(text: string, difference: string): string {
  const side = (hunk: string, sign: string): string =>
    hunk
      .split("\n")
      .filter((line) => line.startsWith(" ") || line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  return difference.split("\n...\n").reduce((before, hunk) => {
    const parts = before.split(side(hunk, "-"));
    expect(parts, `this stands there once:\n${hunk}`).toHaveLength(2);
    return parts.join(side(hunk, "+"));
  }, text);
}

function stepsOf(text: string): readonly Step[] {
  return text
    .replaceAll(/\\\n */g, "")
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...shown] = part.trimEnd().split("\n");
      return { command, shown };
    });
}

/** What a command prints, line by line. */
async function perform(session: Session, shown: string): Promise<readonly string[]> {
  const { space } = session;
  if (shown === "echo $?") return [String(session.code)];
  const command = shown.replaceAll(SHOWN_URL, space.emulator.url);
  const words = isPlain(command) ? await wordsOf(command, session) : undefined;
  const own = words === undefined ? undefined : OWN[words.program];
  const { code, printed } = await (own === undefined || words === undefined
    ? inShell(command, session, join(space.folder, "state/bin"))
    : own(session, words));
  session.code = code;
  return printed.trimEnd().replaceAll(space.emulator.url, SHOWN_URL).split("\n");
}

type Performed = Promise<{ readonly code: number; readonly printed: string }>;

/** The programs that run in this process. */
const OWN: Readonly<Partial<Record<string, (session: Session, words: Words) => Performed>>> = {
  driftline: async ({ space, cwd, env }, words) => {
    let printed = "";
    const redactor = createRedactor();
    const raw = (_stream: string, text: string): void => void (printed += text);
    const write = (text: string): void => raw("", redactor.text(text));
    const runtime = { cwd, redactor, out: write, err: write, raw };
    const { code } = await space.run(words.args, { env: { ...env, ...words.env }, runtime });
    return { code, printed };
  },
  // Machines that test have no curl.
  curl: async (_session, { args }) => {
    const valuesOf = (flag: string): readonly string[] => args.filter((_arg, index) => args[index - 1] === flag);
    const headers = valuesOf("-H").map((header): [string, string] => [
      header.replace(/:.*$/s, ""),
      header.replace(/^[^:]*: */, ""),
    ]);
    const [body] = valuesOf("-d");
    const url = args.find((arg) => arg.startsWith("http:")) ?? "";
    const method = valuesOf("-X")[0] ?? (body === undefined ? "GET" : "POST");
    const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    expect(response.ok, `${method} ${url} ${String(response.status)}`).toBe(true);
    return { code: 0, printed: valuesOf("-o").length > 0 ? "" : await response.text() };
  },
  cd: (session, { args }) => {
    session.cwd = resolve(session.cwd, args[0] ?? "");
    return Promise.resolve({ code: 0, printed: "" });
  },
  export: (session, { args }) => {
    const pairs = args.map((arg) => [arg.replace(/=.*$/s, ""), arg.replace(/^[^=]*=/, "")] as const);
    session.env = { ...session.env, ...Object.fromEntries(pairs) };
    return Promise.resolve({ code: 0, printed: "" });
  },
};

/** Ids and times are new in every run. */
function neutral(line: string): string {
  return line
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d UTC)/g, "TIME")
    .trimEnd();
}

/** What of the lines that are shown was not printed, or the other way round; "" where they agree. */
export function differenceOf(shown: readonly string[], printed: readonly string[]): string {
  const chunks = chunksOf(shown.length === 0 ? [""] : shown);
  let at = 0;
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.length === 0) continue;
    const isLast = index === chunks.length - 1;
    const from = isLast && index > 0 ? Math.max(at, printed.length - chunk.length) : at;
    const place = index === 0 ? 0 : findFrom(printed, chunk, from);
    if (place < 0 || !chunk.every((line, offset) => printed[place + offset] === line))
      return `not printed:\n${chunk.join("\n")}`;
    at = place + chunk.length;
  }
  return at === printed.length || chunks.at(-1)?.length === 0 ? "" : `not shown:\n${printed.slice(at).join("\n")}`;
}

/** The runs of lines between the dots; an empty one where dots stand at an end. */
function chunksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const chunks: string[][] = [[]];
  for (const line of lines) {
    if (line === "...") chunks.push([]);
    else chunks.at(-1)?.push(line);
  }
  return chunks;
}

function findFrom(printed: readonly string[], chunk: readonly string[], from: number): number {
  return printed.findIndex(
    (_line, place) => place >= from && chunk.every((line, offset) => printed[place + offset] === line),
  );
}
