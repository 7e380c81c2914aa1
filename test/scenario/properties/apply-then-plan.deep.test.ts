import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EmulatedKind, StoredObject } from "../../../src/emulator/index.ts";
import type { Json } from "../../../src/emulator/json.ts";
import { isSensitive } from "../../../src/model/secret-values.ts";
import { pointer } from "../../../src/model/pointer.ts";
import { isAsDeclared } from "../../../src/model/outcome.ts";
import type { PlanDocument } from "../../../src/model/plan.ts";
import { outcomesOf, planOf } from "../../support/cli.ts";
import {
  configurations,
  CONFIGURED,
  fileOf,
  SECRET_ENV,
  type Configuration,
  type Declared,
} from "../../support/configurations.ts";
import { instantClock } from "../../fault/support.ts";
import { VERIFIED } from "../../support/acme.ts";
import { contentsOf, type Content } from "./contents.ts";
import { leavesOf, mutated, type DeclaredLeaf } from "./leaves.ts";
import { must, mustBeEmpty, runs, seconds, withWorld, type World } from "./world.ts";
import { budget, isWhole } from "../../support/budget.ts";

const ACME = String(CONFIGURED.organizations[0]?.["id"]);

/** Values that deployed servers show of no export: its query in HogQL, and settings that are not an object. */
const UNTOLD: ReadonlySet<string> = new Set(["/hogql_query", "/destination/config"]);

/** A declared field that somebody else is about to change. */
interface Target {
  readonly address: string;
  readonly leaf: DeclaredLeaf;
}

describe("a random configuration", () => {
  it.each([
    ["document", 200],
    ["deployed", 60],
  ] as const)(
    "is empty to plan once applied, and an edit of one declared field is all that drift finds and apply puts right (%s)",
    { timeout: seconds(1800) },
    async (dialect, numRuns) => {
      const edited = new Set<string>();
      const property = fc.asyncProperty(configurations, fc.nat(), async (random, choice) => {
        await withWorld({ seed: CONFIGURED, dialect }, async (world) => {
          const configuration = dialect === "document" ? random : await taken(world, random);
          await world.write("driftline.yaml", fileOf(configuration.own, configuration.resources));
          await must(world, ["apply", "--yes"], SECRET_ENV);
          const plan = await mustBeEmpty(world, []);
          const isShown = ({ leaf }: Target): boolean => dialect === "document" || !UNTOLD.has(leaf.pointer);
          const targets = targetsOf(configuration).filter(isShown);
          const target = targets[choice % targets.length];
          if (target === undefined) return;
          const before = contentsOf(world.emulator, ACME);
          edited.add(edit(world, plan, target));
          expect(contentsOf(world.emulator, ACME)).not.toEqual(before);
          const drift = await driftOf(world);
          expect(drift.filter((one) => !isAt(one, target))).toEqual([]);
          expect(drift).not.toEqual([]);
          await must(world, ["apply", "--yes"], SECRET_ENV);
          const after = contentsOf(world.emulator, ACME);
          expect(settled(after, target).map(withModel)).toEqual(settled(before, target).map(withModel));
          await mustBeEmpty(world, []);
        });
      });
      await fc.assert(property, runs(budget(numRuns)));
      if (isWhole) expect(edited.size).toBeGreaterThan(Math.min(5, budget(numRuns) / 2));
    },
  );
});

/** A batch export without a model is one of events. A create leaves null out, and an update sends it. */
const withModel = <T>(content: T): T =>
  JSON.parse(JSON.stringify(content).replaceAll('"model":null', '"model":"events"')) as T;

