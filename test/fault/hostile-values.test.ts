/** Values that honest services hold too, and that are easily broken: names, keys and numbers. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/emulator/json.ts";
import { CANARIES, leaksIn } from "../support/canary.ts";
import { planOf } from "../support/cli.ts";
import type { Trick } from "../support/hostile-service.ts";
import { DEFECT, linesWith } from "../support/normalized.ts";
import { against, expectSober, RAW } from "./hostile.ts";
import { ACME } from "./support.ts";

/** Ends a block of code, a cell, a tag and a line; names a team, links, clears the screen, turns the text around, commands a pipeline. */
const BAD =
  "A\u001b[2J\u001b]0;owned\u0007\u202e\u0000\u009b31m\ud800\n \t::stop-commands::x ##vso[task.prependpath]/evil ##teamcity[x] section_start:1:a</details>\n```\n# @team | [x](http://evil) <img src=x> \u2066";
const pass: Trick = () => undefined;
const web = (project: object, more: object = {}): object => ({
  driftline: 1,
  organizations: { acme: { id: ACME, ...more, projects: { web: { id: "2", ...project } } } },
});
const seedOf = (project: object, more: object = {}) => ({
  organizations: [{ id: ACME, name: "Acme Inc", projects: [{ id: 2, name: "Web", ...project }], ...more }],
});
const INSIGHTS = "/api/projects/2/insights";

