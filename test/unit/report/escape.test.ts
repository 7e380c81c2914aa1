import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlanDocument } from "../../../src/model/plan.ts";
import type { Change } from "../../../src/model/change.ts";
import { ExactNumber, type Json } from "../../../src/model/json/json.ts";
import { renderPlan } from "../../../src/report/index.ts";
import { code, fence, fitPieces, paragraph, prose } from "../../../src/report/markdown/markdown.ts";
import { cut, sanitize } from "../../../src/model/text/quote.ts";
import { distinguish, flow, inline, safeJson, sanitizeExactly, type ValueNames } from "../../../src/report/escape.ts";
import { pathText } from "../../../src/model/pointer.ts";
import { namesOfField } from "../../../src/model/levels.ts";
import { groupChanges } from "../../../src/report/grouping.ts";
import { budget } from "../../support/budget.ts";
import { change, plan } from "./documents.ts";

const SENSITIVE = { sensitive: true };

// The texts that replace a value. Their wording is in the snapshot.
const [HIDDEN, WHOLE] = [inline(SENSITIVE), pathText("")];

test("the texts that replace a value differ from values and names", () => {
  for (const word of [HIDDEN, WHOLE]) expect(word).toMatch(/^\(.+\)$/);
  expect(new Set([HIDDEN, WHOLE]).size).toBe(2);
  expect([HIDDEN, WHOLE]).toMatchSnapshot();
});

test.each([
  ["escape sequences", "a\u001b[31mb", "a\\u001b[31mb"],
  ["a C1 introducer", "a\u009b31mb", "a\\u009b31mb"],
  ["line breaks and tabs", "a\r\n\tb", "a\\r\\n\\tb"],
  ["bidirectional overrides", "a\u202eb", "a\\u202eb"],
  ["zero-width characters", "a\u200bb\ufeff", "a\\u200bb\\ufeff"],
  ["a joiner between letters", "a\u200db", "a\\u200db"],
  ["line separators", "a\u2028b", "a\\u2028b"],
  ["lone surrogates", "a\ud800b", "a\\ud800b"],
  ["characters beyond the basic plane", "a\u{e0041}b", "a\\u{e0041}b"],
  ["no part of an emoji", "👩🏽\u200d💻 ok", "👩🏽\u200d💻 ok"],
  ["no letter of another script", "Zoë 日本 שלום", "Zoë 日本 שלום"],
])("sanitize escapes %s", (_name, text, expected) => {
  expect(sanitize(text)).toBe(expected);
});

test("JSON escapes the same characters as sanitize, and parses to the same document", () => {
  const document = { "na\u009bme": "a\u202e\u{e0041}\u007f\nb\u001b" };
  expect(safeJson(document)).toMatch(/^[\n -~]*$/);
  expect(JSON.parse(safeJson(document))).toEqual(document);
});

const LEVELS = namesOfField("membership", "/level");

test.each<[string, Json, ValueNames, string]>([
  ["null", null, {}, "null"],
  ["text in quotes", "a\nb", {}, '"a\\nb"'],
  ["a secret", SENSITIVE, {}, HIDDEN],
  ["a secret inside an object", { a: [SENSITIVE, 1] }, {}, `{ a: [${HIDDEN}, 1] }`],
  ["an object that only looks like a secret", { sensitive: true, b: 1 }, {}, "{ b: 1, sensitive: true }"],
  ["level 1", 1, LEVELS, "member"],
  ["level 8", 8, LEVELS, "ADMIN"],
  ["level 15", 15, LEVELS, "OWNER"],
  ["a level without a name", 3, LEVELS, "3"],
  ["a field `level` inside another field", 8, namesOfField("insight", "/query/level"), "8"],
  ["a field `level` of a kind without names", 8, namesOfField("domain", "/level"), "8"],
  ["a name with a control character", 8, { "a\u001b": 8 }, "a\\u001b"],
  ["empty values", { a: [], b: {}, c: "", d: null }, {}, '{ a: [], b: {}, c: "", d: null }'],
])("a value on one line: %s", (_name, value, names, expected) => {
  expect(inline(value, names)).toBe(expected);
});

test.each([
  ["/name", "name"],
  ["/destination/config/region", "destination.config.region"],
  ["/series/0/1/event", "series[0][1].event"],
  ["/a~1b/c~0d", "a/b.c~d"],
  ["/a.b/c d", '"a.b"."c d"'],
  ["/a\u001b", "a\\u001b"],
  ["", WHOLE],
])("the pointer %j is shown as %j", (pointer, expected) => {
  expect(pathText(pointer)).toBe(expected);
});

