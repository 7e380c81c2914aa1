/**
 * Dishonest answers of a service. One row per case, each with every command that talks to a service:
 * nothing wrong is written, the exit code is correct, a message says what happened and what to do, no stack trace, no
 * control character. Cases of a single part are in that part's own tests: other hosts in `next` in test/scenario/reading.test.ts;
 * a gigabyte of body, redirects of each status, paths and keys in test/unit/api/client.safety.test.ts. Saved plans, configurations,
 * names and numbers have the files beside this one.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { QUERY } from "../support/acme.ts";
import { planOf } from "../support/cli.ts";
import type { Trick } from "../support/hostile-service.ts";
import { normalized } from "../support/normalized.ts";
import { against, expectSober, listing } from "./hostile.ts";
import { ACME } from "./support.ts";

const DOMAINS = `/api/organizations/${ACME}/domains`;

/** One domain is to be changed, one to be created and one to be removed. Others may be pruned. */
const CONFIG = {
  driftline: 1,
  organizations: {
    acme: {
      id: ACME,
      exclusive: ["domains"],
      domains: {
        changed: { domain: "a.acme.com", sso_enforcement: "google-oauth2" },
        created: { domain: "new.acme.com" },
        removed: { domain: "b.acme.com", lifecycle: { state: "absent" } },
      },
    },
  },
};
const SEED = {
  organizations: [
    { id: ACME, name: "Acme Inc", domains: ["a", "b", "c"].map((name) => ({ domain: `${name}.acme.com` })) },
  ],
};

/** The commands that read the list of domains, with the exit code if it cannot be read. */
const COMMANDS: readonly (readonly [readonly string[], number])[] = [
  [["plan", "--prune", "--out", "plan.json"], 1],
  [["plan", "--format", "json"], 1],
  [["plan", "--format", "markdown"], 1],
  [["drift", "--accept", "--yes"], 1],
  [["apply", "--yes", "--prune"], 1],
  [["export"], 1],
];

const list = listing(DOMAINS);
/** Changes the first row of the list. */
const row = (change: (one: Record<string, unknown>) => unknown): Trick =>
  list((text) => {
    const page = JSON.parse(text) as { results: Record<string, unknown>[] };
    const [first = {}, ...others] = page.results;
    return JSON.stringify({ ...page, results: [change(first), ...others] });
  });
