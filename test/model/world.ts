/** The world of the model: the configuration, the live objects, and the possible effects of each run. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { outcomesOf, type CliResult } from "../support/cli.ts";
import { seededRandom } from "../support/random.ts";
import { simulated, type SoakWorld } from "../soak/world.ts";
import type { Tally } from "../soak/tally.ts";
import { checkApply, checkDeletes, checkOnce, liveByPath } from "./checks.ts";
import { configurationOf, edited, NOTHING, type Declared } from "./declared.ts";
import { runUntil } from "./ending.ts";
import { hold } from "./hold.ts";
import { meddle } from "./meddle.ts";
import { ENV, LIVE, SECRET, SLOTS } from "./slots.ts";
import type { History, Run, Step } from "./steps.ts";

const READING: ReadonlySet<string> = new Set(["plan", "drift", "export"]);
/** The number of applies without faults that is always enough. */
const MOST_APPLIES = 4;
/** Codes of refusals that configurations of the model may cause and cannot resolve. */
const REFUSED: ReadonlySet<string> = new Set([
  "protect",
  "forgotten_rename",
  "last_owner",
  "own_user",
  "expired",
  "resend",
]);

interface State {
  readonly world: SoakWorld;
  readonly history: History;
  readonly tally: Tally;
  declared: Declared;
  /** Folder of the journal. */
  state: string;
  exports: number;
}

/** Runs a history. @throws Error that names the broken invariant and the step */
export async function live(history: History, tally: Tally): Promise<void> {
  const { dialect, maxPageSize, chance, first, steps } = history;
  const random = seededRandom(chance);
  const world = await simulated({ seed: LIVE, dialect, maxPageSize, maxRequests: 100_000 }, random);
  const declared = first.reduce((before, edit) => edited(before, edit, dialect), NOTHING);
  const now: State = { world, history, tally, declared, state: "state", exports: 0 };
  try {
    for (const [index, step] of steps.entries()) {
      await take(now, step).catch((error: unknown) => {
        throw new Error(`step ${String(index)}: ${error instanceof Error ? error.message : String(error)}`);
      });
    }
    await converge(now);
    tally.add("histories");
  } finally {
    await world.close();
  }
}

async function take(now: State, step: Step): Promise<void> {
  const { world, history } = now;
  if (step.type === "edit") now.declared = edited(now.declared, step.edit, history.dialect);
  if (step.type === "meddle") meddle(world.emulator, step.meddling);
  if (step.type === "wait") await world.drain();
  if (step.type === "run") await run(now, step.run);
}

async function run(now: State, wanted: Run): Promise<void> {
  const { world, tally } = now;
  const { emulator } = world;
  await world.configure(configurationOf(now.declared));
  verifyDomains(now);
  const args = argumentsOf(now, wanted);
  const hadIntents = await hasJournal(now);
  const before = liveByPath(emulator);
  emulator.clearRequests();
  const handles = wanted.faults.map((rule) => emulator.faults.add(rule));
  const { result, interrupted, state } = await runUntil(world, args, ENV, now.state, wanted.end);
  emulator.faults.clear();
  now.state = state;
  for (const { hits, rule } of handles) if (hits > 0) tally.hit(rule.fault.type, hits);
  const log = [...emulator.requests];
  const writes = log.filter(({ method }) => method !== "GET");
  tally.add(`${wanted.command} ${result === undefined ? "killed" : String(result.code)}`);
  tally.add("requests", log.length);
  tally.add("writes", writes.length);
  if (READING.has(wanted.command)) hold(writes.length === 0, "a command that reads has written", result, writes);
  const prune = wanted.command === "apply saved" ? await doesSavedPrune(now) : wanted.prune;
  checkDeletes({ declared: now.declared, prune, before, writes, emulator });
  checkOnce(emulator);
  await checkSecrets(now, result);
  if (result === undefined) return;
  hold(interrupted === (result.code === 130), "exit code 130 is not so", result, writes);
  hold(![10].includes(result.code), "a configuration that is valid was refused", result, writes);
  if (wanted.command !== "apply") return;
  const outcomes = result.stdout.includes('"type": "driftline.outcomes"') ? outcomesOf(result) : undefined;
  if (outcomes === undefined)
    return hold(result.code !== 0, "no outcomes were printed, and exit code 0", result, writes);
  const isUnclear =
    hadIntents || interrupted || (writes.some(({ status }) => status !== 429) && handles.some(({ hits }) => hits > 0));
  checkApply({ result, outcomes, emulator, log, isUnclear });
  if (result.code === 0) await checkDone(now, wanted, result);
}

