import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type Dispatcher } from "undici";
import { stringify } from "yaml";
import { startEmulator, type Dialect, type Emulator, type FaultHandle } from "../../../src/emulator/index.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { cli, envOf, type CliResult } from "../../support/cli.ts";
import type { FaultRow } from "./faults.ts";
import { pathOf } from "./requests.ts";
import { pictureOf, type Column } from "./specimens.ts";
import { virtualTime, type VirtualTime } from "./time.ts";
import { isKeyedByEmail, isDerived } from "../../../src/kinds/registry.ts";

export type { Dialect };

/** The result of a column without faults; undefined if the dialect does not support it. */
export interface Reference {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** One emulator, one folder, and a client whose time is the emulator's. */
interface Stage {
  readonly emulator: Emulator;
  readonly time: VirtualTime;
  readonly picture: () => readonly string[];
  readonly run: (args: readonly string[]) => Promise<CliResult>;
  /** The same with faults of the client's own connections. */
  readonly runFaulted: Stage["run"];
  /** The number of requests that failed by a fault of the client's own connection. */
  readonly refusals: () => number;
}

/** The client's time-out for requests that are known to run into it: as short as possible. Milliseconds. */
const PATIENCE = 40;
const FREE_PORT = "http://127.0.0.1:1";

async function onStage<T>(
  column: Column,
  dialect: Dialect,
  fault: FaultRow | undefined,
  play: (stage: Stage) => Promise<T>,
): Promise<T> {
  const time = virtualTime();
  const folder = await mkdtemp(join(tmpdir(), "driftline-cell-"));
  const seed = { organizations: column.organizations } as never;
  const emulator = await startEmulator({ seed, dialect, maxPageSize: 2, now: time.now, sleep: time.sleep });
  const agent = new Agent();
  const { method } = column.request.operation;
  const path = pathOf(column.request.operation);
  const first = fault?.nth ?? 1;
  let matches = 0;
  let refused = 0;
  const dispatch: Dispatcher.DispatcherComposeInterceptor = (next) => (options, handler) => {
    const isIt = options.method === method && path.test(options.path.split("?")[0] ?? "");
    matches += isIt ? 1 : 0;
    const isStruck = isIt && (matches === first || (matches > first && fault?.lasting === true));
    if (isStruck && fault?.refused === true) {
      refused += 1;
      return next({ ...options, origin: FREE_PORT }, handler);
    }
    const patience = { headersTimeout: PATIENCE, bodyTimeout: PATIENCE };
    return next(isStruck && fault?.timesOut === true ? { ...options, ...patience } : options, handler);
  };
  const faulty = agent.compose(dispatch);
  try {
    await writeFile(join(folder, "driftline.yaml"), stringify(column.config));
    const env = envOf(emulator, join(folder, "state"));
    return await play({
      emulator,
      time,
      picture: () => pictureOf(column.specimen, (kind) => emulator.find(kind)),
      run: (args) => cli(args, { cwd: folder, env, runtime: { clock: time.clock, dispatcher: agent } }),
      runFaulted: (args) => {
        matches = 0;
        return cli(args, { cwd: folder, env, runtime: { clock: time.clock, dispatcher: faulty } });
      },
      refusals: () => refused,
    });
  } finally {
    await agent.destroy();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const apply = (column: Column): readonly string[] => ["apply", "--yes", "--format", "json", ...column.args];
const PLAN = ["plan", "--format", "json", "--detailed-exitcode"];

/** A run without faults. */
export function refer(column: Column, dialect: Dialect): Promise<Reference | undefined> {
  return onStage(column, dialect, undefined, async ({ emulator, picture, run }) => {
    const before = picture();
    const watch = watchOf(emulator, column);
    const { code } = await run(apply(column));
    if (code !== 0) return undefined;
    if (watch.matches === 0) throw new Error(`${column.name} does not lead to ${column.request.operation.name}`);
    return { before, after: picture() };
  });
}

/** A rule that never applies, and counts the requests that match. */
function watchOf(emulator: Emulator, { request }: Column): FaultHandle {
  const { method } = request.operation;
  return emulator.faults.add({
    method,
    path: pathOf(request.operation),
    nth: 1_000_000,
    fault: { type: "drop-before" },
  });
}

/** The problems of a cell; none if it is correct. */
export function tryCell(
  column: Column,
  fault: FaultRow,
  dialect: Dialect,
  reference: Reference,
): Promise<readonly string[]> {
  return onStage(column, dialect, fault, async (stage) => {
    const problems: string[] = [];
    const expect = (holds: boolean, problem: () => string): void => {
      if (!holds) problems.push(problem());
    };
    const { emulator, picture, time } = stage;
    const run = stage.runFaulted;
    if (column.request.role === "list") {
      inject(emulator, column, fault, time);
      const { code } = await run(PLAN);
      const isRead = emulator.requests.every(({ method }) => method === "GET");
      expect(isRead && same(picture(), reference.before), () => `a plan wrote something (exit ${String(code)})`);
      emulator.faults.clear();
      emulator.clearRequests();
    }
    const handles = inject(emulator, column, fault, time);
    const first = await run(apply(column));
    const hits = handles.reduce((sum, handle) => sum + handle.hits, 0) + stage.refusals();
    expect(hits > 0, () => "the fault befell nothing");
    problems.push(...untrue(column, fault, first, picture(), reference));
    emulator.faults.clear();
    problems.push(...(await rest(stage, column, fault, reference, first)));
    return problems.map((problem) => `${problem}\n${first.stderr.trim()} exit ${String(first.code)} ${brief(first)}`);
  });
}

function inject(
  emulator: Emulator,
  { request, specimen }: Column,
  fault: FaultRow,
  time: VirtualTime,
): readonly FaultHandle[] {
  const { method } = request.operation;
  const times = fault.lasting === true ? {} : { times: 1 };
  return fault
    .faults(specimen.field, time.clock.now())
    .map((one) =>
      emulator.faults.add({
        method,
        path: pathOf(request.operation),
        nth: fault.nth ?? 1,
        ...(fault.lasting === true ? { times: 1_000_000 } : times),
        fault: one,
      }),
    );
}

/** The problems of a result: work that was not done, objects that should not change, wrong outcomes. */
function untrue(
  column: Column,
  fault: FaultRow,
  result: CliResult,
  now: readonly string[],
  { before, after }: Reference,
): readonly string[] {
  const problems: string[] = [];
  const outcomes = outcomesIn(result);
  const isDone = same(now, after);
  if (result.code === 0 && !isDone && fault.doubles !== true)
    problems.push(`exit 0, but it is ${list(now)}, not ${list(after)}`);
  const untouched = before.filter((line) => after.includes(line));
  if (!untouched.every((line) => now.includes(line))) problems.push(`undeclared objects have changed: ${list(now)}`);
  const twice = now.filter(
    (line, index) => now.indexOf(line) !== index || now.filter((other) => nameIn(other) === nameIn(line)).length > 1,
  );
  if (twice.length > 0 && fault.doubles !== true) problems.push(`there twice: ${list(twice)}`);
  for (const outcome of outcomes.filter(({ action }) => action !== "no_op" && action !== "unknown")) {
    const own = (lines: readonly string[]): readonly string[] => lines.filter((line) => belongs(line, outcome, column));
    if (outcome.status === "applied" && !same(own(now), own(after)) && fault.doubles !== true)
      problems.push(`applied, but ${list(own(now))}`);
    // Of two objects the own one was taken back.
    if (outcome.status === "yielded" && !same(own(now), own(after))) problems.push(`yielded, but ${list(own(now))}`);
    const isUndone = outcome.status === "failed" || outcome.status === "skipped";
    if (isUndone && !same(own(now), own(before)))
      problems.push(`${outcome.status}, but ${list(own(now))} after ${list(own(before))}`);
  }
  if (outcomes.length === 0 && !same(now, before)) problems.push("no outcomes, but something was written");
  const lost = outcomes.some(({ status }) => !["applied", "unchanged", "yielded"].includes(status));
  if (lost && result.code === 0) problems.push("exit 0, although not everything was applied");
  return problems;
}

/** The problems of the runs after the fault. */
async function rest(
  stage: Stage,
  column: Column,
  fault: FaultRow,
  { after }: Reference,
  first: CliResult,
): Promise<readonly string[]> {
  const { emulator, picture, run } = stage;
  const problems: string[] = [];
  if (fault.doubles === true && picture().length > after.length) {
    emulator.clearRequests();
    const next = await run(apply(column));
    const isQuiet = emulator.requests.every(({ method }) => method === "GET");
    // To a composite kind all invites of an address are one object.
    const isReported = next.code !== 0 || isDerived(column.specimen.kind);
    if (!isReported || !isQuiet) problems.push(`two of one, and the next run exits with ${String(next.code)}`);
    removeDouble(emulator, column);
  }
  // If nothing is left to be done, the plan says so.
  if (first.code !== 0 || fault.doubles === true) {
    let again = await run(apply(column));
    // An invite whose field was ignored is sent anew only if it is asked for.
    const kept = keptInvite(first, again);
    if (kept !== undefined) again = await run([...apply(column), "--only", kept]);
    if (again.code !== 0)
      problems.push(`the next run exits with ${String(again.code)}: ${again.stderr}${brief(again)}`);
  }
  if (!same(picture(), after)) problems.push(`after the next run it is ${list(picture())}, not ${list(after)}`);
  emulator.clearRequests();
  const plan = await run(PLAN);
  if (plan.code !== 0) problems.push(`the plan after that is not empty: exit ${String(plan.code)} ${plan.stderr}`);
  if (emulator.requests.some(({ method }) => method !== "GET")) problems.push("a plan wrote something");
  return problems;
}

/** The address of an open invite that the next run leaves alone, because the first one said which field the service ignored. */
function keptInvite(first: CliResult, next: CliResult): string | undefined {
  const ignored = outcomesIn(first).filter(({ error }) => error?.code === "ignored_by_service");
  const kept = outcomesIn(next).find(({ blocked }) => blocked?.rule === "resend");
  return ignored.find(({ address }) => address === kept?.address)?.address;
}

/** Removes the newer one of two, as a person would. */
function removeDouble(emulator: Emulator, { specimen }: Column): void {
  const [kind = "insight"] = specimen.stored;
  const found = specimen.stored.flatMap((stored) => emulator.find(stored).map((object) => ({ stored, object })));
  const [, fresh] = specimen.fresh ?? ["", {}];
  const [field = ""] = specimen.fields;
  const wanted = Object.entries(fresh).find(([name]) => name === field)?.[1] as unknown;
  const double = found.findLast(({ object }) => object[field] === wanted);
  if (double !== undefined) emulator.remove(double.stored, double.object.id);
  else throw new Error(`there is no second ${kind}`);
}

/** The value of the first field, which names an object. */
function nameIn(line: string): string {
  return (
    line
      .replaceAll(/(?:^| )(?:target_)?email=null/g, "")
      .trim()
      .split(" ")[0]
      ?.split("=")[1] ?? ""
  );
}

function belongs(line: string, { address }: Outcome, { specimen }: Column): boolean {
  const name = address.split("/").at(-1) ?? "";
  const isFresh = name === specimen.fresh?.[0];
  const values: object = isFresh ? (specimen.fresh?.[1] ?? {}) : specimen.declared[1];
  const key = Object.entries(values).find(([field]) => specimen.fields.includes(field))?.[1] as unknown;
  const wanted = isKeyedByEmail(specimen.kind.name) ? name : key;
  return nameIn(line) === JSON.stringify(wanted);
}

function outcomesIn({ stdout }: CliResult): readonly Outcome[] {
  if (!stdout.startsWith("{")) return [];
  return (JSON.parse(stdout) as { readonly changes?: readonly Outcome[] }).changes ?? [];
}

function brief(result: CliResult): string {
  return outcomesIn(result)
    .map(
      ({ address, action, status, error }) =>
        `${address} ${action} ${status} ${error?.code ?? ""} ${error?.message ?? ""}`,
    )
    .join("; ");
}

const same = (a: readonly string[], b: readonly string[]): boolean => a.join("\n") === b.join("\n");
const list = (lines: readonly string[]): string => `[${lines.join(" | ")}]`;
