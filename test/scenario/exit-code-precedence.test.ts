/** If several exit codes apply, the contract's order decides: first every pair, then whole commands. */
import { describe, expect, it } from "vitest";
import { EXIT, exitCodesOfOutcomes, worst, type ExitCode } from "../../src/cli/exit-codes.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { against } from "../fault/hostile.ts";
import { ACME } from "../fault/support.ts";
import type { Trick } from "../support/hostile-service.ts";

/** product.md, Exit codes. */
const ORDER: readonly ExitCode[] = [130, 15, 14, 12, 13, 11, 10, 1, 2];
const PAIRS = ORDER.flatMap((first, index) => ORDER.slice(index).map((second) => [first, second] as const));

it.each(PAIRS)("%i comes before %i", (first, second) => {
  expect(worst([second, first])).toBe(first);
  expect(worst([first, EXIT.ok, second])).toBe(first);
});

it("knows every code, and 0 without any outcome", () => {
  expect(new Set(Object.values(EXIT))).toEqual(new Set([...ORDER, 0]));
  expect(worst([])).toBe(0);
});

describe("the outcomes of an apply", () => {
  const outcome = (more: Partial<Outcome>): Outcome => ({
    address: "acme/domains/a",
    kind: "domain",
    action: "update",
    reason: "",
    id: null,
    blocked: null,
    fields: [],
    fingerprint: null,
    status: "applied",
    error: null,
    requests: 1,
    ...more,
  });
  const failed = (code: string): Outcome => outcome({ status: "failed", error: { code, message: "" } });
  const applied = outcome({});
  const unknown = outcome({ status: "unknown" });
  const unverified = outcome({ status: "unverified" });
  const stale = outcome({ status: "skipped", error: { code: "stale", message: "" } });
  const blocked = outcome({ status: "skipped", blocked: { rule: "protect", lift: "" } });
  const unread = outcome({ status: "skipped", action: "unknown" });
  const idle = outcome({ action: "no_op", status: "unchanged" });

  it.each<[string, readonly Outcome[], ExitCode]>([
    ["nothing to do", [idle], 0],
    ["all done", [applied, idle], 0],
    [
      "one with an unknown outcome, and all others",
      [unknown, unverified, stale, blocked, failed("scope"), applied],
      15,
    ],
    ["one unverified, and one blocked", [unverified, blocked, failed("scope")], 14],
    ["one stale", [stale, idle], 12],
    ["one stale, after a write", [stale, applied], 14],
    ["one blocked, one denied, one failed", [blocked, failed("scope"), failed("server")], 13],
    ["the same, after a write", [applied, blocked, failed("scope")], 14],
    ["one denied, one failed", [failed("authentication_failed"), failed("server")], 11],
    ["one failed", [failed("server"), idle], 1],
    ["one failed, after a write", [failed("server"), applied], 14],
    ["one unreadable", [unread, idle], 1],
    ["one unreadable, after a write", [unread, applied], 14],
  ])("%s: %#", (_name, outcomes, code) => {
    expect(worst(exitCodesOfOutcomes(outcomes))).toBe(code);
    expect(worst(exitCodesOfOutcomes(outcomes.toReversed()))).toBe(code);
  });
});

