import { blockOf } from "../plan/guard/blocked-changes.ts";
import { documentJson } from "../../../src/model/document-json.ts";
import { describe, expect, test, vi } from "vitest";
import { type PlanDocument, type ShownChange, type Unmanaged, undeclaredAddress } from "../../../src/model/plan.ts";
import { renderDiagnostics, renderOutcomes, renderPlan } from "../../../src/report/index.ts";
import { INTERRUPTED } from "../../../src/apply/outcomes.ts";
import { renderImportable } from "../../../src/report/text/importable.ts";
import { isReported, outcomeLine } from "../../../src/report/text/outcomes.ts";
import { change, CLEAN, DRIFT, EVERYTHING, OUTCOMES, outcome, outcomes, plan, REMOVALS } from "./documents.ts";
import { DIFFS } from "./diff-documents.ts";
import { expectGolden } from "./golden.ts";
import { bodyOf } from "./html/text.ts";

const PLAIN = { color: false };

/** A plan of a service that refused the key. */
const UNREAD = plan(
  ["acme", "acme/domains/corp"].map((address) =>
    change({ address, action: "unknown", reason: "GET /api/organizations/ answered 401" }),
  ),
  {
    diagnostics: [
      {
        severity: "error",
        code: "access_denied",
        message: "GET /api/organizations/ answered 401",
        hint: "Check DRIFTLINE_API_KEY.",
      },
    ],
  },
);

/** Eleven people who may more than a member, among others. Each has joined but the last. */
const UNDECLARED_PEOPLE: readonly Unmanaged[] = [8, 8, 1, 15, 8, 8, 8, 12, 8, 15, 8, 8, 1].map((level, index) => ({
  kind: index === 11 ? "invite" : "member",
  scope: "acme",
  id: String(index),
  key: index === 9 ? "`rob`\u001B[2J|@evil.example" : `p${String(index)}@evil.example`,
  about: [{ path: "/level", value: level }],
}));

/** Some of them are in an organization whose people are declared. */
const UNDECLARED_RIGHTS: PlanDocument = {
  ...plan([change({})], {
    unmanaged: UNDECLARED_PEOPLE.slice(2, 6),
    diagnostics: UNDECLARED_PEOPLE.slice(3, 5).map((one) => ({
      severity: "warning",
      code: "undeclared_rights",
      message: "a person is not declared",
      address: undeclaredAddress(one),
    })),
  }),
  type: "driftline.drift",
};

/** A plan under a key that may read no insight. */
const REFUSED = plan(
  ["signups", "revenue", "churn"].map((name) =>
    change({
      address: `acme/projects/web/insights/${name}`,
      kind: "insight",
      action: "unknown",
      reason:
        "GET /api/projects/2/insights/ answered 403 permission_denied: API key missing required scope 'insight:read'",
    }),
  ),
);

