import { readFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { loadSeed } from "../../../src/emulator/index.ts";
import { workspace, type Workspace } from "../../support/workspace.ts";
import type { Block } from "./blocks.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
/** Where the emulator of the README listens; here it takes any free port. */
const SHOWN_URL = "http://127.0.0.1:8010";

/** A command and what a README says that it prints; `...` stands for any number of lines. */
interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

interface Session {
  readonly space: Workspace;
  /** Of the last command. */
  code: number;
}

/** Does what the blocks say, against an emulator with the seed of the first, and holds what comes out against what they show. */
export async function play(blocks: readonly Block[]): Promise<number> {
  const seed = blocks[0]?.attributes["seed"] ?? "";
  const session: Session = {
    space: await workspace({ seed: loadSeed(readFileSync(join(ROOT, seed), "utf8")) }),
    code: 0,
  };
  await symlink(join(ROOT, "examples"), join(session.space.folder, "examples"));
  let played = 0;
  for (const { language, attributes, text } of blocks) {
    if (attributes["file"] !== undefined) await session.space.configure(`${text}\n`, attributes["file"]);
    if (language !== "console") continue;
    for (const { command, shown } of stepsOf(text)) {
      const printed = await perform(session, command);
      expect(differenceOf(shown.map(neutral), printed.map(neutral)), `$ ${command}\n${printed.join("\n")}`).toBe("");
      played += 1;
    }
  }
  return played;
}

function stepsOf(text: string): readonly Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...shown] = part.trimEnd().split("\n");
      return { command, shown };
    });
}

/** What a command prints, line by line. */
async function perform(session: Session, command: string): Promise<readonly string[]> {
  if (command === "echo $?") return [String(session.code)];
  if (command.startsWith("curl ")) return request(session.space, command);
  const [name, ...args] = command.split(" ");
  if (name !== "driftline") throw new Error(`no idea how to run ${command}`);
  let printed = "";
  const write = (text: string): void => void (printed += text);
  const { code } = await session.space.run(args, { runtime: { out: write, err: write } });
  session.code = code;
  return printed.trimEnd().replaceAll(session.space.emulator.url, SHOWN_URL).split("\n");
}

/** Sends what a curl command would send: machines that test have no curl. */
async function request({ emulator }: Workspace, command: string): Promise<readonly string[]> {
  const one = (pattern: RegExp): string => pattern.exec(command)?.[1] ?? "";
  const headers = [...command.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = "", value = ""]): [string, string] => [
    name,
    value,
  ]);
  const url = one(/ (http:\S+)$/).replace(SHOWN_URL, emulator.url);
  const { status } = await fetch(url, { method: one(/-X (\w+)/), headers, body: one(/-d '([^']+)'/) });
  expect(status, command).toBe(200);
  return [""];
}

/** Ids and times are new in every run. */
function neutral(line: string): string {
  return line
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
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
