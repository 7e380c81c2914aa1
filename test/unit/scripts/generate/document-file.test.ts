import { documentJson } from "../../../../src/model/document-json.ts";
import { readFile } from "node:fs/promises";
import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, it } from "vitest";
import { withLists } from "../../../../scripts/generate/document-file.ts";
import { kindNames } from "../../../../src/generated/kind-names.ts";
import { RULE_NAMES } from "../../../../src/model/rules.ts";
import type { DiagnosticsDocument } from "../../../../src/model/diagnostic.ts";
import type { OutcomesDocument } from "../../../../src/model/outcome.ts";
import type { PlanDocument } from "../../../../src/model/plan.ts";

type Definitions = Readonly<Record<string, object>>;

const plan: Required<PlanDocument> = {
  type: "driftline.plan",
  schema_version: 1,
  hash: `sha256:${"0".repeat(64)}`,
  config_hash: `sha256:${"1".repeat(64)}`,
  tool_version: "0.1.0",
  url: "https://eu.posthog.com",
  source: {
    paths: ["driftline.yaml"],
    variable_files: ["vars.yaml"],
    variables: [{ name: "token", value: null }],
    profile: "posthog",
    url: null,
    files: [{ file: "driftline.yaml", hash: "0".repeat(64) }],
  },
  options: { prune: false, only: ["acme"], rotate: [] },
  summary: { create: 0, update: 1, replace: 0, delete: 0, restore: 0, no_op: 0, unknown: 0, blocked: 1, unmanaged: 1 },
  changes: [
    {
      address: "acme/domains/corp",
      kind: "domain",
      action: "update",
      reason: "sso_enforcement differs",
      id: "1",
      blocked: { rule: "protect", lift: "remove lifecycle.protect" },
      fields: [{ path: "/sso_enforcement", prior: "", planned: { sensitive: true } }],
      fingerprint: null,
    },
  ],
  unmanaged: [{ kind: "domain", scope: "acme", id: "2", key: "acme.org" }],
  not_read: ["acme/invites"],
  diagnostics: [
    {
      severity: "warning",
      code: "deprecated_field",
      message: "m",
      hint: "h",
      address: "acme",
      file: "driftline.yaml",
      line: 1,
      column: 1,
      pointer: "/organizations",
    },
  ],
  effects: {
    insights: [
      {
        address: "acme/projects/web/insights/dau",
        shape: "lines",
        range: { from: "2026-11-01", to: "2026-11-02" },
        interval: { before: null, after: "day" },
        series: [
          {
            label: "$pageview",
            before: null,
            after: { total: 3, points: [{ at: "2026-11-01", value: 3 }] },
            percent: null,
          },
        ],
        series_left_out: 1,
        notes: ["At most 100 rows are returned."],
      },
      { address: "acme/projects/web/insights/gone", not_calculated: "the service answered 500" },
    ],
    left_out: { count: 2, reason: "limit" },
  },
};

const { effects: _effects, ...shown } = plan;

const outcomes: Required<OutcomesDocument> = {
  ...shown,
  type: "driftline.outcomes",
  changes: plan.changes.map((change) => ({
    ...change,
    status: "failed" as const,
    error: { code: "http_403", message: "m", hint: "h" },
    requests: 1,
    ended_at: "2026-11-28T04:01:07.250Z",
  })),
  record: {
    started_at: "2026-11-28T04:00:12.000Z",
    ended_at: "2026-11-28T04:03:40.000Z",
    commit: "3f2a1b0 feat: two factors",
    key_hash_end: "a1b2",
    declared_user: "owner@acme.com",
    lifted_by: ["--allow-loss acme/domains/corp"],
  },
  statuses: { applied: 0, unchanged: 0, yielded: 0, failed: 1, skipped: 0, unverified: 0, unknown: 0 },
  requests: 3,
};

const diagnostics: Required<DiagnosticsDocument> = {
  type: "driftline.diagnostics",
  schema_version: 1,
  tool_version: "0.1.0",
  command: "plan",
  exit_code: 10,
  changes: [],
  diagnostics: plan.diagnostics,
};

