/**
 * What a service may answer that is no honest answer. One row per case, each through every command that talks to a service:
 * nothing is written that should not be, the exit code is true, a message says what happened and what to do, no stack trace, no
 * control character. Where a case is a matter of one part alone, that part's own tests have it, and are named here.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
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
