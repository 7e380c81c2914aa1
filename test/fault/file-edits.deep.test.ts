/**
 * A process that is killed while it edits configuration files leaves each of them as it was, or as it should be.
 *
 * Terms: a moment is before or after a call that touches a configuration file, or in the middle of a write.
 * Algorithm: a run that nothing befalls is counted first, and shows what each file should hold. Then there is a run for each
 * moment, in which the file system does nothing any more from that moment on. Afterwards the same command has to finish the work.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { seededRandom } from "../support/random.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const fault = vi.hoisted(() => ({ isArmed: false, moment: 0, killAt: 0, isDead: false }));

vi.mock(import("node:fs/promises"), async (original) => {
  const real = await original();
  type Call = (...given: readonly unknown[]) => Promise<unknown>;
  const reach = (): void => {
    fault.moment += 1;
    fault.isDead ||= fault.moment === fault.killAt;
    if (fault.isDead) throw new Error("killed");
  };
  const killable =
    (call: Call, half?: Call): Call =>
    async (...given) => {
      if (!fault.isArmed || !/\.yaml/.test(String(given[0]))) return call(...given);
      reach();
      if (fault.moment + 1 === fault.killAt) await half?.(...given);
      if (half !== undefined) reach();
      const result = await call(...given);
      reach();
      return result;
    };
  const half: Call = (path, text, ...more) =>
    (real.writeFile as Call)(path, String(text).slice(0, String(text).length / 2), ...more);
  const replaced = {
    writeFile: killable(real.writeFile as Call, half),
    rename: killable(real.rename as Call),
    chmod: killable(real.chmod as Call),
    rm: killable(real.rm as Call),
  };
  return { ...real, ...replaced } as typeof real;
});

const FILES = {
  "acme.yaml": `# people
driftline: 1
organizations:
  acme:
    name: Acme Inc # legal
    enforce_2fa: false
    domains:
      corp: { domain: acme.com }
`,
  "web.yaml": `driftline: 1
organizations:
  acme:
    projects:
      web:
        name: Web
        insights:
          one:
            # the first one
            name: One
            tags: [a]
`,
};

const SEED = {
  organizations: [
    {
      name: "Acme Inc",
      enforce_2fa: false,
      domains: [{ domain: "acme.com" }, { domain: "acme.de" }],
      projects: [
        { id: 2, name: "Web", insights: ["One", "Two"].map((name) => ({ name, tags: ["a"], saved: true })) },
        { id: 3, name: "Mobile", insights: [{ name: "Three", saved: true }] },
      ],
    },
  ],
};

/** Names of commands, with what they run and what has happened on the service before. */
const COMMANDS: readonly (readonly [string, readonly string[], (space: Workspace) => void])[] = [
  ["import", ["import", "--all", "--yes", "config"], () => undefined],
  ["pin", ["pin", "--yes", "config"], () => undefined],
  [
    "drift --accept",
    ["drift", "--accept", "--yes", "config"],
    ({ emulator }) => {
      emulator.edit("organization", String(emulator.find("organization")[0]?.["id"]), { enforce_2fa: true });
      emulator.edit("insight", Number(emulator.find("insight")[0]?.["id"]), { tags: ["a", "b"] });
    },
  ],
];

it.each(COMMANDS)("%s leaves each file old or new, and can be run again", async (_name, args, before) => {
  const whole = await runUntil(args, before, 0);
  expect(whole.code).toBe(0);
  expect(whole.moments).toBeGreaterThan(10);
  for (let killAt = 1; killAt <= whole.moments; killAt++) {
    const { texts, space } = await runUntil(args, before, killAt);
    for (const [file, text] of Object.entries(texts)) {
      const old = FILES[file as keyof typeof FILES] as string | undefined;
      expect([old, whole.texts[file]], `${file} at moment ${String(killAt)}`).toContain(text);
    }
    expect((await space.run(args)).code).toBe(0);
    expect(await textsOf(space)).toEqual(whole.texts);
  }
});

async function runUntil(args: readonly string[], before: (space: Workspace) => void, killAt: number) {
  const random = seededRandom(5);
  const space = await workspace({ seed: SEED, dialect: "deployed", random: () => random.next() });
  await mkdir(join(space.folder, "config"));
  for (const [file, text] of Object.entries(FILES)) await writeFile(join(space.folder, "config", file), text);
  before(space);
  Object.assign(fault, { isArmed: true, moment: 0, killAt, isDead: false });
  const { code } = await space.run(args);
  Object.assign(fault, { isArmed: false, isDead: false });
  return { space, code, moments: fault.moment, texts: await textsOf(space) };
}

/** The files that a later run reads. */
async function textsOf({ folder }: Workspace): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(join(folder, "config"))).filter((name) => name.endsWith(".yaml"));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, "config", name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}