describe("names that attack their reader", () => {
  const seed = seedOf(
    {
      name: `Web ${BAD}`,
      insights: [
        { id: 5, name: BAD, filters: { [BAD]: BAD }, tags: [BAD] },
        { id: 6, name: "Plain", description: BAD },
      ],
    },
    {
      name: `Acme ${BAD}`,
      members: [{ email: "ada@acme.com", level: 8, first_name: BAD }],
      batch_exports: [{ name: BAD }],
      pipeline_destinations: [{ name: BAD, plugin_type: "source", description: BAD }],
    },
  );
  const config = web(
    { exclusive: ["insights"], insights: { plain: { name: "Plain", description: "x" } } },
    { exclusive: ["batch_exports"], members: { "ada@acme.com": { level: "member" } } },
  );

  it("are escaped in every output and file", async () => {
    const { run, folder } = await against(pass, config, { seed });
    const commands: readonly (readonly [readonly string[], number])[] = [
      [["plan", "--prune", "--unmanaged", "--out", "p.json"], 0],
      [["plan", "--unmanaged", "--format", "json"], 0],
      [["plan", "--unmanaged", "--format", "markdown"], 0],
      [["plan", "--unmanaged", "--format", "html"], 0],
      [["plan", "--verbose", "--progress", "json"], 0],
      [["drift", "--unmanaged"], 2],
      [["drift", "--format", "markdown"], 2],
      [["show", "p.json", "--unmanaged"], 0],
      [["show", "p.json", "--format", "markdown"], 0],
      [["export"], 0],
      [["export", "--no-ids", "--out", "exported"], 0],
      [["export", "--pulumi", "program", "--provider", "dynamic"], 0],
      [["doctor"], 0],
      [["access"], 0],
      [["call", "insights.list", "project_id=2"], 0],
      [["call", "insights.list", "project_id=2", "--all"], 0],
      [["apply", "--yes", "--format", "markdown", "--only", "acme/batch_exports"], 13],
      [["drift", "--accept", "--yes"], 0],
      [["apply", "--yes", "--format", "markdown"], 0],
    ];
    for (const [args, code] of commands) {
      const result = await run(args);
      expectSober(result, code);
      const unfenced = result.stdout.replaceAll(/^(`{3,})diff\n[^]*?\n\1$/gm, "");
      if (args.includes("markdown")) expect(unfenced).not.toMatch(/<img|@team|\[x\]\(|http:\/\/evil|`{3}/);
    }
    for (const file of ["driftline.yaml", "p.json", "program/constructors.ts", "program/import.json"])
      expect(await readFile(join(folder, file), "utf8"), file).not.toMatch(RAW);
    expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toContain(String.raw`\u202e`);
  });

  it("are exported unchanged", async () => {
    const { run, configure } = await against(pass, config, { seed });
    const exported = await run(["export"]);
    await configure(exported.stdout);
    expect((await run(["plan", "--detailed-exitcode"])).code).toBe(0);
  });

  it("are unchanged in a CSV table, but not on a terminal", async () => {
    const { run } = await against(pass, config, { seed });
    const args = ["call", "insights.list", "project_id=2", "format=csv"];
    expect((await run(args)).stdout).toContain("\u001b[2J");
    expectSober(await run(args, { runtime: { terminal: true } }), 0);
  });

  it("are not repeated from an error of the service", async () => {
    const complaint =
      (status: number): Trick =>
      () => ({
        status,
        body: JSON.stringify({
          type: BAD,
          code: BAD,
          detail: BAD.repeat(1_500),
          attr: BAD,
          __proto__: { detail: "x" },
        }),
      });
    const { run, service } = await against(pass, config, { seed });
    for (const [status, code] of [
      [400, 1],
      [401, 11],
      [403, 11],
      [500, 1],
    ] as const) {
      service.trick = complaint(status);
      for (const args of [
        ["plan"],
        ["plan", "--format", "markdown"],
        ["plan", "--verbose"],
        ["call", "organizations.list"],
      ])
        expectSober(await run(args), code);
    }
    expect(service.writes()).toEqual([]);
  });
});

describe("keys that every object inherits, and one that Pulumi calls in YAML", () => {
  const COMMANDS = [["drift"], ["export"], ["export", "--pulumi", "program"], ["apply", "--yes"]];
  const KEYS = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "fn::readFile"];
  const all = (value: Json): Json => Object.fromEntries(KEYS.map((key) => [key, value]));
  /** `JSON.parse` creates it as an own key. */
  const yaml = (filters: string, config = "{}"): string =>
    `driftline: 1\norganizations:\n  acme:\n    id: ${ACME}\n    projects:\n      web:\n        id: "2"\n        insights:\n` +
    `          toString: { name: Signups, tags: [constructor, __proto__], filters: ${filters} }\n` +
    `        batch_exports:\n          constructor: { name: __proto__, interval: hour, destination: { type: NoOp, config: ${config} } }\n`;
  const block = (value: string): string => `{ ${KEYS.map((key) => `${key}: ${value}`).join(", ")} }`;

  it.each(["1", "{}", "[]", "text", "{ __proto__: { x: 1 } }"])(
    "are declared like others: %s is created, compared and removed again",
    async (value) => {
      const { run, configure, emulator } = await against(pass, yaml("{ a: 1 }"));
      expect((await run(["apply", "--yes"])).code).toBe(0);
      await configure(yaml(block(value), block(value)));
      // An inherited key of a live object does not count.
      expect((await run(["plan", "--detailed-exitcode"])).code).toBe(2);
      const applied = await run(["apply", "--yes"]);
      expectSober(applied, 0);
      expect((await run(["plan", "--detailed-exitcode"])).code).toBe(0);
      const [insight] = emulator.find("insight");
      expect(Object.keys(insight?.["filters"] as object)).toEqual(expect.arrayContaining(KEYS) as string[]);
      const exported = await run(["export"]);
      await configure(exported.stdout);
      expect((await run(["plan", "--detailed-exitcode"])).code).toBe(0);
      expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    },
  );

  it("are compared if the service has them with another value", async () => {
    const seed = seedOf({
      insights: [
        { name: "Signups", tags: ["__proto__", "constructor"], filters: JSON.parse(JSON.stringify(all(2))) as Json },
      ],
    });
    const { run } = await against(pass, yaml(block("1")).replace(/ {8}batch_exports:[^]*/, ""), { seed });
    const changes = planOf(await run(["plan", "--format", "json"])).changes;
    expect(
      changes
        .at(-1)
        ?.fields.map(({ path }) => path)
        .toSorted(),
    ).toEqual(KEYS.map((key) => `/filters/${key}`).toSorted());
  });

  /** Every place with words of its own, in a kind of table each. */
  const PLACES: Readonly<Record<string, (word: string) => { readonly project?: object; readonly acme?: object }>> = {
    "type of a destination": (type) => ({
      project: { batch_exports: [{ name: "E", interval: "hour", destination: { type, config: { [type]: type } } }] },
    }),
    interval: (interval) => ({
      project: {
        batch_exports: [{ name: "E", interval, timezone: interval, destination: { type: "NoOp", config: {} } }],
      },
    }),
    "format of a file": (word) => ({
      project: {
        batch_exports: [
          {
            name: "E",
            interval: "hour",
            model: word,
            destination: { type: "S3", config: { file_format: word, compression: word, [word]: word } },
          },
        ],
      },
    }),
    "kind of a query": (kind) => ({
      project: { insights: [{ name: "I", query: { kind, source: { kind, series: [{ kind, math: kind }] } } }] },
    }),
    "part of a query": (word) => ({
      project: {
        insights: [
          {
            name: "I",
            query: {
              kind: "InsightVizNode",
              [word]: word,
              source: {
                kind: "TrendsQuery",
                [word]: [{ [word]: word }],
                interval: word,
                dateRange: { date_from: word, [word]: word },
                trendsFilter: { [word]: word, display: word },
                series: [{ kind: "EventsNode", [word]: word, properties: [{ key: word, type: word, operator: word }] }],
              },
            },
          },
        ],
      },
    }),
    filters: (word) => ({
      project: {
        insights: [
          {
            name: "I",
            filters: {
              insight: word,
              display: word,
              interval: word,
              events: [{ id: word, math: word, properties: [{ key: word, type: word, operator: word }] }],
              properties: { type: word, values: [{ type: word, [word]: word }] },
            },
          },
        ],
      },
    }),
    plugin: (word) => ({
      acme: { pipeline_destinations: [{ name: "P", plugin_type: word, config_schema: { [word]: { type: word } } }] },
    }),
    settings: (word) => ({ acme: { plugins_access_level: word, members_can_invite: word, [word]: word } }),
    domain: (word) => ({ acme: { domains: [{ domain: "a.com", sso_enforcement: word, [word]: word }] } }),
    level: (level) => ({ acme: { memberships: [{ email: "x@acme.com", level }] } }),
  };
  const keyed = (groups: object): object =>
    Object.fromEntries(
      Object.entries(groups).map(([key, value]: [string, unknown]) => [
        key,
        Array.isArray(value) ? Object.fromEntries(value.map((one: object, at) => [`r${String(at)}`, one])) : value,
      ]),
    );

  const CASES = Object.entries(PLACES).flatMap(([place, of]) => KEYS.map((key) => [place, key, of(key)] as const));

  it.each(CASES)(
    "are words like others, declared or live: %s %s",
    async (_place, _key, { project = {}, acme = {} }) => {
      const exported = web({ exclusive: ["insights", "batch_exports"] }, { exclusive: ["domains"] });
      for (const config of [web(keyed(project), keyed(acme)), exported]) {
        // The emulator refuses some of them in a seed.
        const space = await against(pass, config, { seed: seedOf(project, acme) }).catch(() => against(pass, config));
        for (const args of COMMANDS) {
          const { stdout, stderr, code } = await space.run(args);
          expect([0, 1, 2, 10, 12, 13, 14], stderr).toContain(code);
          expect(stdout + stderr).not.toContain(DEFECT);
          expect(stdout + stderr).not.toMatch(/\n\s+at |native code/);
        }
      }
    },
  );

  /** It is the key of the run, so a file holds it by mistake, and the service echoes it. */
  const SECRET = CANARIES.plain;
  const PLANS = [
    ["validate"],
    ["plan", "--verbose", "--unmanaged"],
    ["plan", "--prune", "--format", "json"],
    ["plan", "--format", "markdown"],
    ["plan", "--format", "html"],
    ["drift", "--unmanaged"],
    ["doctor"],
    ["access"],
    ["access", "--format", "html"],
    ["export"],
    ["apply", "--yes"],
  ];

  it.each(Object.entries(PLACES))("a secret in the place of one is never shown: %s", async (_place, of) => {
    const { project = {}, acme = {} } = of(SECRET);
    const config = web(keyed(project), keyed(acme));
    const options = { keys: [{ key: SECRET }] };
    const space = await against(pass, config, { ...options, seed: seedOf(project, acme) }).catch(() =>
      against(pass, config, options),
    );
    for (const args of [...PLANS, [SECRET], ["plan", SECRET], ["plan", `--${SECRET}`], ["plan", "--format", SECRET]]) {
      const { stdout, stderr } = await space.run(args);
      expect(leaksIn(stdout + stderr, { secret: SECRET }), args.join(" ")).toEqual([]);
    }
    for (const args of [
      ["call", SECRET],
      ["call", "insights.list", `project_id=${SECRET}`],
      ["call", "insights.list", "project_id=2", `${SECRET}=1`],
      ["explain", SECRET],
      ["plan", "--only", `acme/${SECRET}`],
      ["plan", "--var", SECRET],
      ["plan", "--approve", SECRET],
      ["show", SECRET],
    ]) {
      const { stdout, stderr } = await space.run(args);
      expect(leaksIn(stdout + stderr, { secret: SECRET }), args.join(" ")).toEqual([]);
    }
  });

  it("are unknown as addresses, kinds, operations, variables and options", async () => {
    const { run } = await against(pass, yaml("{}"));
    for (const key of KEYS) {
      for (const args of [
        ["explain", key],
        ["call", key],
        ["call", `insights.${key}`, "project_id=2"],
        ["call", "insights.list", "project_id=2", `${key}=1`],
        ["plan", "--only", `acme/${key}`],
        ["validate", "--var", key],
        ["call", "batch_exports.get", `organization_id=${ACME}`, `id=${key}`],
      ])
        expectSober(await run(args), 10);
      expectSober(await run(["validate", "--var", `${key}=x`]), 0);
    }
  });
});

