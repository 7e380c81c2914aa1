/** The organization of the scenarios: its declaration, its live state and its outcomes. */
import type { EmulatedKind, EmulatorOptions, StoredObject } from "../../src/emulator/index.ts";
import type { Change } from "../../src/model/change.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { outcomesOf, planOf, type CliResult } from "./cli.ts";
import type { Workspace } from "./workspace.ts";

export const ACME = "0190aa11-0000-4000-8000-00000000000a";
/** The fields of a verified domain. Deployed servers require verification before other settings. */
export const VERIFIED = { is_verified: true, verified_at: "2026-01-01T00:00:00Z" };
/** The capabilities by which deployed servers assign plugins to groups. */
export const CAPABILITIES = {
  pipeline_destinations: { methods: ["onEvent"] },
  pipeline_frontend_apps: {},
  pipeline_import_apps: { methods: [], scheduled_tasks: ["runEveryHour"] },
} as const;
export const NOOP = { type: "NoOp", config: {} };
export const QUERY = {
  kind: "InsightVizNode",
  source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "signed up" }] },
};

export const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `d${String(index)}.acme.com`);

export function seedOf(more: object = {}, project: object = {}): NonNullable<EmulatorOptions["seed"]> {
  return { organizations: [{ id: ACME, name: "Acme Inc", projects: [{ id: 2, name: "Web", ...project }], ...more }] };
}

export function config(more: object, lifecycle: object = {}): object {
  return { driftline: 1, organizations: { acme: { id: ACME, ...more, ...lifecycle } } };
}

export const web = (more: object): object => config({ projects: { web: { id: "2", ...more } } });
export const domains = (names: readonly string[], lifecycle: object = {}): object =>
  Object.fromEntries(
    names.map((domain) => [
      domain.replaceAll(".", "-"),
      { domain, ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }) },
    ]),
  );

export function stored(
  { emulator }: Pick<Workspace, "emulator">,
  kind: EmulatedKind,
  field = "name",
): readonly unknown[] {
  return emulator
    .find(kind, (object) => object["deleted"] !== true)
    .map((object) => object[field])
    .toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
}

export function one(objects: readonly StoredObject[]): StoredObject {
  const [found, more] = objects;
  if (found === undefined || more !== undefined) throw new Error(`${String(objects.length)} objects instead of one`);
  return found;
}

export function writes({ emulator }: Pick<Workspace, "emulator">): readonly string[] {
  return emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(
      ({ method, path }) =>
        `${method} ${path
          .replace(/\/$/, "")
          .replace(/^\/api\//, "")
          .replaceAll(/[0-9a-f-]{36}/g, ":id")}`,
    );
}

export function changeOf(result: CliResult, address: string): Omit<Change, "work"> {
  return planOf(result).changes.find((change) => change.address === address) ?? fail(`no change of ${address}`);
}

export function outcomeOf(result: CliResult, address: string): Outcome {
  return outcomesOf(result).changes.find((change) => change.address === address) ?? fail(`no outcome of ${address}`);
}

function fail(message: string): never {
  throw new Error(message);
}

export const planJson = (space: Workspace, ...args: readonly string[]): Promise<CliResult> =>
  space.run(["plan", "--format", "json", ...args]);
export const applyJson = (space: Workspace, ...args: readonly string[]): Promise<CliResult> =>
  space.run(["apply", "--yes", "--format", "json", ...args]);
