import type { Clock } from "../../src/api/client.ts";
import { systemClock } from "../../src/api/limits/clock.ts";
import { applyPlan } from "../../src/engine/apply/apply-plan.ts";
import type { EmulatedKind, Emulator, StoredObject } from "../../src/emulator/index.ts";
import { isAsDeclared, type Outcome } from "../../src/model/outcome.ts";
import { outcomesOf, type CliResult } from "../support/cli.ts";
import { withLibrary } from "../support/ways.ts";
import { SEED, type Workspace } from "../support/workspace.ts";

export const ACME = SEED.organizations[0]?.id ?? "";

/** A clock whose waits end at once. */
export function instantClock(): Clock {
  let time = Date.now();
  return {
    now: () => time,
    random: () => 0,
    sleep: async (ms) => {
      time += Math.max(0, ms);
      await Promise.resolve();
    },
  };
}

/** One resource that can be created. */
export interface Creatable {
  readonly name: string;
  /** The configuration below `organizations`. */
  readonly config: object;
  readonly stored: EmulatedKind;
  readonly is: (object: StoredObject) => boolean;
  /** Path of the create and of its list. */
  readonly path: RegExp;
}

const named = (object: StoredObject): boolean => object["name"] === "Made";
const EXPORT = { name: "Made", interval: "hour", destination: { type: "NoOp", config: {} } };
const acme = (inner: object): object => ({ acme: { id: ACME, ...inner } });
const web = (inner: object): object => acme({ projects: { web: { id: "2", ...inner } } });

const plugin = (group: string): Creatable => ({
  name: group,
  config: acme({ [`${group}s`]: { p: { name: "Made", plugin_type: "source" } } }),
  stored: group as EmulatedKind,
  is: named,
  path: new RegExp(`/${group}s/?$`),
});

/** Every kind that is created; memberships by an invite, batch exports on both routes. */
export const CREATABLE: readonly Creatable[] = [
  {
    name: "organization",
    config: { beta: { name: "Made", lifecycle: { create: true } } },
    stored: "organization",
    is: named,
    path: /\/organizations\/?$/,
  },
  {
    name: "domain",
    config: acme({ domains: { d: { domain: "made.com" } } }),
    stored: "domain",
    is: () => true,
    path: /\/domains\/?$/,
  },
  {
    name: "invite",
    config: acme({ invites: { i: { target_email: "Made@acme.com", level: "admin" } } }),
    stored: "invite",
    is: () => true,
    path: /\/invites\/?$/,
  },
  {
    name: "membership",
    config: acme({ memberships: { "made@acme.com": { level: "admin" } } }),
    stored: "invite",
    is: () => true,
    path: /\/invites\/?$/,
  },
  {
    name: "batch_export",
    config: acme({ batch_exports: { e: EXPORT } }),
    stored: "batch_export",
    is: named,
    path: /\/batch_exports\/?$/,
  },
  {
    name: "batch_export of a project",
    config: web({ batch_exports: { e: EXPORT } }),
    stored: "batch_export",
    is: named,
    path: /\/batch_exports\/?$/,
  },
  plugin("pipeline_destination"),
  plugin("pipeline_frontend_app"),
  plugin("pipeline_import_app"),
  {
    name: "insight",
    config: web({ insights: { i: { name: "Made" } } }),
    stored: "insight",
    is: named,
    path: /\/insights\/?$/,
  },
];

export const configOf = (organizations: object): object => ({ driftline: 1, organizations });

/** The objects that a create has made. A plugin may be in any group. */
export function made(
  { emulator }: { readonly emulator: Emulator },
  { stored, is }: Creatable,
): readonly StoredObject[] {
  if (!stored.startsWith("pipeline_")) return emulator.find(stored, is);
  const groups = ["pipeline_destination", "pipeline_frontend_app", "pipeline_import_app"] as const;
  const found = groups.flatMap((group) => emulator.find(group, is));
  return [...new Map(found.map((object) => [object["id"], object])).values()];
}

/** Applies on a clock of its own; a request without an answer may take effect for one second of it. */
export async function applyNow(space: Workspace, args: readonly string[] = []): Promise<CliResult> {
  const options = ["--yes", "--format", "json", "--settle-after", "1"];
  return space.run(["apply", ...options, ...args], { runtime: { clock: instantClock() } });
}

/** The outcomes of all changes except `no_op`. */
export function changesOf(result: CliResult): readonly Outcome[] {
  return outcomesOf(result).changes.filter(({ action }) => action !== "no_op");
}

/** Whether the outcome of a create is correct. */
export function isHonest(outcome: Outcome, count: number): boolean {
  if (isAsDeclared(outcome)) return count === 1;
  if (outcome.status === "failed" || outcome.status === "skipped") return count === 0;
  return true;
}

/** Applies through the library, in real time: the first request of three seconds may still take effect. */
export function applyWithLibrary(space: Workspace, timeouts = {}): Promise<readonly Outcome[]> {
  return withLibrary(
    space,
    "driftline.plan",
    async (run) => {
      const { changes } = await applyPlan(run, { document: run.document }, { settleAfter: 3 });
      return changes.filter(({ action }) => action !== "no_op");
    },
    { clock: systemClock, timeouts },
  );
}