test.each([
  ["a word", "purchase", "purchase"],
  ["words", "Signups per week", "Signups per week"],
  ["another script", "週次", "週次"],
  ["an address", "https://acme.com/x", "https://acme.com/x"],
  ["a variable", "$pageview", "$pageview"],
  ["the texts of other values", ["true", "null", "8", "(sensitive)", "~"], '["true", "null", "8", "(sensitive)", "~"]'],
  ["signs of a report", ["a, b", "a: b", "- a", "a  b", "a -> b"], '["a, b", "a: b", "- a", "a  b", "a -> b"]'],
  ["spaces at an end", [" a", "a "], '[" a", "a "]'],
  [
    "a number that is too long",
    [new ExactNumber("9007199254740993"), "9007199254740993"],
    '[9007199254740993, "9007199254740993"]',
  ],
  ["keys with special characters", { "a,b": 1, "{": 2, "": 3 }, '{ "": 3, "{": 2, "a,b": 1 }'],
  ["what says what it is first", { z: 1, event: "e", a: 2, kind: "K" }, "{ kind: K, event: e, a: 2, z: 1 }"],
])("a text in the flow of a value needs quotes only if it could be something else: %s", (_name, value, expected) => {
  expect(flow(value)).toBe(expected);
});

test.each([
  ["a backslash that is no escape", String.raw`\d+\.`, String.raw`\d+\.`],
  ["what looks like an escape", String.raw`a\nb \u0041`, String.raw`a\\nb \\u0041`],
  ["a backslash in front of an escape", "a\\\nb", String.raw`a\\\nb`],
])("an exact text differs from every other one: %s", (_name, text, expected) => {
  expect(sanitizeExactly(text)).toBe(expected);
});

test("different texts have different exact texts", () => {
  const piece = fc.constantFrom("\\", "n", "u", "t", "\n", "\t", "\u001b", "0", "a");
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, text, (left, right) => left === right || sanitizeExactly(left) !== sanitizeExactly(right)),
    { numRuns: budget(5000) },
  );
});

test.each([
  ["another space", ["a\u00a0b", "a b"], ["a\\u00a0b", "a b"]],
  ["a space at the end", ["a ", "a"], ["a\\u0020", "a"]],
  ["an accent of its own", ["e\u0301", "\u00e9"], ["e\\u0301", "\\u00e9"]],
  ["a backslash in front of an escape", ["\\e\u0301", "\\\u00e9"], ["\\e\\u0301", "\\\\\\u00e9"]],
  ["an invisible character", ["a\ufe0f", "a"], ["a\\ufe0f", "a"]],
  ["only those that look alike", ["日本", "e\u0301", "\u00e9"], ["日本", "e\\u0301", "\\u00e9"]],
  ["nothing that a reader sees anyway", ["é", "e"], ["é", "e"]],
  ["no text that is there twice", ["é ", "é "], ["é ", "é "]],
])("texts that look alike show how they differ: %s", (_name, texts, expected) => {
  expect(texts.map(distinguish(texts))).toEqual(expected);
});

describe("cutting", () => {
  test("an ellipsis marks the end, and no emoji is split", () => {
    expect([cut("abc", 5), cut("abcdef", 5)]).toEqual(["abc", "abcd…"]);
    expect(cut("aaa😀😀", 5)).toBe("aaa…");
  });
});

