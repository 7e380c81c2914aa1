/**
 * Faulty lists never become a plan: with any fault on the pages of lists, an action is the same as without
 * faults, or is `unknown`.
 *
 * The worlds hold declared objects, undeclared ones of exclusive kinds, drift and things to be created and deleted, so
 * that there is something to be wrong about. Pages are small, as a list of one page cannot be torn.
 */
import type { Dialect } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { VERIFIED } from "../support/acme.ts";
import { planOf } from "../support/cli.ts";
import { seededRandom, type Random } from "../support/random.ts";
import { require } from "./creates.ts";
import { bending, PAGE_FAULTS } from "./list-faults.ts";
import { ACME } from "./resources.ts";
import { createRules, type Rules, type Tally } from "./tally.ts";
import type { MakeWorld, SoakWorld } from "./world.ts";

const PLAN = ["plan", "--prune", "--format", "json"];
/** Plans per world. */
const PLANS = 8;
/** Every list that a plan reads in these worlds. */
const LISTS: readonly RegExp[] = [
  /\/organizations\/?$/,
  ...["domains", "invites", "members", "batch_exports", "pipeline_destinations", "pipeline_frontend_apps"].map(
    (name) => new RegExp(`/organizations/[^/]+/${name}/?$`),
  ),
  /\/pipeline_import_apps\/?$/,
  /\/projects\/2\/batch_exports\/?$/,
  /\/projects\/\d+\/insights\/?$/,
];

/** Plans one world without faults and then several times with them. @throws Error that names a wrong change */
export async function soakLists(make: MakeWorld, seed: number, tally: Tally): Promise<void> {
  const random = seededRandom(seed);
  const dialect: Dialect = random.chance(0.5) ? "document" : "deployed";
  const { live, declared } = scene(random);
  const maxPageSize = random.pick([2, 3, 5, 50]);
  const world = await make({ seed: live as never, dialect, maxPageSize, maxRequests: 100_000 }, random);
  try {
    await world.configure(declared);
    const clean = await world.run(PLAN);
    require(clean.code === 0, `a plan without faults exits with ${String(clean.code)}`, clean);
    const truth = planOf(clean);
    for (const { action } of truth.changes) tally.add(`without faults: ${action}`);
    for (let index = 0; index < PLANS; index += 1) await faultedPlan(world, random, truth, tally);
    tally.add("worlds");
  } finally {
    await world.close();
  }
}

async function faultedPlan(world: SoakWorld, random: Random, truth: PlanDocument, tally: Tally): Promise<void> {
  const { emulator } = world;
  emulator.clearRequests();
  const struck = new Set<string>();
  const rules = createRules();
  // Some plans have a single broken list, others many.
  const intensity = random.pick([0.08, 0.3, 0.7]);
  const onLists = addFaults(world, random, rules, intensity);
  const rates = new Map<string, number>();
  const share = (path: string): number => {
    const rate = rates.get(path) ?? (random.chance(intensity) ? random.pick([0.1, 0.4, 1]) : 0);
    // A low count and a missing row together look like a complete list, so they cannot be detected.
    rates.set(path, isCountedShort(world, path) ? 0 : rate);
    return rates.get(path) ?? 0;
  };
  const dispatcher = bending(world.dispatcher, random, share, (name, path) => {
    tally.hit(`answer: ${name}`, 1);
    struck.add(path);
  });
  const result = await world.run(PLAN, { dispatcher });
  await world.drain();
  for (const path of onLists()) struck.add(path);
  rules.collect(tally);
  emulator.faults.clear();
  tally.add("faulty lists", struck.size);
  require(emulator.requests.every(({ method }) => method === "GET"), "a plan has written", result);
  const planned = result.stdout === "" ? undefined : planOf(result);
  require(planned !== undefined || result.code !== 0, "nothing was printed", result);
  if (planned === undefined) return tally.add("plans refused as a whole");
  const wrong = falsely(truth, planned);
  require(wrong === undefined, `planned falsely: ${wrong ?? ""}`, result);
  const unknown = planned.changes.filter(({ action }) => action === "unknown").length;
  tally.add("with faults: unknown", unknown);
  tally.add("with faults: as without", planned.changes.length - unknown);
  const isWhole = unknown === 0 && planned.changes.length === truth.changes.length;
  require(result.code === 0 ? isWhole : true, "exit code 0, but the plan is not whole", result);
  tally.add(result.code === 0 ? "plans whole in spite of faults" : "plans in part");
}

function isCountedShort({ emulator }: SoakWorld, path: string): boolean {
  return emulator.faults.list().some(({ rule }) => {
    const { fault } = rule;
    return fault.type === "lying-count" && fault.by < 0 && rule.path instanceof RegExp && rule.path.test(path);
  });
}

/** Returns the first change that the plan without faults does not have. Missing changes are allowed. */
function falsely(truth: PlanDocument, planned: PlanDocument): string | undefined {
  const right = new Map(truth.changes.map((change) => [change.address, change]));
  for (const change of planned.changes) {
    if (change.action === "unknown" || change.action === "no_op") continue;
    const same = right.get(change.address);
    if (
      JSON.stringify([same?.action, same?.id, same?.fields]) ===
      JSON.stringify([change.action, change.id, change.fields])
    )
      continue;
    return `${change.address}: ${change.action} in place of ${same?.action ?? "nothing"}`;
  }
  return undefined;
}