describe("numbers that JavaScript cannot hold exactly", () => {
  const BIG = "9007199254740993";
  const NUMBERS = [
    BIG,
    "-9007199254740993",
    "12345678901234567890",
    "1e400",
    "-1e400",
    "0.12345678901234567890123",
    "1e-400",
  ];
  /** Puts numbers into the filters that the service returns. The emulator could not hold them. */
  const showing =
    (numbers: string): Trick =>
    ({ method, path }) =>
      method === "GET" && path.startsWith(INSIGHTS)
        ? { rewrite: (text) => text.replaceAll('"$$"', numbers) }
        : undefined;
  const seed = seedOf({
    insights: [
      {
        id: 7,
        short_id: "abcdefgh",
        name: "Signups",
        filters: { a: 1, user: "$$", deep: { list: ["$$", 2], of: [{ id: "$$", b: 1 }] } },
      },
    ],
  });
  const config = web({ insights: { s: { name: "Signups", filters: { a: 2 } } } });

  it.each(NUMBERS)("%s is sent back unchanged", async (number) => {
    const { run, service } = await against(showing(number), config, { seed });
    await run(["apply", "--yes"]);
    const [patch] = service.writes();
    expect(patch?.body).toContain(`"user":${number},"deep":{"list":[${number},2],"of":[{"id":${number},"b":1}]}`);
    expect(patch?.body).toContain('"a":2');
  });

  it.each(NUMBERS)("%s is shown unchanged, left out of an export, and not accepted", async (number) => {
    const { run, configure, folder } = await against(showing(number), config, { seed });
    expect((await run(["call", "insights.get", "project_id=2", "id=7"])).stdout).toContain(`"user": ${number}`);
    const exported = await run(["export"]);
    expectSober(exported, 0);
    expect(exported.stdout).not.toContain(number);
    expect(linesWith(exported.stderr, "warning not_declarable: ")).toMatchSnapshot("exported");
    await configure(exported.stdout);
    expect((await run(["plan", "--detailed-exitcode"])).code).toBe(0);

    await configure(web({ insights: { s: { name: "Signups", filters: { user: 5 } } } }));
    const planned = await run(["plan", "--out", "p.json"]);
    expectSober(planned, 0);
    expect(planned.stdout).toContain(number);
    // As a number, also out of the file.
    expect(await readFile(join(folder, "p.json"), "utf8")).toContain(`"prior": ${number}`);
    const shown = await run(["show", "p.json"]);
    expectSober(shown, 0);
    expect(shown.stdout).toContain(`filters.user: ${number} -> 5`);
    const before = await readFile(join(folder, "driftline.yaml"), "utf8");
    const accepted = await run(["drift", "--accept", "--yes"]);
    expectSober(accepted, 2);
    expect(linesWith(accepted.stderr, "warning not_accepted: ")).toMatchSnapshot("accepted");
    expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toBe(before);
    expectSober(await run(["apply", "--plan", "p.json", "--yes"]), 0);
  });

  it("a declared number is not equal to one that it is rounded to", async () => {
    const declared = web({ insights: { s: { name: "Signups", filters: { user: 9_007_199_254_740_992 } } } });
    const { run } = await against(showing(BIG), undefined, { seed });
    const space = await against(showing(BIG), declared, { seed });
    expectSober(await space.run(["plan"]), 10);
    expectSober(await run(["plan"]), 10);
  });

  it("the argument or body of a call is sent as it is written", async () => {
    const { run, service } = await against(pass, undefined, { seed });
    const call = ["call", "insights.update", "project_id=2", "id=7", "--yes"];
    await run([...call, `filters:={"user": ${BIG}, "f": 1e400}`]);
    expect(service.writes().at(-1)?.body).toBe(`{"filters":{"user":${BIG},"f":1e400}}`);
    expectSober(await run(["call", "insights.get", `project_id=${BIG}`, "id=7"]), 1);
    expect(service.heard.at(-1)?.path).toBe(`/api/projects/${BIG}/insights/7`);
  });
});
