/** Every row of the table of what old declarations do on today's service has a test, whose name begins with the row's first column. */
import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

/** Outside the project: no part of it may be committed. */
const TABLE = new URL("../../../shared/interface/current-differences.md", import.meta.url);
const table = await readFile(TABLE, "utf8").catch(() => undefined);

const HEADS = new Set(["declared or done", "old handling"]);

it.skipIf(table === undefined)("each row has a test", async () => {
  const cells = (table ?? "").split("\n").flatMap((line) => /^\| (.+?) \|/u.exec(line)?.[1] ?? []);
  const rows = cells.filter((cell) => !HEADS.has(cell));
  const plain = rows.map((row) => row.replaceAll("**", "").replace(/ \(\d+\)$/u, ""));
  const files = (await readdir(import.meta.dirname)).filter((file) => file.startsWith("current-differences-"));
  const tests = (await Promise.all(files.map((file) => readFile(`${import.meta.dirname}/${file}`, "utf8")))).join("");
  expect(plain.filter((row) => ![`"${row}"`, `"${row}: `].some((title) => tests.includes(title)))).toEqual([]);
  expect(plain).not.toEqual([]);
});
