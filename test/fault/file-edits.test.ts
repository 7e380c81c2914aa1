/**
 * A command that is killed (SIGKILL) while it edits configuration files leaves each of them with the old or the new content.
 *
 * Terms: a moment is before or after a call that touches a configuration file, or in the middle of a write.
 * Algorithm: the moments of an undisturbed run are counted first, and its files are the expected ones. Then a process is killed at
 * each moment, or at a fifth of them, unless DRIFTLINE_TESTS is `all`. Afterwards the next run has to finish the work, regardless of what the killed one left in the folder.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { part } from "../support/budget.ts";
import { spawnCli, type CliResult } from "../support/cli.ts";
import { seededRandom } from "../support/random.ts";
import type { Workspace } from "../support/workspace.ts";
import { editedWorkspace, FILES, ORGANIZATION, type Texts } from "./edited-files.ts";

const AT_ONCE = 4;
const GONE = "0190aa11-0000-4000-8000-00000000dead";

/** Two objects that do not exist, in two files. */
const NEW: Texts = {
  "acme.yaml": FILES["acme.yaml"]?.replace("acme.com", "new.example") ?? "",
  "web.yaml": FILES["web.yaml"]?.replace("name: One", "name: New") ?? "",
};

/** The same two, with pins that are missing. */
const MISSING: Texts = {
  "acme.yaml": NEW["acme.yaml"]?.replace("{ domain:", `{ id: ${GONE}, domain:`) ?? "",
  "web.yaml": NEW["web.yaml"]?.replace("name: New", "id: 4040\n            name: New") ?? "",
};

const SEED = {
  organizations: [
    {
      ...ORGANIZATION,
      projects: [
        { id: 2, name: "Web", insights: ["One", "Two"].map((name) => ({ name, tags: ["a"], saved: true })) },
        { id: 3, name: "Mobile", insights: [{ name: "Three", saved: true }] },
      ],
    },
  ],
};

interface Row {
  readonly args: readonly string[];
  readonly files?: Texts;
  /** The changes on the service before the run. */
  readonly before?: (space: Workspace) => void;
  /** The command that finishes the work of a killed run, if it is not the same one. */
  readonly finish?: readonly string[];
}

const RECREATE = ["--recreate", "acme/domains/corp", "--recreate", "acme/projects/web/insights/one"];

const ROWS: Readonly<Record<string, Row>> = {
  import: { args: ["import", "--all", "--yes"] },
  pin: { args: ["pin", "--yes"] },
  "drift --accept": {
    args: ["drift", "--accept", "--yes"],
    before: ({ emulator }) => {
      emulator.edit("organization", String(emulator.find("organization")[0]?.["id"]), { enforce_2fa: true });
      emulator.edit("insight", Number(emulator.find("insight")[0]?.["id"]), { tags: ["a", "b"] });
    },
  },
  "apply --pin": {
    args: ["apply", "--yes", "--pin"],
    files: NEW,
    finish: ["pin", "--yes", "--only", "acme/domains/corp", "--only", "acme/projects/web/insights/one"],
  },
  "apply --recreate": { args: ["apply", "--yes", ...RECREATE], files: MISSING },
};

it.each(Object.entries(ROWS))(
  "%s leaves each file old or new, and the next run finishes the work",
  async (_name, row) => {
    const whole = await runUntil(row, 0);
    expect(whole.code, whole.stderr).toBe(0);
    const moments = Number(/moments: (\d+)/.exec(whole.stderr)?.[1]);
    expect(moments).toBeGreaterThan(10);
    const files = row.files ?? FILES;
    expect(Object.keys(files).every((file) => whole.texts[file] !== files[file])).toBe(true);
    const killAt = async (moment: number): Promise<void> => {
      const { stderr, texts, space } = await runUntil(row, moment);
      const where = `at moment ${String(moment)}`;
      expect(stderr, where).not.toContain("moments:");
      for (const [file, text] of Object.entries(texts)) expect([files[file], whole.texts[file]], where).toContain(text);
      const again = await space.run([...(row.finish ?? row.args), "config"]);
      expect(again.code, `${where}: ${again.stderr}`).toBe(0);
      expect(await textsOf(space), where).toEqual(whole.texts);
      expect((await space.run(["plan", "--detailed-exitcode", "config"])).code, where).toBe(0);
    };
    const left = [
      ...part(
        Array.from({ length: moments }, (_, index) => index + 1),
        row.args.join(" ").length,
      ),
    ];
    console.log(`${row.args.join(" ")}: killed at ${String(left.length)} of ${String(moments)} moments`);
    const worker = async (): Promise<void> => {
      for (let moment = left.pop(); moment !== undefined; moment = left.pop()) await killAt(moment);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  },
);

/** Runs the real command up to a moment; 0 is to its end. */
async function runUntil(
  { args, files = FILES, before }: Row,
  moment: number,
): Promise<CliResult & { readonly space: Workspace; readonly texts: Texts }> {
  const random = seededRandom(5);
  const options = { seed: SEED, random: () => random.next() };
  const { space, env } = await editedWorkspace(options, files, moment);
  before?.(space);
  const { result } = spawnCli([...args, "config"], { cwd: space.folder, env });
  return { ...(await result), space, texts: await textsOf(space) };
}

/**
 * The files that a later run reads, without other files that a killed run leaves beside them. Two objects that are created side by
 * side get their ids in any order, so an id of an object that exists is "live", as is its short id in the address of its page.
 */
async function textsOf({ folder, emulator }: Workspace): Promise<Texts> {
  const live = (["domain", "insight"] as const).flatMap((kind) => emulator.find(kind));
  const ids = new Set(live.flatMap(({ id, short_id: short }) => [String(id), String(short)]));
  const withoutIds = (text: string): string =>
    text.replaceAll(/(?<=\bid: |\/insights\/)[\w-]+/gu, (id) => (ids.has(id) ? "live" : id));
  const all = await readdir(join(folder, "config"));
  const names = all.filter((name) => name.endsWith(".yaml"));
  expect(
    all.filter((name) => !names.includes(name) && !/\.yaml(?:\.lock|(?:\.lock)?\.[0-9a-f-]{36}\.new)$/.test(name)),
  ).toEqual([]);
  const texts = await Promise.all(names.map((name) => readText(join(folder, "config", name))));
  return Object.fromEntries(names.map((name, index) => [name, withoutIds(texts[index] ?? "")]));
}

/** A file without the port of the service, which stands in the pages of objects and is another one for each workspace. */
async function readText(path: string): Promise<string> {
  return (await readFile(path, "utf8")).replaceAll(/(?<=127\.0\.0\.1:)\d+/gu, "PORT");
}