/** The part of a configuration that a server accepts: deployed ones refuse or drop some values that the document allows. */
async function taken(world: World, { own, resources }: Configuration): Promise<Configuration> {
  await world.write("driftline.yaml", fileOf(own, resources));
  // A create that ends in a 500 is looked up as long as it may still take effect.
  const apply = ["apply", "--yes", "--format", "json", "--settle-after", "1"];
  await world.run(apply, SECRET_ENV, { clock: instantClock() });
  for (const { id } of world.emulator.find("domain")) world.emulator.edit("domain", String(id), VERIFIED);
  const { changes } = outcomesOf(await world.run(apply, SECRET_ENV, { clock: instantClock() }));
  const applied = new Set(changes.filter(isAsDeclared).map(({ address }) => address));
  // The edit raises an owner above that level, and then no one may lower the person.
  const isOwner = ({ values }: Declared): boolean => ["owner", 15].includes(values["level"] as string | number);
  const kept = resources.filter((one) => applied.has(addressOf(one)) && !isOwner(one));
  return { own: applied.has("acme") ? own : {}, resources: kept };
}

/**
 * Pausing notes the time, which is the service's if nothing else was declared. Filters without a type are a trend: a PATCH sends
 * back the type that the service shows.
 */
function settled(contents: readonly Content[], { leaf }: Target): readonly Content[] {
  return contents.map((content) => {
    const { filters } = content.fields;
    const { insight, ...others } = (filters ?? {}) as Readonly<Record<string, Json>>;
    const plain = insight === "TRENDS" ? { ...content.fields, filters: others } : content.fields;
    return { ...content, fields: leaf.pointer === "/paused" ? { ...plain, last_paused_at: null } : plain };
  });
}

function targetsOf({ own, resources }: Configuration): readonly Target[] {
  const ofOrganization = leavesOf("organization", own).map((leaf) => ({ address: "acme", leaf }));
  return [
    ...ofOrganization,
    ...resources.flatMap((one) =>
      leavesOf(one.collection, one.values).map((leaf) => ({ address: addressOf(one), leaf })),
    ),
  ];
}

function addressOf({ scope, collection, name }: Declared): string {
  return ["acme", ...(scope === "" ? [] : ["projects", scope]), collection, name].join("/");
}

/** Changes the field in the store and returns the kind. */
function edit({ emulator }: World, plan: PlanDocument, { address, leaf }: Target): string {
  const change = plan.changes.find((one) => one.address === address);
  const [field = ""] = leaf.keys;
  const isInvited = change?.kind === "membership" && emulator.find("invite", ({ id }) => id === change.id).length > 0;
  const kind = (change?.kind === "membership" ? (isInvited ? "invite" : "member") : change?.kind) as EmulatedKind;
  const stored = emulator.find(kind, (object) => String(object.id) === change?.id || uuidOf(object) === change?.id)[0];
  if (stored === undefined) throw new Error(`${address} is not in the store`);
  emulator.edit(kind, stored.id, { [field]: mutated(stored[field] as Json, leaf.keys.slice(1), leaf.isSet) as Json });
  return change?.kind ?? "";
}

function uuidOf(object: StoredObject): string | undefined {
  return (object["user"] as { readonly uuid?: string } | undefined)?.uuid;
}

interface Found {
  readonly address: string;
  readonly path: string;
}

/** Whether a difference is that of the target: at its path, or in a list at that of the list or of an element. */
function isAt({ address, path }: Found, { address: wanted, leaf }: Target): boolean {
  if (address !== wanted) return false;
  const list = leaf.keys.findIndex((key) => /^\d+$/.test(key));
  return path === leaf.pointer || (list > 0 && path.startsWith(pointer(...leaf.keys.slice(0, list))));
}

async function driftOf(world: World): Promise<readonly Found[]> {
  const { changes } = planOf(await must(world, ["drift", "--format", "json"], {}, 2));
  return changes
    .filter(({ action }) => action !== "no_op")
    .flatMap(({ address, action, fields }) =>
      fields
        // A replace also names the secrets that the new object is sent.
        .filter(({ prior }) => action !== "replace" || !isSensitive(prior))
        .map(({ path }) => ({ address, path })),
    );
}