describe("plans and drifts", () => {
  const many = plan(
    Array.from({ length: 400 }, (_, index) =>
      change({
        address: `acme/domains/d${index}`,
        action: index === 399 ? "delete" : "create",
        reason: "x".repeat(200),
      }),
    ),
  );
  test.each([
    ["plan-everything", EVERYTHING, { ...PLAIN, unmanaged: true, footer: "12 requests" }],
    ["plan-narrow", EVERYTHING, { ...PLAIN, width: 60, showsNextSteps: false }],
    ["plan-clean", CLEAN, { ...PLAIN, footer: "4 requests" }],
    ["plan-empty", plan([]), PLAIN],
    ["plan-undeclared-people", plan([change({})], { unmanaged: UNDECLARED_PEOPLE }), PLAIN],
    ["drift-undeclared-people", UNDECLARED_RIGHTS, PLAIN],
    [
      "plan-limited",
      plan(EVERYTHING.changes.slice(1, 2), {
        options: {
          prune: false,
          only: ["acme/domains", ...[..."abcdef"].map((name) => `acme/projects/web-prod/insights/${name}`)],
          rotate: [],
        },
      }),
      { ...PLAIN, width: 80 },
    ],
    ["plan-unread", UNREAD, PLAIN],
    ["plan-refused", REFUSED, { ...PLAIN, width: 80 }],
    ["drift", DRIFT, PLAIN],
    ["drift-accepted", DRIFT, { ...PLAIN, accepts: true }],
  ])("%s, as text and as Markdown", (name, document, options) => {
    expectGolden(`${name}.txt`, renderPlan(document, "text", options));
    expectGolden(`${name}.md`, renderPlan(document, "markdown", options));
  });

  test("what several removals have in common is said once", () => {
    expectGolden("removals.txt", renderPlan(REMOVALS, "text", PLAIN));
    expectGolden("removals.md", renderPlan(REMOVALS, "markdown", PLAIN));
    expectGolden("removals.html", `${bodyOf(renderPlan(REMOVALS, "html", PLAIN))}\n`);
    expectGolden("removals.ansi", renderPlan(REMOVALS, "text", { color: true, width: 80 }));
    expectGolden("removals-drift.txt", renderPlan({ ...REMOVALS, type: "driftline.drift" }, "text", PLAIN));
  });

  test("an HTML report says when it was made", () => {
    const madeAt = new Date("2026-02-03T04:05:06Z");
    expect(renderPlan(CLEAN, "html", { ...PLAIN, madeAt })).toContain("<dt>Made</dt><dd>2026-02-03 04:05 UTC</dd>");
    expect(renderPlan(CLEAN, "html", PLAIN)).not.toContain("<dt>Made</dt>");
  });

  test("colours", () => {
    expectGolden("plan-everything.ansi", renderPlan(EVERYTHING, "text", { color: true }));
  });

  test.each(Object.entries(DIFFS))("the diff %s at 80 columns, as text and as Markdown", (name, document) => {
    expectGolden(`diff-${name}.txt`, renderPlan(document, "text", { ...PLAIN, width: 80, showsNextSteps: false }));
    expectGolden(`diff-${name}.md`, renderPlan(document, "markdown", PLAIN));
  });

  test("equal changes are one section of HTML", () => {
    for (const name of ["equal-tags", "texts-alike", "values-differ"]) {
      const html = renderPlan(DIFFS[name] ?? plan([]), "html", PLAIN);
      expectGolden(`diff-${name}.html`, `${bodyOf(html)}\n`);
    }
  });

  test.each(["sql-where", "long-line", "set", "secrets", "wide"])("the diff %s in colours", (name) => {
    const document = DIFFS[name] ?? plan([]);
    expectGolden(`diff-${name}.ansi`, renderPlan(document, "text", { color: true, width: 80, showsNextSteps: false }));
  });

  test("a drift that apply cannot settle names the way to accept it", () => {
    const blocked = blockOf("prune");
    const document = plan([change({ action: "delete", blocked })], { type: "driftline.drift" });
    expectGolden("drift-blocked.txt", renderPlan(document, "text", { ...PLAIN, width: 80 }));
  });

  test("a drift labels both sides", () => {
    const changes = ["sql-where", "set", "secrets"].flatMap((name) => DIFFS[name]?.changes ?? []);
    const document = plan(changes, { type: "driftline.drift" });
    expectGolden("diff-drift.txt", renderPlan(document, "text", { ...PLAIN, width: 80, showsNextSteps: false }));
    expectGolden("diff-drift.md", renderPlan(document, "markdown", PLAIN));
  });

  test("500 changes that are alike are 40 lines, and a comment names all of them", () => {
    const [first] = DIFFS["texts-alike"]?.changes ?? [];
    const changes = Array.from({ length: 500 }, (_, index) => ({
      ...(first ?? change({})),
      address: `acme/projects/web/insights/insight-${String(index)}`,
      fields: [{ path: "/name", prior: `Name ${String(index)}`, planned: `Name ${String(index)} (v3)` }],
    }));
    const text = renderPlan(plan(changes), "text", { ...PLAIN, width: 80 });
    expect(text.split("\n").length).toBeLessThanOrEqual(40);
    const markdown = renderPlan(plan(changes), "markdown", PLAIN);
    for (const index of changes.keys()) expect(markdown).toContain(`insight-${String(index)}<`);
  });

  test("of more changes than a comment can name, their number and what they have in common is there", () => {
    const [first] = DIFFS["equal-tags"]?.changes ?? [];
    const changes = Array.from({ length: 5000 }, (_, index) => ({
      ...(first ?? change({})),
      address: `acme/projects/web/insights/insight-${String(index)}`,
    }));
    const text = renderPlan(plan(changes), "markdown", PLAIN);
    expect(text).toContain("```diff");
    expect(text).toMatch(/\*\*5000 names\*\* left out/u);
    expect(text).not.toContain("more changes");
  });

  test("verbose shows equal changes one by one", () => {
    const [first, second, third] = DIFFS["equal-tags"]?.changes ?? [];
    const changes = [first, second, third].filter((one) => one !== undefined);
    expectGolden(
      "diff-equal-verbose.txt",
      renderPlan(plan(changes), "text", { ...PLAIN, verbose: true, showsNextSteps: false }),
    );
  });

  test.each(["NO_COLOR", "FORCE_COLOR"])("colours depend on the caller, not on %s", (name) => {
    const render = (color: boolean): string => renderPlan(EVERYTHING, "text", { color });
    const before = [render(true), render(false)];
    vi.stubEnv(name, "1");
    try {
      expect([render(true), render(false)]).toEqual(before);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("a plan that is too large for a comment omits the least risky changes", () => {
    const text = renderPlan(many, "markdown", PLAIN);
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/\*\*\d+ more changes\*\* left out/);
    expect(text).toContain("acme/domains/d399");
  });

  test("a plan that is too large for a comment omits creates before updates, and counts what it omits", () => {
    const creates = Array.from({ length: 600 }, (_, index) =>
      change({
        address: `acme/domains/new${index}`,
        action: "create",
        fields: [{ path: "/domain", prior: null, planned: `${index}${"x".repeat(80)}` }],
      }),
    );
    const update = change({ address: "acme/domains/old", action: "update" });
    const text = renderPlan(plan([...creates, update]), "markdown", PLAIN);
    expect(text).toContain("acme/domains/old");
    const [, all, created] = /\*\*(\d+) more changes\*\* [^:]*: (\d+) to create\./.exec(text) ?? [];
    expect([Number(all) > 0, created]).toEqual([true, all]);
  });

  test("json output is the document itself", () => {
    expect(renderPlan(EVERYTHING, "json", PLAIN)).toBe(`${JSON.stringify(documentJson(EVERYTHING), null, 2)}\n`);
    expect(renderOutcomes(OUTCOMES, "json", PLAIN)).toBe(`${JSON.stringify(documentJson(OUTCOMES), null, 2)}\n`);
  });
});

/** Why every change fails in an outage. */
const OUT = { code: "outage", message: "the service at eu.analytics.example answers 503" };

describe("outcomes", () => {
  test.each([
    ["outcomes-partial", OUTCOMES],
    ["outcomes-done", outcomes([outcome({ action: "create" }), outcome({ address: "acme", kind: "organization" })])],
    ["outcomes-none", outcomes([outcome({})], { requests: 1 })],
    [
      "outcomes-outage",
      outcomes([
        outcome({ action: "update" }),
        ...(["a", "b", "c"] as const).map((name) =>
          outcome({ address: `acme/domains/${name}`, action: "update", status: "failed", error: OUT }),
        ),
        outcome({
          address: "acme/domains/d",
          action: "update",
          status: "unknown",
          error: { ...OUT, code: "outcome_unknown" },
        }),
      ]),
    ],
    ["outcomes-blocked", outcomes([outcome({ action: "delete", status: "skipped", blocked: blockOf("prune") })])],
    [
      "outcomes-blocked-alike",
      outcomes(
        ["web", "shop", "app"].map((name) =>
          outcome({
            address: `acme/domains/${name}`,
            action: "create",
            status: "skipped",
            blocked: {
              rule: "pin_missing",
              lift: "create it anew:",
              command: ["driftline", "apply", "--recreate", `acme/domains/${name}`],
            },
          }),
        ),
      ),
    ],
    [
      "outcomes-alike",
      outcomes([
        outcome({ action: "create" }),
        ...["lab", "shop", "app"].map((name) =>
          outcome({
            address: `acme/domains/${name}`,
            action: "update",
            fields: [{ path: "/sso_enforcement", prior: "", planned: "saml" }],
          }),
        ),
        ...Array.from({ length: 10 }, (_, index) =>
          outcome({
            address: `acme/projects/web/insights/i${index}`,
            kind: "insight",
            action: "update",
            fields: [{ path: "/description", prior: "", planned: `What ${index} says` }],
          }),
        ),
      ]),
    ],
    [
      "outcomes-interrupted",
      outcomes([
        outcome({ action: "create" }),
        ...["lab", "shop", "app"].map((name) =>
          outcome({
            address: `acme/domains/${name}`,
            action: "update",
            fields: [{ path: "/domain", prior: "a.com", planned: `${name}.com` }],
            status: "unknown",
            error: { code: "outcome_unknown", message: "stopped with a request in flight" },
          }),
        ),
        outcome({ address: "acme/domains/blog", action: "create", status: "skipped", error: INTERRUPTED }),
      ]),
    ],
  ])("%s, as text and as Markdown", (name, document) => {
    expectGolden(`${name}.txt`, renderOutcomes(document, "text", PLAIN));
    expectGolden(`${name}.md`, renderOutcomes(document, "markdown", PLAIN));
  });
});

test("the record of an apply has what each change removed, also if nobody knows whether it did", () => {
  const removed = REMOVALS.changes.map((one) => outcome({ ...one, blocked: null }));
  const person = { address: "acme/memberships/ida@acme.com", kind: "membership" } as const;
  const raised = outcome({ ...person, action: "update", fields: [{ path: "/level", prior: 1, planned: 8 }] });
  const owner = removed.find(({ kind }) => kind === "membership");
  const unsure = ["a", "b", "c"].map((name) =>
    outcome({
      address: `acme/domains/${name}`,
      action: "delete",
      status: "unknown",
      error: { code: "outcome_unknown", message: "no answer" },
      removes: [{ path: "/saml_x509_cert", value: `BEGIN\n${name}\nEND` }],
    }),
  );
  const document = outcomes([...removed, raised, outcome({ ...owner, status: "unknown" }), ...unsure]);
  const lifted = ["--prune", "--approve sha256:a1a1", "--allow-loss acme/domains/a", "--confirm-organization 'A @all'"];
  const record = { ...document.record, lifted_by: lifted };
  expectGolden("outcomes-removed.md", renderOutcomes({ ...document, record }, "markdown", PLAIN));
  expectGolden("outcomes-removed.html", `${bodyOf(renderOutcomes({ ...document, record }, "html", PLAIN))}\n`);
});

describe("outcomes that were reported as they became known", () => {
  const skipped = Array.from({ length: 12 }, (_, index) =>
    outcome({
      address: `acme/domains/d${index}`,
      action: "delete",
      status: "skipped",
      error: { code: "not_removed", message: "nothing is removed or replaced after a failure" },
    }),
  );
  const document = outcomes([...OUTCOMES.changes, ...skipped]);

  test("a line for each change that was tried", () => {
    const tried = document.changes.filter(isReported);
    const lines = tried.map((one, index) => outcomeLine(one, index + 1, 100, PLAIN));
    expectGolden("outcome-lines.txt", lines.join(""));
  });

  test.each([
    ["outcomes-reported", { ...PLAIN, outcomesAlreadyPrinted: true }],
    ["outcomes-verbose", { ...PLAIN, outcomesAlreadyPrinted: true, verbose: true, footer: "14 requests sent" }],
    ["outcomes-quiet", { ...PLAIN, detail: "line" as const }],
  ])("the end: %s", (name, options) => {
    expectGolden(`${name}.txt`, renderOutcomes(document, "text", options));
  });
});

test("the summary of a plan, and its last line", () => {
  expectGolden(
    "plan-summary.txt",
    renderPlan(EVERYTHING, "text", { ...PLAIN, detail: "summary", showsNextSteps: false }),
  );
  expectGolden("plan-line.txt", renderPlan(EVERYTHING, "text", { ...PLAIN, detail: "line" }));
});

describe("links to the web interface", () => {
  const link = (id: string): string => `https://eu.analytics.example/hog's/project/2/insights/${id}`;
  const tags = [{ path: "/tags", prior: [], planned: ["growth"] }];
  const insight = (name: string, part: Partial<ShownChange> = {}): ShownChange =>
    change({ address: `acme/projects/web/insights/${name}`, kind: "insight", action: "update", id: "1", ...part });
  const document = plan([
    insight("signups", { link: link("aB3_x-9Z"), name: "Signups per week", reason: "description differs" }),
    ...["a", "b", "c"].map((name) => insight(name, { link: link(name), reason: "tags differ", fields: tags })),
    insight("fresh", { action: "create", id: null, reason: "not there" }),
  ]);
  const done = outcomes([
    outcome({ ...insight("signups"), link: link("aB3_x-9Z") }),
    outcome({ ...insight("a"), link: link("a"), status: "failed", error: { code: "server", message: "500" } }),
    outcome({ ...insight("fresh"), action: "create", id: "7" }),
  ]);

  test("of a plan", () => {
    expectGolden("links.ansi", renderPlan(document, "text", { color: true, hyperlinks: true }));
    expectGolden("links.md", renderPlan(document, "markdown", PLAIN));
    expect(renderPlan(document, "html", PLAIN).match(/<a href="http.*?<\/a>/gu)).toMatchSnapshot();
    expect(renderPlan(document, "text", PLAIN)).not.toContain("insights/aB3");
  });

  test("of outcomes", () => {
    const view = { color: false, hyperlinks: true };
    const lines = done.changes.map((one, index) => outcomeLine(one, index + 1, 3, view));
    expectGolden("links-outcomes.ansi", lines.join("") + renderOutcomes(done, "text", view));
    expectGolden("links-outcomes.md", renderOutcomes(done, "markdown", PLAIN));
  });

  test("make room if a comment is too small for all changes", () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      insight(`i${index}`, { link: link("a"), reason: "x".repeat(60) }),
    );
    const linkless = many.map(({ link: _link, ...one }) => one);
    expect(renderPlan(plan(many), "markdown", PLAIN)).toBe(renderPlan(plan(linkless), "markdown", PLAIN));
  });

  test("leave the layout of a terminal as it is", () => {
    const bare = renderPlan(document, "text", { color: false, width: 60 });
    const linked = renderPlan(document, "text", { color: false, width: 60, hyperlinks: true });
    expect(linked).not.toBe(bare);
    const parts = linked.split("\u001B]8;;").map((part) => part.slice(part.indexOf("\u0007") + 1));
    expect(parts.join("")).toBe(bare);
  });
});

test.each(["text", "markdown", "html"] as const)(
  "who changed an object last, when, and with which client (%s)",
  (format) => {
    const modified = { at: "2026-11-22T03:17:15Z", by: "eve@acme.com", client: "agent <b>" };
    const report = renderPlan({ ...DRIFT, changes: [{ ...change({ action: "update" }), modified }] }, format, PLAIN);
    expect(report.match(/^.*last changed.*$/gmu)).toMatchSnapshot();
  },
);

test("what has no effect for one reason is named with its place once", () => {
  const gone = ["amy", "ben", "cat"].map((name) => change({ address: `acme/memberships/${name}`, removable: "state" }));
  expect(renderPlan({ ...DRIFT, changes: gone }, "text", PLAIN)).toContain(
    "These have no effect on this service: amy, ben, cat in acme/memberships/ (absent). If their names",
  );
});

const BOB = { at: "2026-03-01T10:00:00Z", by: "bob@acme.com" };

test.each<[string, readonly ShownChange["modified"][]]>([
  ["by one person", [BOB, { ...BOB, at: "2026-03-04T09:00:00.5Z" }, BOB]],
  ["by one person on a day", [BOB, BOB, BOB]],
  ["by several", [BOB, { ...BOB, by: "ada.with.a.long.name@marketing.acme.example" }, BOB]],
  ["by somebody unknown", [BOB, { ...BOB, by: null }, BOB]],
  ["when, is not known of all", [BOB, { ...BOB, at: null }, BOB]],
])("who changed the objects of a group last is said once: %s", (_name, last) => {
  const changes = last.map((modified, index) => ({
    ...change({ action: "update", address: `acme/projects/web/insights/kpi-${String(index)}`, kind: "insight" }),
    fields: [{ path: "/tags", prior: ["kpi"], planned: ["kpi", "board"] }],
    modified,
  }));
  const text = renderPlan({ ...DRIFT, changes }, "text", { ...PLAIN, width: 80 });
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  expect(/^.*3 insights.*(?:\n.+)*/mu.exec(text)?.[0]).toMatchSnapshot();
});

test.each([
  [
    "YAML: line and column",
    { file: "a.yaml", line: 3, column: 5, hint: "did you mean name?", address: "acme" },
    "a.yaml:3:5: error code: what\n  hint: did you mean name?\n",
  ],
  ["YAML: line only", { file: "a.yaml", line: 3 }, "a.yaml:3: error code: what\n"],
  [
    "TypeScript: pointer",
    { file: "a.driftline.ts", pointer: "/organizations/acme" },
    "a.driftline.ts#/organizations/acme: error code: what\n",
  ],
  ["a file as a whole", { file: "a.yaml" }, "a.yaml: error code: what\n"],
  ["no file: the address", { address: "acme/domains/corp" }, "acme/domains/corp: error code: what\n"],
  [
    "no file, and the message starts with the address",
    { address: "acme", message: "acme: what" },
    "acme: error code: what\n",
  ],
  ["no place at all", {}, "error code: what\n"],
  ["a warning", { severity: "warning" as const }, "warning code: what\n"],
])("a diagnostic shows its place: %s", (_name, part, expected) => {
  const diagnostic = { severity: "error" as const, code: "code", message: "what", ...part };
  expect(renderDiagnostics([diagnostic], PLAIN)).toBe(expected);
});

test("an empty list of diagnostics gives an empty text", () => {
  expect(renderDiagnostics([], PLAIN)).toBe("");
});

test("what can be imported stands in columns, with wide names as well", () => {
  const rows = ["Signups", "注册人数", ""].map((title, index) => ({
    kind: "insight" as const,
    collection: "acme/projects/web/insights",
    name: `${title || "unnamed"}-${String(index)}`,
    title,
    id: String(index),
  }));
  expectGolden("importable.txt", renderImportable(rows, PLAIN));
});
