import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Seed } from "../../src/emulator/index.ts";

/** A command or a program, with the content of the service and the files in its folder. */
export interface Scenario {
  readonly name: string;
  readonly args: readonly string[];
  /** Text of a module that is run instead of the command. */
  readonly program?: string;
  readonly seed?: Seed;
  /** Text by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** Scenarios of one family differ only in size. The growth of time is fitted over the family. */
  readonly family?: { readonly name: string; readonly size: number };
  /** Ids are declared, so lists are read without waiting for the organizations. */
  readonly pinned?: boolean;
  /** Set if the command writes or takes minutes. It is then run once, without latency. */
  readonly once?: boolean;
  readonly dialect?: "current";
  /** The rate limit per minute of the service, which the command gets as an option. */
  readonly limit?: number;
  /** Small enough for a test of its request counts. */
  readonly quick?: boolean;
  /** Text of a module that is run in the same folder, to compare CPU times. */
  /** `atMost` limits time and memory, as a share of what the companion takes. */
  readonly companion?: { readonly name: string; readonly program: string; readonly atMost?: number };
}

const ORGANIZATION = "Acme Inc";
const ID = "0190aa11-0000-4000-8000-00000000000a";
const PLAN = ["plan", "--detailed-exitcode"] as const;

/** The library as anybody uses it, on the same files. */
const YAML_ALONE = `
  import { readdirSync, readFileSync } from "node:fs";
  import { parseDocument } from ${JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve("yaml")).href)};
  for (const name of readdirSync(".")) parseDocument(readFileSync(name, "utf8"));`;

/** All scenarios; README.md beside this file says what they show. */
export const scenarios: readonly Scenario[] = [
  ...startUps(),
  ...[200, 1_000, 10_000].flatMap((size) => [insights(size, false), insights(size, true)]),
  insights(100_000, false),
  ...[1_000, 10_000, 100_000].map((size) => partOf(1_000, size)),
  people("members", 50, 250),
  { ...people("members", 50, 250), name: "plan, 50 members of 250, pinned", pinned: true, files: someMembers(50) },
  people("memberships", 50, 250),
  mixed(),
  references("ids"),
  references("names"),
  create(400),
  { ...create(400), name: "create 400 at 240 a minute", limit: 240, quick: false },
  ...[1_000, 10_000, 100_000].map((size) => validate(size, 100)),
  exported(1_000),
  exported(10_000),
  refresh(1_000),
  ups(1_000),
];

/** Everything that is there is declared, in files of a hundred. */
function insights(count: number, pinned: boolean): Scenario {
  const ids = pinned ? { organization: `id: ${ID}`, project: 'id: "2"' } : undefined;
  const family = pinned ? {} : { family: { name: "declared insights", size: count } };
  return {
    name: `plan, ${String(count)} insights${pinned ? ", pinned" : ""}`,
    args: PLAN,
    // A run of one scenario does not wait for 100,000 objects of another.
    get seed() {
      return web(numbers(count).map(insight));
    },
    get files() {
      return inFiles(numbers(count).map(insight), Math.ceil(count / 100), ids);
    },
    pinned,
    ...family,
    quick: count <= 1_000,
    once: count > 10_000,
  };
}

/** Few are declared of many. */
function partOf(declared: number, live: number): Scenario {
  const all = numbers(live).map(insight);
  return {
    name: `plan, ${String(declared)} declared of ${String(live)} insights`,
    args: PLAN,
    seed: web(all),
    files: inFiles(all.slice(0, declared), 10),
    family: { name: "live insights", size: live },
  };
}

/** Plans `declared` of `members` people. */
function people(collection: "members" | "memberships", declared: number, members: number): Scenario {
  // The key's own user is a member, too.
  const all = numbers(members - 1).map((number) => ({ email: `member${String(number)}@acme.com`, level: 1 }));
  const some = Object.fromEntries(all.slice(0, declared).map(({ email }) => [email, { level: "member" }]));
  return {
    name: `plan, ${String(declared)} ${collection} of ${String(members)}`,
    args: PLAN,
    seed: { organizations: [{ id: ID, name: ORGANIZATION, members: all }] },
    files: configuration({ [collection]: some }),
    quick: true,
  };
}

/** The same with the organization as nothing but a scope. */
function someMembers(declared: number): Scenario["files"] {
  const some = numbers(declared).map((number) => [`member${String(number)}@acme.com`, { level: "member" }]);
  return {
    "driftline.yaml": JSON.stringify({
      driftline: 1,
      organizations: { acme: { id: ID, members: Object.fromEntries(some) } },
    }),
  };
}