/** After an apply with exit code 0, a plan is empty. */
async function checkDone(now: State, { prune, only }: Run, applied: CliResult): Promise<void> {
  const scope = [...(prune ? ["--prune"] : []), ...onlyOf(now, only)];
  const { result } = await runUntil(
    now.world,
    ["plan", "--format", "json", "--detailed-exitcode", ...scope],
    {},
    now.state,
    null,
  );
  hold(
    result?.code === 0,
    `exit code 0, but a plan after it gives ${String(result?.code)}: ${result?.stdout ?? ""}`,
    applied,
  );
}

function argumentsOf(now: State, { command, prune, only }: Run): readonly string[] {
  const json = ["--format", "json"];
  if (command === "export") return ["export", "--out", `.exported${String((now.exports += 1))}`];
  const limited = onlyOf(now, only);
  if (command === "drift") return ["drift", ...json, ...limited];
  const scope = [...(prune ? ["--prune"] : []), ...limited];
  if (command === "plan") return ["plan", "--out", "saved.json", ...json, ...scope];
  if (command === "apply") return ["apply", "--yes", ...json, ...scope];
  const isSaved = existsSync(join(now.world.folder, "saved.json"));
  return isSaved ? ["apply", "--plan", "saved.json", "--yes", ...json] : ["plan", ...json];
}

/** Whether the last saved plan prunes, because applying it prunes too. */
async function doesSavedPrune({ world }: State): Promise<boolean> {
  const text = await readFile(join(world.folder, "saved.json"), "utf8").catch(() => "{}");
  return (JSON.parse(text) as { readonly options?: { readonly prune?: boolean } }).options?.prune === true;
}

/** Only declared resources can be targets. */
function onlyOf({ declared }: State, only: number | null): readonly string[] {
  const address = only === null || !declared.entries.has(only) ? undefined : SLOTS[only]?.address;
  const organization = address?.split("/")[0];
  const isThere = organization === "acme" || declared.entries.has(0);
  return address === undefined || !isThere ? [] : ["--only", address];
}

/** Without faults and pending requests, a few applies converge. */
async function converge(now: State): Promise<void> {
  const { world } = now;
  await world.drain();
  await world.configure(configurationOf(now.declared));
  const flags = ["--prune", "--format", "json"];
  const run0 = (args: readonly string[]): Promise<CliResult> =>
    runUntil(world, [...args, ...flags], ENV, now.state, null).then(
      ({ result }) => result ?? { code: -1, stdout: "", stderr: "" },
    );
  let last = await run0(["apply", "--yes"]);
  for (let applies = 1; last.code !== 0 && applies < MOST_APPLIES; applies += 1) {
    verifyDomains(now);
    const approve = /--approve (sha256:\w+)/.exec(last.stderr + last.stdout)?.[1];
    last = await run0(["apply", "--yes", ...(approve === undefined ? [] : ["--approve", approve])]);
  }
  const plan = await run0(["plan", "--detailed-exitcode"]);
  const left = outcomesOf(plan).changes.filter(
    ({ action, blocked }) => action !== "no_op" && !REFUSED.has(blocked?.rule ?? ""),
  );
  hold(left.length === 0, `it never comes to rest: ${JSON.stringify(left)}`, last);
  checkOnce(world.emulator);
}

/** Deployed servers accept the settings of a domain only if it is verified. */
function verifyDomains({ world }: State): void {
  for (const { id } of world.emulator.find("domain", ({ is_verified }) => is_verified !== true))
    world.emulator.edit("domain", id, { is_verified: true, verified_at: "2029-01-01T00:00:00Z" });
}

async function hasJournal({ world, state }: State): Promise<boolean> {
  const names = await readdir(join(world.folder, state)).catch(() => []);
  return names.some((name) => name.endsWith(".journal"));
}

/** The output and the files of a run contain no secret, neither plain nor in base64. */
async function checkSecrets({ world }: State, result: CliResult | undefined): Promise<void> {
  const files = await readdir(world.folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "utf8")),
  );
  const forms = [SECRET, Buffer.from(SECRET).toString("base64")];
  const all = [...texts, result?.stdout ?? "", result?.stderr ?? ""];
  hold(!all.some((text) => forms.some((form) => text.includes(form))), "a secret was written", result);
}
