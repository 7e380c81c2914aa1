/**
 * What a service may answer that is no honest answer. One row per case, each through every command that talks to a service:
 * nothing is written that should not be, the exit code is true, a message says what happened and what to do, no stack trace, no
 * control character. Where a case is a matter of one part alone, that part's own tests have it, and are named here.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createClient } from "../../src/api/client.ts";
import { systemClock } from "../../src/api/clock.ts";
import { createRedactor } from "../../src/api/redact.ts";
import type { Trick } from "../support/hostile-service.ts";
import { against, expectSober } from "./hostile.ts";
import { ACME } from "./support.ts";

const DOMAINS = `/api/organizations/${ACME}/domains`;

/** One is to be changed, one to be created, one to be removed, others may be pruned. */
const CONFIG = {
  driftline: 1,
  organizations: {
    acme: {
      id: ACME,
      exclusive: ["domains"],
      domains: {
        changed: { domain: "a.acme.com", sso_enforcement: "saml" },
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

/** What reads the list of domains, with the exit code where that list cannot be read. */
const COMMANDS: readonly (readonly [readonly string[], number])[] = [
  [["plan", "--prune", "--out", "plan.json"], 1],
  [["plan", "--format", "json"], 1],
  [["plan", "--format", "markdown"], 1],
  [["drift", "--accept"], 1],
  [["apply", "--yes", "--prune"], 1],
  [["export"], 1],
];

const isDomains = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === "GET" && path === DOMAINS;
/** Answers the list of domains with a text, or a text made of the service's own. */
const list =
  (
    body: string | Buffer | ((text: string) => string),
    headers: Readonly<Record<string, string>> = {},
    status = 200,
  ): Trick =>
  (heard) => {
    if (!isDomains(heard)) return undefined;
    return typeof body === "function" ? { rewrite: body } : { status, headers, body };
  };
/** Changes the first row of the list. */
const row = (change: (row: Record<string, unknown>) => unknown): Trick =>
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
/** The same page with a row more. */
const beside = (page: Listed, one: object): object => ({
  ...page,
  count: page.count + 1,
  results: [...page.results, one],
});

const PAGE = { count: 0, next: null, previous: null, results: [] };
const NESTED = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

describe("a list that cannot be believed makes its kind unknown, to every command", () => {
  it.each<[string, Trick, RegExp]>([
    [
      "a redirect to another host",
      list("", { location: "https://user:pw@evil.example/x?k=v" }, 302),
      /https:\/\/evil\.example/,
    ],
    ["HTML with 200", list("<html><title>Sign in</title>", { "content-type": "text/html" }), /text\/html/],
    ["JSON by another name that is none", list("\u001b[31mhello", { "content-type": "text/plain" }), /text\/plain/],
    ["no body", list(""), /no page of a list/],
    ["half a body", list('{"count": 3, "results": [{"id'), /no whole JSON/],
    ["bytes that are no UTF-8", list(Buffer.from([0x7b, 0xff, 0x7d])), /no whole JSON/],
    ["NaN", list('{"count": 1, "results": [{"id": "a", "domain": "x", "n": NaN}]}'), /NaN or Infinity/],
    ["deeply nested JSON", list(`{"count": 0, "results": ${NESTED}}`), /deeper than 200 levels/],
    [
      "a bomb of gzip",
      list(gzipSync(Buffer.alloc(65 * 1024 * 1024)), { "content-encoding": "gzip" }),
      /larger than 64 MiB/,
    ],
    ["an encoding that is not known", list("x", { "content-encoding": "zstd" }), /encoded in zstd/],
    ["gzip that is none", list('{"count": 0}', { "content-encoding": "gzip" }), /said to be gzip/],
    ["a page that is a list", list("[]"), /no page of a list/],
    ["results under __proto__", list('{"__proto__": {"count": 0, "results": []}}'), /no array of results/],
    ["duplicate keys, the last of which counts", list('{"count": 0, "results": [], "count": 7}'), /0 of 7 rows/],
    ["a count as text", list(JSON.stringify({ ...PAGE, count: "0" })), /count is no number/],
    ["a count below nothing", list(JSON.stringify({ ...PAGE, count: -1 })), /count is no number/],
    ["no count", list('{"results": []}'), /count is no number/],
    ["a count that no number is", list('{"count": 9007199254740993, "results": []}'), /count is no number/],
    ["an endless list", list(JSON.stringify({ ...PAGE, count: 9_007_199_254_740_991 })), /more than can be read/],
    ["a count of a billion", list((text) => text.replace('"count":3', '"count":1000000000')), /more than can be read/],
    ["a row that is a number", row(() => 7), /a row is no object/],
    ["a row that is null", row(() => null), /a row is no object/],
    ["a row without an id", row(without("id")), /a row has no id/],
    ["an id that is an object", row((one) => ({ ...one, id: {} })), /a row has no id/],
    ["an id that is NUL", row((one) => ({ ...one, id: "a\u0000b" })), /has characters that no id has/],
    ["an id that leads elsewhere", row((one) => ({ ...one, id: `x/../../${ACME}` })), /has characters that no id has/],
    [
      "an id that leads elsewhere in disguise",
      row((one) => ({ ...one, id: "x%2f..%2fy" })),
      /has characters that no id has/,
    ],
    [
      "an id that no number is",
      list((text) => text.replace(/"id":\s*"[^"]*"/, '"id":9007199254740993')),
      /a row has no id/,
    ],
    ["a name that is null", row((one) => ({ ...one, domain: null })), /no text as its domain/],
    ["a name that is an object", row((one) => ({ ...one, domain: { a: 1 } })), /no text as its domain/],
    ["a name that is missing", row(without("domain")), /no text as its domain/],
  ])("%s", async (_name, trick, message) => {
    const { service, run, emulator, folder } = await against(trick, CONFIG, { seed: SEED });
    const before = await readFile(join(folder, "driftline.yaml"), "utf8");
    for (const [args, code] of COMMANDS) {
      const result = await run(args);
      expectSober(result, code);
      expect(result.stdout + result.stderr, args.join(" ")).toMatch(message);
      expect(result.stdout + result.stderr).toMatch(/hint: |fix: |\(.*\)/);
    }
    expect(service.writes()).toEqual([]);
    expect(emulator.find("domain")).toHaveLength(3);
    expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toBe(before);
  });
});

describe("a row of which nobody can say what it is", () => {
  /** The same list for every kind: rows, and what is declared to be created beside them. */
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
    ["membership, by nobody", "members", [{ id: ACME }], { memberships: { "n@acme.com": { level: "member" } } }],
    ["batch_export", "batch_exports", [{ id: ACME, name: ["New"] }], { batch_exports: { n: EXPORT } }],
    ["batch_export without a name", "batch_exports", [{ id: ACME }], { batch_exports: { n: EXPORT } }],
    ["pipeline_destination", "pipeline_destinations", [{ id: 7, name: {} }], { pipeline_destinations: { n: PLUGIN } }],
    ["its sibling", "pipeline_import_apps", [{ id: 7, name: "A", url: 1 }], { pipeline_destinations: { n: PLUGIN } }],
    ["insight", "insights", [{ id: 7, name: 5 }], { projects: { web: { id: "2", insights: { n: { name: "New" } } } } }],
    [
      "insight without a name",
      "insights",
      [{ id: 7 }],
      { projects: { web: { id: "2", insights: { n: { name: "New" } } } } },
    ],
  ];

  it.each(KINDS)("%s: nothing is created beside it, nothing removed", async (_kind, collection, rows, config) => {
    const trick: Trick = ({ method, path }) =>
      method === "GET" && path.endsWith(`/${collection}`)
        ? { body: JSON.stringify({ count: rows.length, next: null, previous: null, results: rows }) }
        : undefined;
    const all = { driftline: 1, organizations: { acme: { id: ACME, ...config } } };
    const { run, service } = await against(trick, all, { seed: BARE });
    for (const args of [["plan"], ["drift"], ["apply", "--yes"], ["export"]]) expectSober(await run(args), 1);
    expect(service.writes()).toEqual([]);
    // Whoever wants to know what the service holds there can look.
    expectSober(
      await run([
        "call",
        `${collection}.list`,
        ...(collection === "insights" ? ["project_id=2"] : [`organization_id=${ACME}`]),
      ]),
      0,
    );
  });

  it.each<[string, string, object, object]>([
    [
      "an insight without a name",
      "insights",
      { id: 7, name: null, short_id: "a" },
      { projects: { web: { id: "2", insights: { n: { name: "New" } } } } },
    ],
    [
      "a plugin without a name",
      "pipeline_destinations",
      { id: 7, name: null, url: null },
      { pipeline_destinations: { n: PLUGIN } },
    ],
    ["an export of a blank name", "batch_exports", { id: ACME, name: "" }, { batch_exports: { n: EXPORT } }],
  ])("%s is legal: others are created beside it", async (_name, collection, row, config) => {
    const trick: Trick = ({ method, path }) =>
      method === "GET" && path.endsWith(`/${collection}`)
        ? { rewrite: (text) => JSON.stringify(beside(JSON.parse(text) as Listed, row)) }
        : undefined;
    const all = { driftline: 1, organizations: { acme: { id: ACME, ...config } } };
    const { run, service } = await against(trick, all, { seed: BARE });
    expectSober(await run(["apply", "--yes"]), 0);
    expect(service.writes().filter(({ path }) => path.endsWith(`/${collection}`))).toHaveLength(1);
  });

  it("an organization, or one of its projects, is not taken for absent either", async () => {
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

describe("an answer about something else than what was asked for", () => {
  const OTHER = "0190aa11-0000-4000-8000-0000000000ff";
  const seed = {
    organizations: [
      { id: ACME, name: "Acme Inc", domains: [{ domain: "a.acme.com" }, { id: OTHER, domain: "other.acme.com" }] },
    ],
  };
  const config = (domain: object): object => ({
    driftline: 1,
    organizations: { acme: { id: ACME, domains: { d: domain } } },
  });
  const withId = (text: string): string => JSON.stringify({ ...(JSON.parse(text) as object), id: OTHER });
  const isOther = ({ path, method }: { readonly path: string; readonly method: string }): boolean =>
    method !== "GET" && path.endsWith(OTHER);

  it("a create that is answered with an object that was there before writes nothing to that object", async () => {
    const trick: Trick = ({ method }) => (method === "POST" ? { rewrite: withId } : undefined);
    const { run, service } = await against(trick, config({ domain: "new.acme.com", sso_enforcement: "saml" }), {
      seed,
    });
    const result = await run(["apply", "--yes"]);
    expectSober(result, 15);
    expect(result.stdout + result.stderr).toContain("was there before");
    expect(service.writes().filter(isOther)).toEqual([]);
    // The next run finds what was created, and creates it no second time.
    service.trick = () => undefined;
    await run(["apply", "--yes"]);
    expect(service.writes().filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("a read that shows another object, or a PATCH that does, is never followed by a write to that one", async () => {
    for (const methods of [["GET"], ["PATCH"], ["GET", "PATCH"]]) {
      const trick: Trick = ({ method, path }) =>
        methods.includes(method) && path.startsWith(`${DOMAINS}/`) ? { rewrite: withId } : undefined;
      const { run, service, emulator } = await against(
        trick,
        config({ domain: "a.acme.com", sso_enforcement: "saml" }),
        { seed },
      );
      const result = await run(["apply", "--yes"]);
      expect(result.stdout + result.stderr).not.toMatch(/This should not happen|\n\s+at /);
      expect([0, 14]).toContain(result.code);
      expect(service.writes().filter(isOther)).toEqual([]);
      expect(emulator.find("domain", ({ id }) => id === OTHER)[0]).toMatchObject({
        domain: "other.acme.com",
        sso_enforcement: "",
      });
    }
  });

  it("what is brought back is not mistaken for another one", async () => {
    const insights = {
      organizations: [
        {
          id: ACME,
          name: "Acme Inc",
          projects: [
            {
              id: 2,
              name: "Web",
              insights: [
                { id: 7, name: "Gone", deleted: true },
                { id: 8, name: "Other", description: "kept" },
              ],
            },
          ],
        },
      ],
    };
    const declared = {
      driftline: 1,
      organizations: {
        acme: {
          id: ACME,
          projects: { web: { id: "2", insights: { g: { id: 7, name: "Gone", description: "new" } } } },
        },
      },
    };
    for (const methods of [["PATCH"], ["GET", "PATCH"]]) {
      const trick: Trick = ({ method, path }) =>
        methods.includes(method) && path.endsWith("/insights/7")
          ? { rewrite: (text) => JSON.stringify({ ...(JSON.parse(text) as object), id: 8 }) }
          : undefined;
      const { run, service, emulator } = await against(trick, declared, { seed: insights });
      const result = await run(["apply", "--yes"]);
      expect([0, 14]).toContain(result.code);
      expect(service.writes().map(({ path }) => path.split("/").at(-1))).not.toContain("8");
      expect(emulator.find("insight", ({ id }) => id === 8)[0]).toMatchObject({ name: "Other", description: "kept" });
    }
  });

  it("an object that is to go is not removed where its id shows another one", async () => {
    const trick: Trick = ({ method, path }) =>
      method === "GET" && path.startsWith(`${DOMAINS}/`) ? { rewrite: withId } : undefined;
    const { run, service } = await against(trick, config({ domain: "a.acme.com", lifecycle: { state: "absent" } }), {
      seed,
    });
    expectSober(await run(["apply", "--yes"]), 14);
    expect(service.writes()).toEqual([]);
  });
});

/** A socket that says whatever a test wants it to. */
async function dripping(talk: (socket: Socket) => void): Promise<{ readonly url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

describe("what surrounds an answer", () => {
  const good = { driftline: 1, organizations: { acme: { id: ACME, domains: { a: { domain: "a.acme.com" } } } } };

  it.each<[string, (text: string) => Buffer]>([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("a body in %s is read, although none was asked for", async (encoding, pack) => {
    const page = { count: 1, next: null, previous: null, results: [{ id: ACME, domain: "a.acme.com" }] };
    const trick = list(pack(JSON.stringify(page)), { "content-encoding": encoding });
    const { run, service } = await against(trick, good, { seed: SEED });
    expectSober(await run(["plan", "--detailed-exitcode"]), 0);
    expect(service.heard.every(({ headers }) => headers["accept-encoding"] === "identity")).toBe(true);
  });

  it.each<[string, Trick]>([
    ["a byte order mark", list((text) => `\ufeff${text}`)],
    ["a content type of another kind", list((text) => text, { "content-type": "text/html" })],
    [
      "a next page that is the page itself",
      list((text) => text.replace('"next":null', `"next":"http://evil.example${DOMAINS}/"`)),
    ],
    ["keys that come twice with the same meaning", list((text) => text.replace('"count":3', '"count":3,"count":3'))],
    ["a byte order mark, white space and a cookie", list((text) => `\ufeff \n${text}`)],
  ])("%s does no harm", async (_name, trick) => {
    const { run, service } = await against(trick, good, { seed: SEED });
    expectSober(await run(["plan", "--detailed-exitcode"]), 0);
    expect(service.heard.length).toBeLessThan(10);
  });

  it("a cookie is not kept", async () => {
    const { run, service } = await against(() => undefined, good, { seed: SEED });
    service.trick = () =>
      service.heard.length === 1
        ? { status: 503, headers: { "set-cookie": "session=1; Domain=127.0.0.1; Path=/" }, body: "{}" }
        : undefined;
    expectSober(await run(["plan"]), 0);
    expect(service.heard.length).toBeGreaterThan(1);
    expect(service.heard.filter(({ headers }) => headers.cookie !== undefined)).toEqual([]);
  });

  it.each([
    "1e99",
    "-5",
    "99 bottles",
    "0x10",
    "tomorrow 2099",
    `${"9".repeat(400)}`,
    "Thu, 01 Jan 99999 00:00:00 GMT",
    "",
  ])("Retry-After: %s neither hangs nor breaks a run", async (value) => {
    const trick: Trick = (heard) =>
      isDomains(heard) ? { status: 429, headers: { "retry-after": value }, body: '{"code":"throttled"}' } : undefined;
    const { run, service } = await against(trick, good, { seed: SEED });
    const result = await run(["plan"]);
    expectSober(result, 1);
    expect(result.stderr).not.toMatch(/Infinity|NaN/);
    expect(service.heard.length).toBeLessThan(10);
  });

  it("a head without an end is not waited for beyond the time for a head", async () => {
    const stop: (() => void)[] = [];
    const { url } = await dripping((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("x-a: b\r\n"), 20);
      stop.push(() => clearInterval(timer));
      socket.on("close", () => clearInterval(timer));
      socket.on("error", () => clearInterval(timer));
    });
    const client = createClient({
      url,
      key: "k",
      mode: "read",
      profile: "document",
      clock: systemClock,
      redactor: createRedactor(),
      timeouts: { headers: 200 },
    });
    const before = performance.now();
    const error = await client.request("organizations.list").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: expect.stringMatching(/timeout|network/) as string });
    expect(performance.now() - before).toBeLessThan(20_000);
    for (const end of stop) end();
    await client.close();
  });
});