/** One of every kind, so that each list of an organization and of a project is read, and each only once. */
function mixed(): Scenario {
  const destination = { type: "S3", config: { bucket_name: "b", region: "r", prefix: "p" } };
  const fields = { name: "Export", interval: "hour", destination };
  const plugin = { name: "Plugin", plugin_type: "source" };
  const one = insight(1);
  return {
    name: "plan, every kind",
    args: ["plan"],
    seed: {
      organizations: [
        {
          name: ORGANIZATION,
          members: [
            { email: "ada@acme.com", level: 8 },
            { email: "bob@acme.com", level: 1 },
          ],
          domains: [{ domain: "acme.com" }],
          projects: [{ id: 2, name: "Web", insights: [one] }],
        },
      ],
    },
    files: configuration({
      domains: { corp: { domain: "acme.com" } },
      memberships: { "ada@acme.com": { level: "admin" } },
      members: { "bob@acme.com": { level: "member" } },
      invites: { carol: { target_email: "carol@acme.com" } },
      batch_exports: { outer: { ...fields, name: "Outer" } },
      pipeline_destinations: { one: plugin },
      pipeline_frontend_apps: { two: { ...plugin, name: "Two" } },
      pipeline_import_apps: { three: { ...plugin, name: "Three" } },
      projects: { web: { name: "Web", insights: { one }, batch_exports: { inner: fields } } },
    }),
    quick: true,
  };
}