const without = (key: string) => (object: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

const EXPORT = { name: "New", interval: "hour", destination: { type: "NoOp", config: {} } };
const PLUGIN = { name: "New", plugin_type: "source" };
const BARE = { organizations: [{ id: ACME, name: "Acme Inc", projects: [{ id: 2, name: "Web" }] }] };

interface Listed {
  readonly count: number;
  readonly results: readonly unknown[];
}
/** The same page with one more row. */
const beside = (page: Listed, one: object): object => ({
  ...page,
  count: page.count + 1,
  results: [...page.results, one],
});

const PAGE = { count: 0, next: null, previous: null, results: [] };
const NESTED = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

describe("an invalid list makes its kind unknown to every command", () => {
  it.each<[string, Trick]>([
    ["a redirect to another host", list("", { location: "https://user:pw@evil.example/x?k=v" }, 302)],
    ["HTML with 200", list("<html><title>Sign in</title>", { "content-type": "text/html" })],
    ["a text that is not JSON, with another content type", list("\u001b[31mhello", { "content-type": "text/plain" })],
    ["no body", list("")],
    ["half a body", list('{"count": 3, "results": [{"id')],
    ["bytes that are not UTF-8", list(Buffer.from([0x7b, 0xff, 0x7d]))],
    ["NaN", list('{"count": 1, "results": [{"id": "a", "domain": "x", "n": NaN}]}')],
    ["deeply nested JSON", list(`{"count": 0, "results": ${NESTED}}`)],
    ["a bomb of gzip", list(gzipSync(Buffer.alloc(65 * 1024 * 1024)), { "content-encoding": "gzip" })],
    ["an unknown encoding", list("x", { "content-encoding": "zstd" })],
    ["half a body of gzip", list(gzipSync(JSON.stringify(PAGE)).subarray(0, 40), { "content-encoding": "gzip" })],
    ["gzip that is not compressed", list('{"count": 0}', { "content-encoding": "gzip" })],
    ["a page that is a list", list("[]")],
    ["results under __proto__", list('{"__proto__": {"count": 0, "results": []}}')],
    ["duplicate keys with different values", list('{"count": 0, "results": [], "count": 7}')],
    ["a count as text", list(JSON.stringify({ ...PAGE, count: "0" }))],
    ["a negative count", list(JSON.stringify({ ...PAGE, count: -1 }))],
    ["no count", list('{"results": []}')],
    ["a count that no number can hold", list('{"count": 9007199254740993, "results": []}')],
    ["an endless list", list(JSON.stringify({ ...PAGE, count: 9_007_199_254_740_991 }))],
    ["a count of a billion", list((text) => text.replace('"count":3', '"count":1000000000'))],
    ["a row that is a number", row(() => 7)],
    ["a row that is null", row(() => null)],
    ["a row without an id", row(without("id"))],
    ["an id that is an object", row((one) => ({ ...one, id: {} }))],
    ["an id that is NUL", row((one) => ({ ...one, id: "a\u0000b" }))],
    ["an id that is a path", row((one) => ({ ...one, id: `x/../../${ACME}` }))],
    ["an id that is an encoded path", row((one) => ({ ...one, id: "x%2f..%2fy" }))],
    ["an id that no number can hold", list((text) => text.replace(/"id":\s*"[^"]*"/, '"id":9007199254740993'))],
    ["a name that is null", row((one) => ({ ...one, domain: null }))],
    ["a name that is an object", row((one) => ({ ...one, domain: { a: 1 } }))],
    ["a name that is missing", row(without("domain"))],
  ])("%s", async (_name, trick) => {
    const { service, run, emulator, folder } = await against(trick, CONFIG, { seed: SEED });
    const before = await readFile(join(folder, "driftline.yaml"), "utf8");
    const outputs: string[] = [];
    let found: Diagnostic | undefined;
    for (const [args, code] of COMMANDS) {
      const result = await run(args);
      expectSober(result, code);
      expect(result.stdout + result.stderr).toMatch(/hint: |fix: |\(.*\)/);
      outputs.push(result.stdout + result.stderr);
      if (args.includes("json")) found = planOf(result).diagnostics[0];
    }
    expect(found?.code).toBe("unreadable");
    expect(normalized(`${found?.message ?? ""}\n${found?.hint ?? ""}`)).toMatchSnapshot();
    for (const text of outputs) expect(text).toContain(found?.message);
    expect(service.writes()).toEqual([]);
    expect(emulator.find("domain")).toHaveLength(3);
    expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toBe(before);
  });
});

describe("an invalid list of organizations fails every command", () => {
  const at = listing("/api/organizations");
  const named = { driftline: 1, organizations: { acme: { name: "Acme Inc", lifecycle: { create: true } } } };

  it.each<[string, Trick]>([
    ["a redirect to another host", at("", { location: "https://evil.example/x" }, 307)],
    ["HTML with 200", at("<html>\u001b[2J", { "content-type": "text/html" })],
    ["half a body", at('{"count": 1, "results": [{"id')],
    ["no page", at('{"detail": "\\u001b[2J\\u202e"}')],
    ["a list in place of a page", at("[]")],
    ["NaN", at('{"count": NaN, "results": []}')],
    ["nested JSON", at(NESTED)],
    ["a bomb", at(gzipSync(Buffer.alloc(65 * 1024 * 1024)), { "content-encoding": "gzip" })],
    ["a row that is a text", at('{"count": 1, "results": ["\\u001b[2J"]}')],
    ["a row without an id", at('{"count": 1, "results": [{"name": "Acme Inc"}]}')],
    ["a refusal with a body of another kind", at("\u001b[2J", { "content-type": "text/plain" }, 400)],
  ])("%s", async (_name, trick) => {
    const { run, service } = await against(trick, named, { seed: SEED });
    const commands = [
      ["plan"],
      ["drift"],
      ["apply", "--yes"],
      ["export"],
      ["access"],
      ["doctor"],
      ["call", "organizations.list", "--all"],
    ];
    for (const args of commands) {
      const result = await run(args);
      // The report of doctor is a result.
      expectSober(args[0] === "doctor" ? { ...result, stderr: `${result.stderr}error` } : result, 1);
      expect(result.stdout + result.stderr).toMatch(/hint: |fix: /);
    }
    expect(service.writes()).toEqual([]);
  });
});

describe("a row that cannot be identified", () => {
  /** For every kind: its list, the rows in it, and the resources that would be created beside them. */
  const KINDS: readonly (readonly [kind: string, list: string, rows: readonly object[], config: object])[] = [
    ["domain", "domains", [{ id: ACME, domain: 7 }], { domains: { n: { domain: "new.acme.com" } } }],
    ["invite", "invites", [{ id: ACME, target_email: null }], { invites: { n: { target_email: "n@acme.com" } } }],
    [
      "membership, by an invite",
      "invites",
      [{ id: ACME, target_email: {} }],
      { memberships: { "n@acme.com": { level: "member" } } },
    ],
    [
      "membership, by a member",
      "members",
      [{ id: ACME, user: { uuid: ACME } }],
      { memberships: { "n@acme.com": { level: "member" } } },
    ],
    [
      "membership, by a member without a user",
      "members",
      [{ id: ACME }],
      { memberships: { "n@acme.com": { level: "member" } } },
    ],
    ["batch_export", "batch_exports", [{ id: ACME, name: ["New"] }], { batch_exports: { n: EXPORT } }],
    ["batch_export without a name", "batch_exports", [{ id: ACME }], { batch_exports: { n: EXPORT } }],
    ["pipeline_destination", "pipeline_destinations", [{ id: 7, name: {} }], { pipeline_destinations: { n: PLUGIN } }],
    [
      "pipeline_destination, by a sibling kind",
      "pipeline_import_apps",
      [{ id: 7, name: "A", url: 1 }],
      { pipeline_destinations: { n: PLUGIN } },
    ],
    ["insight", "insights", [{ id: 7, name: 5 }], { projects: { web: { id: "2", insights: { n: { name: "New" } } } } }],
    [
      "insight without a name",
      "insights",
      [{ id: 7 }],
      { projects: { web: { id: "2", insights: { n: { name: "New" } } } } },
    ],
  ];

  it.each(KINDS)(
    "%s: nothing is created beside it, and nothing is removed",
    async (_kind, collection, rows, config) => {
      const trick: Trick = ({ method, path }) =>
        method === "GET" && path.endsWith(`/${collection}`)
          ? { body: JSON.stringify({ count: rows.length, next: null, previous: null, results: rows }) }
          : undefined;
      const all = { driftline: 1, organizations: { acme: { id: ACME, ...config } } };
      const { run, service } = await against(trick, all, { seed: BARE });
      for (const args of [["plan"], ["drift"], ["apply", "--yes"], ["export"]]) expectSober(await run(args), 1);
      expect(service.writes()).toEqual([]);
      // `call` still shows the rows.
      expectSober(
        await run([
          "call",
          `${collection}.list`,
          ...(collection === "insights" ? ["project_id=2"] : [`organization_id=${ACME}`]),
        ]),
        0,
      );
    },
  );

  it.each<[string, string, object, object]>([
    [
      "an insight without a name",
      "insights",
      { id: 7, name: null, short_id: "a" },
      { projects: { web: { id: "2", insights: { n: { name: "New", query: QUERY } } } } },
    ],
    [
      "a plugin without a name",
      "pipeline_destinations",
      { id: 7, name: null, url: null },
      { pipeline_destinations: { n: PLUGIN } },
    ],
    ["an export with a blank name", "batch_exports", { id: ACME, name: "" }, { batch_exports: { n: EXPORT } }],
  ])("%s is valid: others are created beside it", async (_name, collection, added, config) => {
    const trick: Trick = ({ method, path }) =>
      method === "GET" && path.endsWith(`/${collection}`)
        ? { rewrite: (text) => JSON.stringify(beside(JSON.parse(text) as Listed, added)) }
        : undefined;
    const all = { driftline: 1, organizations: { acme: { id: ACME, ...config } } };
    const { run, service } = await against(trick, all, { seed: BARE });
    expectSober(await run(["apply", "--yes"]), 0);
    expect(service.writes().filter(({ path }) => path.endsWith(`/${collection}`))).toHaveLength(1);
  });

  it("an organization, or one of its projects, is not reported as absent either", async () => {
    const config = { driftline: 1, organizations: { beta: { name: "Beta", lifecycle: { create: true } } } };
    const organizations =
      (change: (text: string) => string): Trick =>
      ({ method, path }) =>
        method === "GET" && path === "/api/organizations" ? { rewrite: change } : undefined;
    const nameless = await against(
      organizations((text) => text.replace('"Acme Inc"', "null")),
      config,
      { seed: BARE },
    );
    for (const args of [["plan"], ["drift"], ["apply", "--yes"], ["export"]]) expectSober(await nameless.run(args), 1);
    expect(nameless.service.writes()).toEqual([]);

    const project = {
      driftline: 1,
      organizations: { acme: { id: ACME, projects: { web: { id: "2", insights: { n: { name: "New" } } } } } },
    };
    const torn = organizations((text) => {
      const page = JSON.parse(text) as { results: { teams: unknown }[] };
      return JSON.stringify({ ...page, results: page.results.map((one) => ({ ...one, teams: [null] })) });
    });
    const { run, service } = await against(torn, project, { seed: BARE });
    for (const args of [["plan"], ["apply", "--yes"]]) expectSober(await run(args), 1);
    expect(service.writes()).toEqual([]);
  });
});
