/** The image is built where Docker is. Here, its text is held to what a cluster and hadolint ask for. */
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const MANIFEST = JSON.parse(read("package.json")) as {
  readonly bin: { readonly driftline: string };
  readonly files: readonly string[];
  readonly license: string;
};

/** The instructions of the Dockerfile, a continued line as one. */
const INSTRUCTIONS = read("Dockerfile")
  .replaceAll(/^ *#.*\n/gmu, "")
  .replaceAll(/\\\n\s*/gu, "")
  .split("\n")
  .flatMap((line) => {
    const [, name, text] = /^([A-Z]+) (.*)$/u.exec(line) ?? [];
    return name === undefined || text === undefined ? [] : [{ name, text }];
  });
const LAST = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(({ name }) => name === "FROM"));

function textsOf(name: string, instructions = LAST): readonly string[] {
  return instructions.flatMap((instruction) => (instruction.name === name ? [instruction.text] : []));
}

it("begins each stage with an image whose tag names a version", () => {
  const stages = textsOf("FROM", INSTRUCTIONS);
  expect(stages).toHaveLength(2);
  for (const stage of stages) expect(stage).toMatch(/^node:20[\w.]*-[\w]+-slim(?: AS \w+)?$/u);
});

it("installs exactly the locked packages, and runs no script of theirs", () => {
  expect(textsOf("RUN", INSTRUCTIONS)[0]).toBe("npm ci --ignore-scripts");
  expect(textsOf("ADD", INSTRUCTIONS)).toEqual([]);
});

it("runs as a user that is not root, given by number", () => {
  expect(textsOf("USER")).toEqual(["1000:1000"]);
});

it("writes to the volume for the state and to nothing else", () => {
  const state = /\bDRIFTLINE_STATE_DIR=(\S+)/u.exec(textsOf("ENV").join(" "))?.[1];
  expect(textsOf("VOLUME")).toEqual([JSON.stringify([state])]);
  expect(textsOf("COPY").filter((text) => text.includes("--chown"))).toEqual([
    `--from=build --chown=1000:1000 /build/state ${String(state)}`,
  ]);
  expect(textsOf("RUN")).toEqual([]);
});

it("holds the built command with what it reads, and nothing else of the repository", () => {
  const copied = textsOf("COPY").flatMap((text) =>
    [...text.matchAll(/ \/build\/(\S+)/gu)].map(([, path = ""]) => path),
  );
  expect(copied.toSorted()).toEqual([
    "LICENSE",
    "README.md",
    "dist",
    "examples",
    "node_modules",
    "package.json",
    "schemas",
    "state",
  ]);
  expect(JSON.parse(textsOf("ENTRYPOINT")[0] ?? "")).toEqual(["node", `/opt/driftline/${MANIFEST.bin.driftline}`]);
});

it("says what it is, in the labels of the Open Container Initiative", () => {
  const labels = textsOf("LABEL").join(" ");
  for (const name of ["title", "description", "version", "revision", "source"])
    expect(labels).toMatch(new RegExp(`org\\.opencontainers\\.image\\.${name}="[^"]+"`, "u"));
  expect(labels).toContain(`licenses="${MANIFEST.license}"`);
});

it("leaves out of the build what does not belong in it, and nothing that it needs", () => {
  const ignored = read(".dockerignore").trim().split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".git", "node_modules", "dist", "**/.env*"]));
  const needed = ["package.json", "package-lock.json", "tsconfig.build.json", "src", "schemas", "examples", "scripts"];
  expect(
    needed.filter((name) => ignored.includes(name) || !existsSync(new URL(`../../${name}`, import.meta.url))),
  ).toEqual([]);
});
