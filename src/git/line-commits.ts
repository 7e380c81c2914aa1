import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { createGit, isInRepository } from "./git.ts";
import { reading, shortCommit } from "./history.ts";

/** A line of a file. */
export interface FileLine {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** Git runs for so many files at once. */
const FILES_AT_ONCE = 20;

const UNKNOWN = "unknown";
const NOT_COMMITTED = "not committed";

/**
 * Returns a function from a line to the commit that changed it last apart from blanks, to `not committed`, or to
 * `unknown`. Two calls of git for each file.
 */
export async function commitsOfLines(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  places: readonly FileLine[],
): Promise<(place: FileLine) => string> {
  const files = [
    ...new Set(places.flatMap(({ file, line }) => (file === undefined || line === undefined ? [] : [file]))),
  ];
  const byFile = new Map<string, (line: number) => string | undefined>();
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    const some = files.slice(start, start + FILES_AT_ONCE);
    await Promise.all(some.map(async (file) => byFile.set(file, await commitsOfFile(resolve(cwd, file), env))));
  }
  return ({ file = "", line = 0 }) => byFile.get(file)?.(line) ?? UNKNOWN;
}

/** A line without blanks: formatting a file does not change what its lines say. */
function withoutBlanks(line: string): string {
  return line.replaceAll(/\s+/gu, "");
}

interface BlamedLine {
  readonly text: string;
  readonly commit: string;
}

async function commitsOfFile(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<(line: number) => string | undefined> {
  const git = reading(createGit(dirname(path), env));
  try {
    if (!isInRepository(dirname(path), env)) return () => undefined;
    const isShallow = (await git(["rev-parse", "--is-shallow-repository"])) === "true";
    const blame = ["blame", "-w", "--porcelain", "--no-textconv", "HEAD", "--", basename(path)];
    const committed = await git(blame).then((text) => parseBlame(text, isShallow), notInHead);
    const lines = (await readFile(path, "utf8")).split("\n").map(withoutBlanks);
    return (line) => commitOf(line, lines, committed);
  } catch {
    return () => undefined;
  }
}

/** A file that the last commit lacks. @throws if git says anything else */
function notInHead(error: unknown): readonly BlamedLine[] {
  if (error instanceof Error && error.message.startsWith("no such path ")) return [];
  throw error;
}

/** In a shallow clone, what its oldest commit has may be older. */
function parseBlame(text: string, isShallow: boolean): readonly BlamedLine[] {
  const boundary = new Set<string>();
  const lines: BlamedLine[] = [];
  let id = "";
  for (const line of text.split("\n")) {
    const [, start] = /^([0-9a-f]{40,64}) \d+ \d+/u.exec(line) ?? [];
    if (line.startsWith("\t")) {
      const commit = isShallow && boundary.has(id) ? UNKNOWN : shortCommit(id);
      lines.push({ text: withoutBlanks(line), commit });
    } else if (start !== undefined) id = start;
    else if (line === "boundary") boundary.add(id);
  }
  return lines;
}

/** The files that a person edits may differ from the commit: a line of the same text is the same one, if there is only one. */
function commitOf(line: number, lines: readonly string[], committed: readonly BlamedLine[]): string | undefined {
  const text = lines[line - 1];
  if (text === undefined) return undefined;
  if (committed.every((one, index) => one.text === lines[index])) return committed[line - 1]?.commit ?? NOT_COMMITTED;
  const same = committed.filter((one) => one.text === text);
  if (same.length === 0) return NOT_COMMITTED;
  const isUnique = same.length === 1 && lines.filter((one) => one === text).length === 1;
  return isUnique ? same[0]?.commit : undefined;
}
