import { createHash } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { SENSITIVE } from "../../../../src/model/secret-values.ts";
import { renderOutcomes, renderPlan } from "../../../../src/report/index.ts";
import { change, CLEAN, DRIFT, EVERYTHING, outcome, OUTCOMES, outcomes, plan } from "../documents.ts";
import { expectGolden } from "../golden.ts";
import { bodyOf, rowsOf, textOf } from "./text.ts";

const PLAIN = { color: false };

test.each([
  ["plan-everything", renderPlan(EVERYTHING, "html", { ...PLAIN, footer: "12 requests" })],
  ["drift", renderPlan(DRIFT, "html", PLAIN)],
  ["plan-clean", renderPlan(CLEAN, "html", PLAIN)],
  ["outcomes-partial", renderOutcomes(OUTCOMES, "html", PLAIN)],
  ["outcomes-none", renderOutcomes(outcomes([]), "html", PLAIN)],
])("%s, as HTML", (name, html) => {
  expectGolden(`${name}.html`, `${bodyOf(html)}\n`);
});

describe("the file", () => {
  const html = renderPlan(EVERYTHING, "html", PLAIN);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";

  it.each(["script", "style"])("allows its own %s by its hash, and no other", (name) => {
    const [, text = ""] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(html) ?? [];
    const hash = createHash("sha256").update(text).digest("base64");
    expect(policy.split("; ").find((rule) => rule.startsWith(`${name}-src`))).toBe(`${name}-src 'sha256-${hash}'`);
  });

  it("allows nothing else", () => {
    const others = policy.split("; ").filter((rule) => !/^(script|style)-src /.test(rule));
    expect(others).toEqual(["default-src 'none'", "img-src 'none'", "base-uri 'none'", "form-action 'none'"]);
    expect(html).not.toMatch(/ (?:style|on\w+|src)=|javascript:|https?:\/\/(?!eu\.analytics\.example)/);
  });

  it("does not depend on the order in which reports are made", () => {
    expect(renderPlan(EVERYTHING, "html", PLAIN)).toBe(html);
  });
});