describe("commands with several exit codes", () => {
  const seed = {
    organizations: [
      {
        id: ACME,
        name: "Acme Inc",
        domains: [{ domain: "a.acme.com" }, { domain: "p.acme.com" }],
        batch_exports: [{ name: "E" }],
      },
    ],
  };
  const refusal = { p: { domain: "p.acme.com", lifecycle: { state: "absent", protect: true } } };
  const change = { a: { domain: "a.acme.com", sso_enforcement: "google-oauth2" } };
  const exports = { e: { name: "New", interval: "hour", destination: { type: "NoOp", config: {} } } };
  const config = (more: object): object => ({ driftline: 1, organizations: { acme: { id: ACME, ...more } } });
  /** Answers one list of the organization with a status. */
  const answering =
    (list: string, status: number): Trick =>
    ({ method, path }) =>
      method === "GET" && path.endsWith(`/${list}`) ? { status, body: '{"code": "x"}' } : undefined;
  const none: Trick = () => undefined;
  const CODES = ["plan", "--detailed-exitcode"];

  it.each<[string, Trick, object, readonly string[], ExitCode]>([
    ["differences", none, { domains: change }, CODES, 2],
    [
      "differences, and a list that failed",
      answering("batch_exports", 500),
      { domains: change, batch_exports: exports },
      CODES,
      1,
    ],
    [
      "differences, and a list that is denied",
      answering("batch_exports", 403),
      { domains: change, batch_exports: exports },
      CODES,
      11,
    ],
    ["differences, and a refusal", none, { domains: { ...change, ...refusal } }, CODES, 13],
    [
      "differences, a refusal, and a list that is denied",
      answering("batch_exports", 403),
      { domains: { ...change, ...refusal }, batch_exports: exports },
      CODES,
      13,
    ],
    [
      "drift, and a list that failed",
      answering("batch_exports", 500),
      { domains: change, batch_exports: exports },
      ["drift"],
      1,
    ],
    [
      "drift, and a list that is denied",
      answering("batch_exports", 401),
      { domains: change, batch_exports: exports },
      ["drift"],
      11,
    ],
    ["an apply of all, and a refusal", none, { domains: { ...change, ...refusal } }, ["apply", "--yes"], 14],
    [
      "an apply of some, and a list that is denied",
      answering("batch_exports", 403),
      { domains: change, batch_exports: exports },
      ["apply", "--yes"],
      14,
    ],
    [
      "an apply of nothing, a refusal, and a list that is denied",
      answering("batch_exports", 403),
      { domains: refusal, batch_exports: exports },
      ["apply", "--yes"],
      13,
    ],
    [
      "an apply of nothing, and a list that is denied",
      answering("batch_exports", 403),
      { batch_exports: exports },
      ["apply", "--yes"],
      11,
    ],
    [
      "an apply of nothing, and two lists, one denied",
      (heard) => answering("domains", 500)(heard) ?? answering("batch_exports", 403)(heard),
      { domains: change, batch_exports: exports },
      ["apply", "--yes"],
      11,
    ],
  ])("%s: %#", async (_name, trick, more, args, code) => {
    const { run } = await against(trick, config(more), { seed });
    for (const format of ["text", "json", "markdown", "html"]) {
      const space = format === "text" ? { run } : await against(trick, config(more), { seed });
      const result = await space.run([...args, "--format", format]);
      expect(result.code, result.stdout + result.stderr).toBe(code);
    }
  });

  it("an interrupt comes before all others", async () => {
    const controller = new AbortController();
    const trick: Trick = (heard) => {
      if (heard.path.endsWith("/domains")) controller.abort();
      return answering("batch_exports", 403)(heard);
    };
    const { run } = await against(trick, config({ domains: { ...change, ...refusal }, batch_exports: exports }), {
      seed,
    });
    expect((await run(CODES, { runtime: { signal: controller.signal } })).code).toBe(130);
  });

  it("an invalid configuration is 10 before any request, regardless of the key", async () => {
    const { run, service } = await against(answering("domains", 401), "driftline: 2\n", { seed });
    for (const args of [CODES, ["drift"], ["apply", "--yes"]])
      expect((await run(args, { env: { DRIFTLINE_API_KEY: "" } })).code).toBe(10);
    expect(service.heard).toEqual([]);
  });

  it("a stale plan is 12, even if the apply would be blocked or denied as well", async () => {
    const { run, service, emulator } = await against(
      none,
      config({ domains: { ...change, ...refusal }, batch_exports: exports }),
      { seed },
    );
    await run(["plan", "--out", "plan.json"]);
    const [domain] = emulator.find("domain", ({ domain: name }) => name === "a.acme.com");
    emulator.edit("domain", domain?.id ?? "", { sso_enforcement: "github" });
    expect((await run(["apply", "--yes", "--plan", "plan.json"])).code).toBe(12);
    service.trick = answering("batch_exports", 403);
    expect((await run(["apply", "--yes", "--plan", "plan.json"])).code).toBe(12);
    expect(service.writes()).toEqual([]);
  });
});