describe("Markdown", () => {
  test.each([
    ["a tag", "<img src=x onerror=alert(1)>", /^[^<>]*$/],
    ["a closing section", "</summary></details>", /^[^<>]*$/],
    ["a table cell", "a|b", /^[^|]*$/],
    ["a link", "[x](javascript:alert(1))", /^[^[]*$/],
    ["an image from another host", "![x](https://evil.example/p.png)", /^(?!.*!\[)/],
    ["a bare link", "https://evil.example and www.evil.example", /^(?!.*:\/\/)(?!.*www\.)/],
    ["emphasis", "*a* _b_ ~c~ `d`", /^[^*_~`]*$/],
    ["an entity", "&lt;b&gt;", /^(?!.*&lt;)/],
    ["a mention", "@everyone", /^&#64;&#8203;everyone$/],
    ["a mention behind a sign", "a-@everyone (@b)", /^a-&#64;&#8203;everyone \(&#64;&#8203;b\)$/],
    ["a mention behind a letter that is not Latin", "\u00e9@everyone", /&#64;&#8203;everyone$/],
    ["an e-mail address, in one piece", "ada@acme.com", /^ada&#64;acme\.com$/],
    ["a reference", "see #12", /^see &#35;&#8203;12$/],
    ["a heading", "# a", /^&#35;/],
    ["a line break", "a\n\n# b", /^a&#92;n&#92;n/],
  ])("%s is plain text", (_name, text, expected) => {
    expect(prose(text)).toMatch(expected);
  });

  test.each([
    ["a list", "- a", "&#45; a"],
    ["a numbered list", "1. a", "1&#46; a"],
    ["a rule", "---", "&#45;--"],
    ["a block of code", "     a", "a"],
    ["a version", "1.2", "1.2"],
  ])("%s at the start of a line is plain text", (_name, text, expected) => {
    expect(paragraph(text)).toBe(expected);
  });

  test("names of fields stay readable", () => {
    expect(code("enforce_2fa")).toBe("<code>enforce_2fa</code>");
  });

  test("a fence is longer than any fence in its lines", () => {
    expect(fence("diff", ["+ ````"])).toBe("`````diff\n+ ````\n`````");
  });

  test("pieces are kept as far as they fit", () => {
    expect(fitPieces(["aaaa", "bb", "cc"], 10)).toMatchObject({ kept: ["aaaa", "bb"], omitted: ["cc"] });
  });
});

describe("fields of a change, as text", () => {
  const body = (part: Partial<Change>, type: "driftline.plan" | "driftline.drift" = "driftline.plan"): string[] =>
    renderPlan(plan([change({ action: "update", ...part })], { type }), "text", { color: false, showsNextSteps: false })
      .split("\n")
      .filter((line) => line.startsWith("        "))
      .map((line) => line.slice(8));

  test("prior and planned share one line if they fit", () => {
    expect(body({ kind: "membership", fields: [{ path: "/level", prior: 8, planned: 15 }] })).toEqual([
      "level: ADMIN -> OWNER",
    ]);
  });

  test("a drift report labels the live and the declared value", () => {
    const found = body({ fields: [{ path: "/a", prior: "x", planned: null }] }, "driftline.drift");
    expect(found).toEqual([expect.stringMatching(/^a: .*"x"/)]);
    expect(found).toMatchSnapshot();
  });

  test("a drift report lists no fields of a missing object", () => {
    expect(body({ action: "create", fields: [{ path: "/a", prior: null, planned: 1 }] }, "driftline.drift")).toEqual(
      [],
    );
  });

  test("a secret that is sent without a visible difference is marked", () => {
    const sent = body({ fields: [{ path: "/key", prior: null, planned: SENSITIVE }] });
    const differs = body({ fields: [{ path: "/key", prior: SENSITIVE, planned: SENSITIVE }] });
    expect(sent).toEqual([expect.stringMatching(/^key: .*will be sent$/)]);
    expect(differs).toEqual(sent);
    expect(sent).toMatchSnapshot();
  });

  test("a created object lists all its members", () => {
    const config = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, index]));
    const found = body({
      action: "create",
      fields: [{ path: "/config", prior: null, planned: { list: [{ a: 1 }], config } }],
    });
    expect(found.slice(0, 4)).toEqual(["config:", "  config:", "    k0: 0", "    k1: 1"]);
    expect(found).toHaveLength(43);
  });

  test("a replaced object shows all its differences", () => {
    const fields = [
      { path: "/a", prior: 1, planned: 2 },
      { path: "/b", prior: null, planned: SENSITIVE },
    ];
    expect(body({ action: "replace", fields })).toEqual([expect.stringMatching(/^a:/), expect.stringMatching(/^b:/)]);
  });

  test("what is left out of a value that is too large to read is counted", () => {
    const fields = [{ path: "/a", prior: "x".repeat(1_000_000), planned: "short" }];
    const found = body({ fields });
    expect(found.at(-1)).toMatch(/950000/);
    expect(found.join("").match(/x/g)?.length).toBeGreaterThan(49_000);
    expect(found.some((line) => line.includes("+ short"))).toBe(true);
    const markdown = (paths: readonly string[]): string => {
      const all = paths.flatMap((path) => fields.map((field) => ({ ...field, path })));
      return renderPlan(plan([change({ action: "update", fields: all })]), "markdown", { color: false });
    };
    expect(markdown(["/a"])).toMatch(/\+ {3}short\n@@ 950000 /);
    expect(markdown(["/a", "/b"])).toMatch(/\*\*\d+ more lines\*\*/);
    expect(markdown(["/a", "/b"]).length).toBeLessThan(60_000);
  });
});

describe("groups of equal changes", () => {
  const edit = (name: string, part: Partial<Change> = {}): Change =>
    ({
      ...change({
        address: `acme/projects/web/insights/${name}`,
        kind: "insight",
        action: "update",
        fields: [{ path: "/tags", prior: [name], planned: [name, "growth"] }],
      }),
      ...part,
    }) as Change;
  const names = (changes: readonly Change[], isVerbose = false): readonly (readonly string[])[] =>
    groupChanges(changes, { verbose: isVerbose, type: "driftline.plan" }).map((group) =>
      group.map(({ address }) => address.slice(-1)),
    );

  test("three equal differences are one group, below what is not like them", () => {
    const other = edit("x", { fields: [{ path: "/name", prior: "a", planned: "b" }] });
    expect(names([edit("a"), other, edit("b"), edit("c")])).toEqual([["x"], ["a", "b", "c"]]);
  });

  test("texts that are edited alike at one end are one group, and one that is edited otherwise is not", () => {
    const renamed = (name: string, prior: string, planned: string): Change =>
      edit(name, { fields: [{ path: "/name", prior, planned }] });
    expect(
      names([
        renamed("a", "A", "A (v3)"),
        renamed("b", "B", "B (v3)"),
        renamed("x", "X", "X (v4)"),
        renamed("c", "C (v3)", "C (v3) (v3)"),
      ]),
    ).toEqual([["x"], ["a", "b", "c"]]);
  });

  describe("of ten updates whose texts differ", () => {
    const described = (part: (index: number) => Partial<Change>, count = 10): readonly Change[] =>
      Array.from({ length: count }, (_, index) =>
        edit(String(index), {
          fields: [{ path: "/description", prior: null, planned: `About ${String(index)}` }],
          ...part(index),
        }),
      );
    const counts = (changes: readonly Change[], isVerbose = false): readonly number[] =>
      groupChanges(changes, { verbose: isVerbose, type: "driftline.plan" }).map(({ length }) => length);

    test("in digits is one, but not with --verbose", () => {
      expect(counts(described(() => ({})))).toEqual([10]);
      expect(
        counts(
          described(() => ({})),
          true,
        ),
      ).toHaveLength(10);
    });

    test.each<[string, (index: number) => Partial<Change>]>([
      ["what may be in an organization", () => ({ kind: "batch_export" })],
      ["what is in an organization", (index) => ({ address: `acme/domains/${String(index)}`, kind: "domain" })],
      ["removals", () => ({ action: "replace" })],
      ["what is blocked", () => ({ blocked: { rule: "protect", lift: "x" } })],
      ["what else happens", (index) => ({ reason: `other ${String(index)}` })],
    ])("%s are not folded", (_name, part) => {
      expect(counts(described(part))).toEqual(Array(10).fill(1));
    });

    test("up to nine values stand in a terminal, and of more the first and the last", () => {
      const shown = (count: number): readonly (string | undefined)[] =>
        [...renderPlan(plan(described(() => ({}), count)), "text", { color: false }).matchAll(/About (\d)/gu)].map(
          ([, index]) => index,
        );
      expect(shown(9)).toEqual([..."012345678"]);
      expect(shown(10)).toEqual(["0", "9"]);
    });

    test("Markdown and HTML hold all values", () => {
      const document = plan(described(() => ({})));
      for (const format of ["markdown", "html"] as const) {
        const text = renderPlan(document, format, { color: false });
        for (const index of Array(10).keys()) expect(text).toContain(`About ${String(index)}`);
      }
    });
  });

  describe("of an edit of many objects that had different values", () => {
    const OLD = ["day", "week", "hour"];
    const edited = (count: number, old = OLD): readonly Change[] =>
      Array.from({ length: count }, (_, index) =>
        edit(String(index), {
          reason: "",
          fields: [{ path: "/query/interval", prior: old[index % old.length] ?? null, planned: "month" }],
        }),
      );
    const sizes = (changes: readonly Change[], type: PlanDocument["type"] = "driftline.plan"): readonly number[] =>
      groupChanges(changes, { type }).map(({ length }) => length);

    test("the group is one, and the new value is that of a plan and the live one of a drift", () => {
      expect(sizes(edited(12))).toEqual([12]);
      expect(sizes(edited(12), "driftline.drift")).toEqual([4, 4, 4]);
    });

    test("whatever the old values are, and with an edit at the end of each name", () => {
      const many = Array.from({ length: 40 }, (_, index) => `Owner: team ${String(index)}`);
      expect(sizes(edited(40, many.with(7, "Legal hold")))).toEqual([40]);
      const renamed = edited(40, many).map((one, index) => ({
        ...one,
        fields: [...one.fields, { path: "/name", prior: `KPI ${String(index)}`, planned: `KPI ${String(index)} (v3)` }],
      }));
      expect(sizes(renamed)).toEqual([40]);
      const unlike = edited(40, many).map(({ fields }) => fields.map((one) => ({ ...one, planned: "year" })));
      expect(sizes(edited(40, many).with(7, edit("x", { fields: unlike[7] ?? [] })))).toEqual([1, 39]);
      expect(renderPlan(plan(renamed), "text", { color: false, width: 80 })).toMatchSnapshot();
    });

    test("an edit that is the same everywhere is one group, though some objects have the same name", () => {
      const renamed = Array.from({ length: 40 }, (_, index) => {
        const name = `KPI ${"abcdefghij".charAt(index % 10)}`;
        return edit(String(index), { fields: [{ path: "/name", prior: name, planned: `${name} (v3)` }] });
      });
      expect(sizes(renamed)).toEqual([40]);
    });

    test.each(["text", "markdown", "html"] as const)("the line counts the values (%s)", (format) => {
      const report = renderPlan(plan(edited(12)), format, { color: false, width: 80 });
      for (const value of OLD) expect(report).toContain(value);
      if (format === "text") expect(report).toMatchSnapshot();
    });
  });

  test("the largest comes first, below what stands alone", () => {
    const other = (name: string): Change => edit(name, { fields: [{ path: "/name", prior: "a", planned: "b" }] });
    const alone = edit("z", { fields: [{ path: "/name", prior: "a", planned: "c" }] });
    const changes = [..."abc"].map((name) => edit(name)).concat([..."defg"].map(other), alone);
    expect(names(changes)).toEqual([["z"], ["d", "e", "f", "g"], ["a", "b", "c"]]);
  });

  test("verbose shows each", () => {
    expect(names([edit("a"), edit("b"), edit("c")], true)).toEqual([["a"], ["b"], ["c"]]);
  });

  test.each<[string, Partial<Change>]>([
    ["action", { action: "replace" }],
    ["reason", { reason: "other" }],
    ["rule", { blocked: { rule: "protect", lift: "x" } }],
    ["difference", { fields: [{ path: "/tags", prior: [], planned: ["Growth"] }] }],
  ])("another %s is another group", (_name, part) => {
    expect(names([edit("a"), edit("b"), edit("c", part)])).toEqual([["a"], ["b"], ["c"]]);
  });

  test("changes without differences stay alone, but removals do not", () => {
    const without = (action: "delete" | "restore") => ["a", "b", "c"].map((name) => edit(name, { action, fields: [] }));
    expect(names(without("restore"))).toEqual([["a"], ["b"], ["c"]]);
    expect(names(without("delete"))).toEqual([["a", "b", "c"]]);
  });
});

describe("sentences", () => {
  const text = (changes: Parameters<typeof plan>[0], part: Parameters<typeof plan>[1] = {}): string =>
    renderPlan(plan(changes, part), "text", { color: false });
  const removal = change({
    action: "delete",
    blocked: { rule: "delete_limit", lift: "", command: ["driftline", "apply", "--approve", "HASH"] },
  });

  test("removals that need approval are listed with the command that approves them", () => {
    expect(text([removal])).toContain(`driftline apply --approve sha256:${"a1".repeat(32)}`);
    expect(text([removal])).toMatchSnapshot();
  });

  test("if all changes are blocked, the report does not offer to apply them", () => {
    const allowed = text([{ ...removal, blocked: null }]);
    // The last line of a plan names the command that applies it.
    const command = allowed.trimEnd().split("\n").at(-1) ?? "";
    expect(command).toContain("driftline apply");
    expect(text([removal])).not.toContain(command);
    expect([text([removal]), allowed]).toMatchSnapshot();
  });

  test("a plan with errors and no changes is not clean", () => {
    const broken = text([change({})], { diagnostics: [{ severity: "error", code: "x", message: "y" }] });
    const clean = text([change({})]).trimEnd();
    expect(broken).not.toContain(clean);
    expect([broken, clean]).toMatchSnapshot();
  });

  test("a plan with warnings and no changes is clean", () => {
    const warned = text([change({})], { diagnostics: [{ severity: "warning", code: "x", message: "y" }] });
    const clean = text([change({})]).trimEnd();
    expect(warned).toContain(clean.split("\n").at(-1));
    expect([warned, clean]).toMatchSnapshot();
  });
});

test("no address in a reason is broken, however narrow the terminal is", () => {
  const address = `acme/projects/web/insights/${"long-name-".repeat(8)}end`;
  const document = plan([change({ action: "update", reason: `its dashboard ${address} differs` })]);
  expect(renderPlan(document, "text", { color: false, width: 80 })).toContain(address);
});