describe("the content", () => {
  const fields = (part: object, type: "driftline.plan" | "driftline.drift" = "driftline.plan") =>
    rowsOf(
      renderPlan(
        plan(
          [
            change({
              kind: "insight",
              action: "update",
              fields: [{ path: "/a", prior: null, planned: null, ...part }],
            }),
          ],
          { type },
        ),
        "html",
        PLAIN,
      ),
    );

  it("says that a secret is sent, and shows none", () => {
    const [sent] = fields({ planned: SENSITIVE });
    expect(sent?.planned).toMatch(/^\(sensitive\), ./);
    expect(fields({ prior: SENSITIVE, planned: SENSITIVE })).toEqual([{ ...sent, prior: "(sensitive)" }]);
    expect(fields({ planned: SENSITIVE }, "driftline.drift")[0]?.planned).toBe("(sensitive)");
    const nested = fields({ prior: { key: SENSITIVE }, planned: { key: SENSITIVE, name: "x" } });
    expect(nested.map(({ path, planned }) => [path, planned])).toEqual([
      ["a.key", sent?.planned],
      ["a.name", '"x"'],
    ]);
  });

  it("shows an element that moved once, and as unchanged", () => {
    const html = renderPlan(
      plan([change({ action: "update", fields: [{ path: "/a", prior: ["x", "y", "z"], planned: ["z", "x", "y"] }] })]),
      "html",
      PLAIN,
    );
    const [row, ...others] = rowsOf(html);
    expect(others).toEqual([]);
    expect(row).toEqual({ path: "a", prior: "", planned: "" });
    expect(textOf(bodyOf(html))).toContain("[2] moved to [0]: z");
  });

  it("lists owners and admins first, then blocked changes, removals and the rest", () => {
    const html = renderPlan(EVERYTHING, "html", PLAIN);
    const actions = [...html.matchAll(/data-action="([^"]*)"/g)].map(([, action]) => action);
    expect(actions.slice(0, 6)).toEqual(["replace", "update", "delete blocked", "delete blocked", "delete", "unknown"]);
  });

  it("lists outcomes that need most care first, each with its status", () => {
    const html = renderOutcomes(OUTCOMES, "html", PLAIN);
    expect([...html.matchAll(/data-status="([^"]*)" data-action="([^"]*)"/g)].map(([, ...both]) => both)).toEqual([
      ["failed", "create"],
      ["unknown", "create"],
      ["unverified", "update"],
      ["skipped blocked", "delete"],
      ["skipped", "delete"],
      ["yielded", "create"],
      ["applied", "update"],
      ["applied", "create"],
    ]);
  });

  it("says what can be filtered by: a plan has no status, and an action has one word", () => {
    const optionsOf = (html: string, filter: string): readonly (string | undefined)[] | undefined =>
      new RegExp(`data-filter="${filter}">(.*?)</select>`)
        .exec(html)?.[1]
        ?.split("</option>")
        .map((option) => /<option value="(.*)">/.exec(option)?.[1])
        .slice(0, -1);
    const apply = renderOutcomes(OUTCOMES, "html", PLAIN);
    expect(optionsOf(apply, "status")).toEqual([
      "",
      "failed",
      "unknown",
      "unverified",
      "skipped",
      "yielded",
      "applied",
      "blocked",
    ]);
    expect(optionsOf(apply, "action")).toEqual(["", "create", "update", "delete"]);
    const shown = renderPlan(EVERYTHING, "html", PLAIN);
    expect(optionsOf(shown, "status")).toBeUndefined();
    expect(optionsOf(shown, "action")).toContain("blocked");
  });

  it("collapses groups of more than ten changes", () => {
    const of = (count: number): string =>
      renderPlan(plan(Array.from({ length: count }, () => change({ action: "update" }))), "html", PLAIN);
    expect(of(10).match(/<details class="change"[^>]* open>/g)).toHaveLength(10);
    expect(of(11)).not.toMatch(/<details class="change"[^>]* open>/);
  });

  it("groups equal changes, and outcomes only if they ended alike; --verbose shows each", () => {
    const tags = [{ path: "/tags", prior: null, planned: ["growth"] }];
    const equal = ["a", "b", "c"].map((name) =>
      change({ address: `acme/domains/${name}`, action: "update", fields: tags }),
    );
    const sections = (html: string): number => html.match(/<details class="change"/g)?.length ?? 0;
    const scopes = (html: string) => [...html.matchAll(/data-scope="([^"]*)"/g)].map(([, address]) => address);
    const html = renderPlan(plan(equal), "html", PLAIN);
    expect([sections(html), scopes(html)]).toEqual([1, equal.map(({ address }) => address)]);
    expect(sections(renderPlan(plan(equal), "html", { ...PLAIN, verbose: true }))).toBe(3);
    const error = (message: string) => ({ code: "refused", message });
    const failed = (...messages: readonly string[]) =>
      outcomes(equal.map((one, index) => outcome({ ...one, status: "failed", error: error(messages[index] ?? "") })));
    expect(sections(renderOutcomes(failed("x", "x", "x"), "html", PLAIN))).toBe(1);
    expect(sections(renderOutcomes(failed("x", "y", "x"), "html", PLAIN))).toBe(3);
  });

  it("says a warning about a change at the change as well", () => {
    const warning = { severity: "warning", code: "members_without_2fa", message: "2 members have none" } as const;
    const html = renderPlan(
      plan([change({ address: "acme", action: "update" })], {
        diagnostics: [{ ...warning, address: "acme" }, warning],
      }),
      "html",
      PLAIN,
    );
    const [section = ""] = /<details class="change"[^]*?<\/details>/.exec(html) ?? [];
    expect(textOf(section).match(/members_without_2fa/g)).toHaveLength(1);
    expect(textOf(section)).toContain("1 warning");
    expect(html).toContain('<a href="#warnings">');
  });

  it("lists all unmanaged objects", () => {
    const unmanaged = Array.from({ length: 600 }, (_, index) => ({
      kind: "insight" as const,
      scope: "acme/projects/web",
      id: `id-${index}`,
      key: null,
    }));
    expect(renderPlan(plan([], { unmanaged }), "html", PLAIN)).toContain("id-599<");
  });
});