const OPTIONAL_PARTS = new Set([
  "/source",
  "/source/files",
  "/not_read",
  "/effects",
  "/effects/left_out",
  "/changes/0/ended_at",
  "/record/commit",
  "/record/declared_user",
  "/record/lifted_by",
]);
const OPTIONAL = /\/(hint|address|file|line|column|pointer)$/;
const FREE = /\/(prior|planned)$/;

describe.each([
  ["plan", documentJson(plan)],
  ["outcomes", documentJson(outcomes)],
  ["diagnostics", diagnostics],
])("%s schema", async (name, document) => {
  const schema = await readSchema(name);
  const validate = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true }).compile(schema);

  it("accepts a full document", () => {
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  it("requires every key but those that the model calls optional", () => {
    for (const path of keyPaths(document)) {
      const without = edited(document, path, (parent, key) => delete parent[key]);
      const isHint = path.startsWith("/diagnostics") || path.endsWith("/error/hint");
      const optional = OPTIONAL_PARTS.has(path) || (OPTIONAL.test(path) && isHint);
      expect([path, accepts(validate, without)]).toEqual([path, optional]);
    }
  });

  it("knows no other keys", () => {
    for (const path of keyPaths(document)) {
      const more = edited(document, path, (parent) => (parent["surplus"] = 1));
      expect([path, accepts(validate, more)]).toEqual([path, false]);
    }
  });
});

it("the outcomes schema says of a plan's parts what the plan schema says", async () => {
  const { definitions } = await readSchema("plan");
  const parts = Object.entries(definitions).filter(([name]) => name !== "Change" && !name.includes("Effect"));
  expect((await readSchema("outcomes")).definitions).toMatchObject(Object.fromEntries(parts));
});

const LISTS = { kinds: kindNames, rules: RULE_NAMES };

describe.each(["plan", "outcomes"])("the lists of the %s schema", async (name) => {
  const path = `schemas/${name}.schema.json`;
  const text = await readFile(new URL(`../../../../${path}`, import.meta.url), "utf8");

  it("are the kinds of schemas/kinds, and the rules of the guard", () => {
    expect(listsIn(text)).toEqual(LISTS);
  });

  it("are written anew, and nothing else is", () => {
    const lists = { kinds: [...kindNames, "feature_flag"], rules: [...RULE_NAMES, "full_moon"] };
    const more = withLists(path, text, lists);
    expect(listsIn(more)).toEqual(lists);
    expect(more.replaceAll(/,\n *"(?:feature_flag|full_moon)"/g, "")).toBe(text);
  });

  it.each(["kinds", "rules"])("cannot be written where no list is marked for the %s", (what) => {
    const mark = what === "kinds" ? "the names of the files" : "the table in";
    expect(() => withLists(path, text.replace(`this list: ${mark}`, "by hand"), LISTS)).toThrow(
      `${path}: no list of ${what} follows a $comment "The generator writes this list: ${mark}`,
    );
  });
});

function listsIn(text: string): unknown {
  const { definitions } = JSON.parse(text) as {
    readonly definitions: {
      readonly Kind: { readonly enum: unknown };
      readonly Blocked: { readonly properties: { readonly rule: { readonly enum: unknown } } };
    };
  };
  return { kinds: definitions.Kind.enum, rules: definitions.Blocked.properties.rule.enum };
}

async function readSchema(name: string): Promise<{ readonly definitions: Definitions }> {
  const text = await readFile(new URL(`../../../../schemas/${name}.schema.json`, import.meta.url), "utf8");
  return JSON.parse(text) as { readonly definitions: Definitions };
}

function accepts(validate: ValidateFunction, value: unknown): boolean {
  return validate(value);
}

/** Pointers to all object members, values that are free-form apart. */
function keyPaths(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null || FREE.test(at)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const path = `${at}/${key}`;
    return [...(Array.isArray(value) ? [] : [path]), ...keyPaths(item, path)];
  });
}

function edited(document: object, path: string, edit: (parent: Record<string, unknown>, key: string) => void): unknown {
  const copy = structuredClone(document);
  const keys = path.split("/").slice(1);
  const parent = keys
    .slice(0, -1)
    .reduce((node, key) => node[key] as Record<string, unknown>, copy as Record<string, unknown>);
  edit(parent, keys.at(-1) ?? "");
  return copy;
}