/** Providers that refer to domains, and invites that refer to projects, by what is declared. Nothing differs. */
function references(by: "ids" | "names"): Scenario {
  const all = numbers(50);
  const idOf = (number: number): string => `0190aa11-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const domainOf = (number: number): string => `shop${String(number)}.com`;
  const domains = all.map((number) => ({ id: idOf(number), domain: domainOf(number) }));
  const configs = (ids: (number: number) => string) =>
    all.map((number) => ({ name: `Provider ${String(number)}`, organization_domain_ids: [ids(number)] }));
  const invites = (id: number | string) =>
    all.map((number) => ({
      target_email: `guest${String(number)}@else.com`,
      private_project_access: [{ id, level: "member" }],
    }));
  const keyed = (values: readonly object[]): object =>
    Object.fromEntries(values.map((value, index) => [`k${String(index)}`, value]));
  const isNamed = by === "names";
  return {
    name: `plan, 100 references by ${by}`,
    args: PLAN,
    dialect: "current",
    seed: {
      organizations: [
        {
          id: ID,
          name: ORGANIZATION,
          domains,
          identity_provider_configs: configs(idOf),
          invites: invites(2),
          projects: [{ id: 2, name: "Web" }],
        },
      ],
    },
    files: configuration({
      domains: keyed(domains.map(({ domain }) => ({ domain }))),
      identity_provider_configs: keyed(configs(isNamed ? domainOf : idOf)),
      invites: keyed(invites(isNamed ? "Web" : 2)),
    }),
    quick: true,
  };
}

function create(count: number): Scenario {
  return {
    name: `create ${String(count)}`,
    args: ["apply", "--yes"],
    seed: web([]),
    files: inFiles(numbers(count).map(insight), 4),
    once: true,
    quick: true,
  };
}

function validate(count: number, files: number): Scenario {
  return {
    name: `validate, ${String(count)} resources in ${String(files)} files`,
    args: ["validate"],
    get files() {
      return inFiles(numbers(count).map(insight), files);
    },
    family: { name: "validated resources", size: count },
    companion: { name: "yaml alone", program: YAML_ALONE },
  };
}

/** What a command costs before it does anything. */
function startUps(): readonly Scenario[] {
  const companion = { name: "an empty process", program: "" };
  const few = numbers(20).map(insight);
  return [
    { name: "start, --version", args: ["--version"], files: {}, companion },
    { name: "start, validate of one resource", args: ["validate"], files: inFiles([insight(1)], 1), companion },
    { name: "start, plan of 20 insights", args: PLAN, seed: web(few), files: inFiles(few, 1), companion },
    providerStart(),
  ];
}

/** What Pulumi's engine waits for before its first call: the provider of its own, beside that of dynamic resources. */
function providerStart(): Scenario {
  const built = (file: string): string => JSON.stringify(new URL(`../../dist/pulumi/${file}`, import.meta.url).href);
  const stock = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
  return {
    name: "start, the packaged provider",
    args: [],
    program: `
      process.stdout.write = () => process.exit();
      await import(${built("plugin/main.js")});`,
    files: {},
    companion: {
      name: "the process of dynamic providers",
      atMost: 0.7,
      program: `
      process.argv.splice(1, Infinity, "provider", "127.0.0.1:1");
      process.stdout.write = () => process.exit();
      await import(${built("dynamic.js")});
      await import(${JSON.stringify(pathToFileURL(stock).href)});`,
    },
  };
}

function exported(count: number): Scenario {
  return {
    name: `export, ${String(count)} insights`,
    args: ["export"],
    seed: web(numbers(count).map(insight)),
    files: {},
    quick: count <= 1_000,
  };
}

/** What `pulumi refresh` has the provider do: each resource read by its id, all at once. The engine's own time is not in it. */
function refresh(count: number): Scenario {
  const entry = new URL("../../dist/pulumi/dynamic.js", import.meta.url).href;
  return {
    name: `pulumi refresh, ${String(count)} insights`,
    args: [],
    program: `
      import { insight } from ${JSON.stringify(entry)};
      const ids = Array.from({ length: ${String(count)} }, (_, index) => index + 1);
      const read = (id) => insight().read(String(id), { projectId: 2, name: "Insight " + id });
      const all = await Promise.all(ids.map(read));
      if (!all.every(({ props }, index) => props?.name === "Insight " + ids[index])) process.exitCode = 1;`,
    seed: web(numbers(count).map((number) => ({ id: number, ...insight(number) }))),
    files: {},
    pinned: true,
  };
}

/**
 * What `pulumi up --parallel 50` has the provider do for new insights. The engine's own time is not in it, but what it does between two
 * calls is: it writes its state, one call after the other.
 */
function ups(count: number): Scenario {
  const entry = new URL("../../dist/pulumi/dynamic.js", import.meta.url).href;
  return {
    name: `pulumi up, ${String(count)} new insights`,
    args: [],
    program: `
      import { setTimeout } from "node:timers/promises";
      import { insight } from ${JSON.stringify(entry)};
      process.env.DRIFTLINE_MAX_REQUESTS_PER_MINUTE = "1000000";
      const numbers = Array.from({ length: ${String(count)} }, (_, index) => index + 1).values();
      let writing = Promise.resolve();
      const write = () => (writing = writing.then(() => setTimeout(1)));
      const query = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "e" }] } };
      const worker = async () => {
        for (const number of numbers) {
          await write();
          await insight().create({ projectId: 2, name: "Insight " + number, query });
          await write();
        }
      };
      await Promise.all(Array.from({ length: 50 }, worker));`,
    seed: web([]),
    files: {},
    once: true,
  };
}

function insight(number: number) {
  const series = [{ kind: "EventsNode", event: `event_${String(number)}` }];
  return {
    name: `Insight ${String(number)}`,
    tags: ["bench"],
    query: { kind: "TrendsQuery", interval: "week", series },
  };
}

type Insight = ReturnType<typeof insight>;

function web(all: readonly Insight[]): Seed {
  return { organizations: [{ id: ID, name: ORGANIZATION, projects: [{ id: 2, name: "Web", insights: all }] }] };
}

/** As people write them: a block of YAML lines for each. The first file says which organization and project that is. */
function inFiles(
  all: readonly Insight[],
  files: number,
  { organization, project } = { organization: `name: ${ORGANIZATION}`, project: "name: Web" },
): Readonly<Record<string, string>> {
  const size = Math.ceil(all.length / files);
  const texts = Array.from({ length: files }, (_, index) => {
    const part = all.slice(index * size, (index + 1) * size);
    const [own, its] = index === 0 ? [`    ${organization}\n`, `        ${project}\n`] : ["", ""];
    const head = `driftline: 1\norganizations:\n  acme:\n${own}    projects:\n      web:\n${its}        insights:\n`;
    return [`part${String(index)}.yaml`, head + part.map(lines).join("")];
  });
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}

function lines({ name, query }: Insight): string {
  const [step] = query.series;
  return [
    `          ${name.toLowerCase().replace(" ", "-")}:`,
    `            name: ${name}`,
    "            tags: [bench]",
    "            query:",
    `              kind: ${query.kind}`,
    `              interval: ${query.interval}`,
    "              series:",
    `                - kind: ${step?.kind ?? ""}`,
    `                  event: ${step?.event ?? ""}\n`,
  ].join("\n");
}

function configuration(organization: object): Readonly<Record<string, string>> {
  const declared = { driftline: 1, organizations: { acme: { name: ORGANIZATION, ...organization } } };
  return { "driftline.yaml": JSON.stringify(declared, null, 2) };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
