import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import { cli, envOf } from "../support/cli.ts";
import { PAGE_SIZES, requestsKey, type Baseline } from "./baseline.ts";
import { scenarios } from "./scenarios.ts";

const baseline = JSON.parse(await readFile(new URL("baseline.json", import.meta.url), "utf8")) as Baseline;
const table = scenarios
  .filter(({ quick }) => quick === true)
  .flatMap((scenario) => PAGE_SIZES.map((pageSize) => ({ ...scenario, pageSize })));

it.each(table)("$name at pages of $pageSize takes as many requests as in the baseline", async (scenario) => {
  const { name, args, seed, files, pageSize, dialect = "document" } = scenario;
  const folder = await mkdtemp(join(tmpdir(), "driftline-bench-"));
  const emulator = await startEmulator({ seed, maxPageSize: pageSize, dialect });
  onTestFinished(async () => {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(join(folder, file), text)));
  const result = await cli(args, { cwd: folder, env: envOf(emulator, folder) });
  expect(result).toMatchObject({ code: 0 });
  expect(emulator.requests.length).toBe(baseline.requests[requestsKey(name, pageSize)]);
});

it.each(PAGE_SIZES)("names in the place of ids take no request at pages of %i", (pageSize) => {
  const [ids, names] = ["ids", "names"].map(
    (by) => baseline.requests[requestsKey(`plan, 100 references by ${by}`, pageSize)],
  );
  expect(names).toBe(ids);
});