/** Adds faults to a few requests of some lists. Returns a function that lists the paths they hit. */
function addFaults({ emulator }: SoakWorld, random: Random, rules: Rules, intensity: number): () => readonly string[] {
  const hitPaths: (() => readonly string[])[] = [];
  for (const path of LISTS) {
    if (!random.chance(intensity)) continue;
    const { name, faults } = random.pick(PAGE_FAULTS);
    const nth = 1 + random.below(random.pick([1, 3, 6]));
    const times = random.pick([1, 2, 5, 1_000]);
    for (const fault of faults) {
      const handle = emulator.faults.add({ method: "GET", path, nth, times, fault });
      rules.note(name, handle);
      hitPaths.push(() => {
        const asked = emulator.requests.filter((request) => path.test(request.path));
        return handle.hits === 0 ? [] : [...new Set(asked.slice(nth - 1, nth - 1 + times).map((one) => one.path))];
      });
    }
  }
  return () => hitPaths.flatMap((paths) => paths());
}

interface Scene {
  readonly live: object;
  readonly declared: object;
}

const many = <T>(random: Random, most: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: random.below(most + 1) }, (_, n) => make(n));
const byName = (objects: readonly JsonObject[], random: Random): JsonObject =>
  Object.fromEntries(
    objects.flatMap((object, n): [string, JsonObject][] => {
      if (random.chance(0.15)) return [];
      if (random.chance(0.05)) return [[`r${String(n)}`, { ...object, lifecycle: { state: "absent" } }]];
      return [[`r${String(n)}`, object]];
    }),
  );

/**
 * The live objects and their declarations: most unchanged, some with other values, some to be removed, and some new.
 */
function scene(random: Random): Scene {
  const named = (prefix: string) => (n: number) => ({ name: `${prefix} ${String(n)}` });
  const domains = many(random, 9, (n) => ({
    domain: `d${String(n)}.acme.com`,
    sso_enforcement: random.pick(["", "saml"]),
  }));
  const invites = many(random, 6, (n) => ({ target_email: `i${String(n)}@acme.com`, level: 1 }));
  const members = many(random, 6, (n) => ({ email: `m${String(n)}@acme.com`, level: random.pick([1, 8]) }));
  const exported = (prefix: string) => (n: number) => ({
    ...named(prefix)(n),
    interval: "hour",
    paused: random.chance(0.3),
    destination: { type: "NoOp", config: {} },
  });
  const [ofAcme, ofWeb] = [many(random, 5, exported("Acme")), many(random, 5, exported("Web"))];
  const insight = (n: number): JsonObject => ({
    ...named("Insight")(n),
    description: random.pick(["", "a", "b"]),
    tags: ["t"],
  });
  const [inWeb, inShop] = [many(random, 12, insight), many(random, 4, insight)];
  const plugins = (prefix: string) => many(random, 5, (n) => ({ ...named(prefix)(n), plugin_type: "source" }));
  const apps = {
    pipeline_destinations: plugins("Destination"),
    pipeline_frontend_apps: plugins("Frontend"),
    pipeline_import_apps: plugins("Import"),
  };
  const drifted = (objects: readonly JsonObject[], field: string, value: JsonObject[string]): readonly JsonObject[] =>
    objects.map((object) => (random.chance(0.1) ? { ...object, [field]: value } : object));
  const more = (collection: readonly JsonObject[], extra: JsonObject): readonly JsonObject[] =>
    random.chance(0.2) ? [...collection, extra] : collection;
  const collection = (objects: readonly JsonObject[]): JsonObject => byName(objects, random);
  const acme: JsonObject = {
    id: ACME,
    domains: collection(more(drifted(domains, "sso_enforcement", "x"), { domain: "new.acme.com" })),
    invites: collection(invites),
    memberships: Object.fromEntries(
      members.flatMap(({ email, level }) => (random.chance(0.8) ? [[email, { level }]] : [])),
    ),
    batch_exports: collection(
      more(ofAcme, { name: "New", interval: "day", destination: { type: "NoOp", config: {} } }),
    ),
    ...Object.fromEntries(
      Object.entries(apps).map(([group, objects]) => [group, collection(drifted(objects, "description", "x"))]),
    ),
    exclusive: random.chance(0.5) ? ["domains", "pipeline_destinations"] : [],
    projects: {
      web: {
        id: "2",
        ...(random.chance(0.5) ? { exclusive: ["insights"] } : {}),
        batch_exports: collection(ofWeb),
        insights: collection(more(drifted(inWeb, "description", "x"), { name: "New" })),
      },
      shop: { name: "Shop", insights: collection(inShop) },
    },
  };
  const live = {
    organizations: [
      {
        id: ACME,
        name: "Acme Inc",
        // A change of a domain that is not verified is blocked.
        domains: domains.map((one) => ({ ...one, ...VERIFIED })),
        invites,
        members,
        batch_exports: ofAcme,
        ...apps,
        projects: [
          { id: 2, name: "Web", batch_exports: ofWeb, insights: inWeb },
          { id: 3, name: "Shop", insights: inShop },
        ],
      },
      ...many(random, 4, (n) => ({ name: `Other ${String(n)}` })),
    ],
  };
  return { live, declared: { driftline: 1, service: { self: "owner@example.com" }, organizations: { acme } } };
}
