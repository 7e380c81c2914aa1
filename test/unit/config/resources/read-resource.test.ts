import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import type { LoadedConfig } from "../../../../src/config/index.ts";
import { at, codes, load, loadGood } from "../helpers.ts";

const UUID = "0190aa11-2b3c-4d5e-8f60-718293a4b5c6";

/** Makes an organization with the given YAML (flow style) beside its name. */
function organization(inner: string): string {
  return `driftline: 1\norganizations: { acme: { name: Acme, ${inner} } }\n`;
}

function messages({ diagnostics }: LoadedConfig): readonly string[] {
  return diagnostics.map(({ message }: Diagnostic) => message);
}

describe("identity", () => {
  it.each([
    [
      "a UUID in lower case",
      `domains: { x: { id: ${UUID.toUpperCase()} } }`,
      "acme/domains/x",
      { field: "id", value: UUID },
    ],
    [
      "an integer",
      "pipeline_destinations: { x: { id: 7 } }",
      "acme/pipeline_destinations/x",
      { field: "id", value: "7" },
    ],
    ["digits", "pipeline_import_apps: { x: { id: '7' } }", "acme/pipeline_import_apps/x", { field: "id", value: "7" }],
    [
      "a short id",
      "projects: { '2': { insights: { x: { short_id: aB3dE } } } }",
      "acme/projects/2/insights/x",
      { field: "short_id", value: "aB3dE" },
    ],
  ])("is pinned by %s, without any other field", async (_, inner, address, pin) => {
    const loaded = await loadGood(organization(inner));
    expect(at(loaded, address).pin).toEqual(pin);
    expect(at(loaded, address).values).toEqual({});
  });

  it("allows an organization with only an id to be a scope", async () => {
    const loaded = await loadGood(
      `driftline: 1\norganizations: { acme: { id: ${UUID}, domains: { a: { domain: a.com } } } }\n`,
    );
    expect(at(loaded, "acme")).toMatchObject({ values: {}, scope: "", kind: "organization" });
  });

  it("allows two pinned objects with the same name, but never two declarations of one person", async () => {
    const insights = "projects: { '2': { insights: { a: { id: 1, name: Same }, b: { id: 2, name: Same } } } }";
    expect((await load(organization(insights))).diagnostics).toEqual([]);
    const other = UUID.replace("5c6", "5c7");
    const invites = `invites: { a: { id: ${UUID}, target_email: a@b.co }, b: { id: ${other}, target_email: A@b.co } }`;
    expect(codes(await load(organization(invites)))).toEqual(["duplicate_email"]);
  });

  it("allows the same name in two projects, and the same e-mail address in two organizations", async () => {
    const text = `driftline: 1
organizations:
  acme:
    name: Acme
    memberships: { a@b.co: { level: 1 } }
    batch_exports: { e: { name: Same, interval: day, destination: { type: NoOp, config: {} } } }
    projects: { '1': { insights: { i: { name: Same } } }, '2': { insights: { i: { name: Same } } } }
  beta:
    name: Beta
    memberships: { a@b.co: { level: 1 } }
    projects: { '1': { insights: { i: { name: Same } } } }
`;
    expect((await load(text)).diagnostics).toEqual([]);
  });

  it("of a project is its id, else a key of digits, else its name, else its key", async () => {
    const { graph } = await loadGood(
      organization("projects: { a: { id: x1 }, b: { name: Web }, c: , 7: { name: Seven }, '8': {} }"),
    );
    const rows = graph.projects.map(({ address, id, name }) => [address, id, name]);
    expect(rows).toEqual([
      ["acme/projects/7", "7", "Seven"],
      ["acme/projects/8", "8", undefined],
      ["acme/projects/a", "x1", undefined],
      ["acme/projects/b", undefined, "Web"],
      ["acme/projects/c", undefined, "c"],
    ]);
  });
});

describe("required fields", () => {
  const batch = (inner: string): string => organization(`batch_exports: { x: { ${inner} } }`);

  it.each([
    ["in full", "name: X", ["destination", "interval"]],
    ["absent", "name: X, lifecycle: { state: absent }", []],
    ["forgotten", "name: X, lifecycle: { forget: true }", []],
    ["pinned", `id: ${UUID}`, []],
    ["absent, without a key", "lifecycle: { state: absent }", ["name"]],
  ])("of a resource declared %s", async (_, inner, expected) => {
    const found = messages(await load(batch(inner)));
    expect(found).toEqual(expected.map((key) => expect.stringMatching(new RegExp(`\\b${key}\\b`)) as string));
    expect(found).toMatchSnapshot();
  });

  it("are not reported as missing if their value could not be resolved", async () => {
    expect(codes(await load(organization("domains: { x: { domain: '${env:UNSET}' } }")))).toEqual([
      "unresolved_variable",
    ]);
  });
});

describe("paused of a batch export", () => {
  const paused = async (inner: string, scope = "acme"): Promise<unknown> => {
    const full = "interval: hour, destination: { type: NoOp, config: {} }";
    const declared = `batch_exports: { x: { name: X, ${full}, ${inner} } }`;
    const loaded = await loadGood(
      organization(scope === "acme" ? declared : `projects: { web: { id: 2, ${declared} } }`),
    );
    return at(loaded, `${scope}/batch_exports/x`).values["paused"];
  };

  it.each([
    ["is false if it is not declared", "model: events", false],
    ["stays as declared", "paused: true", true],
    ["is not declared if the export is absent", "lifecycle: { state: absent }", undefined],
    ["is not declared if the export is forgotten", "lifecycle: { forget: true }", undefined],
  ])("%s", async (_, inner, expected) => {
    expect(await paused(inner)).toBe(expected);
    expect(await paused(inner, "acme/projects/web")).toBe(expected);
  });
});

describe("values", () => {
  it("may be null, empty or absent, which are different", async () => {
    const loaded = await loadGood(
      organization("projects: { '2': { insights: { i: { name: I, query: null, tags: [], description: '' } } } }"),
    );
    expect(at(loaded, "acme/projects/2/insights/i").values).toEqual({
      name: "I",
      query: null,
      tags: [],
      description: "",
    });
  });

  it("may have a key __proto__", async () => {
    const loaded = await loadGood(
      organization("projects: { '2': { insights: { i: { name: I, query: { __proto__: { a: 1 } } } } } }"),
    );
    expect(JSON.stringify(at(loaded, "acme/projects/2/insights/i").values)).toBe(
      '{"name":"I","query":{"__proto__":{"a":1}}}',
    );
  });

  it("are YAML 1.2: yes, no and dates are text, and 0o17 is an octal number", async () => {
    const loaded = await loadGood(
      organization(
        "projects: { '2': { insights: { i: { name: no, query: { a: yes, b: 0o17, c: 2020-01-01, d: 1e3 } } } } }",
      ),
    );
    expect(at(loaded, "acme/projects/2/insights/i").values).toEqual({
      name: "no",
      query: { a: "yes", b: 15, c: "2020-01-01", d: 1000 },
    });
  });

  it("merge with <<: explicit keys win in any order, then the first mapping", async () => {
    const loaded = await loadGood(`driftline: 1
variables:
  one: &one { favorited: true, saved: true, description: one }
  two: &two { description: two, tags: [two] }
organizations:
  acme:
    name: Acme
    projects:
      '2':
        insights:
          i: { saved: false, <<: [*one, *two], name: I }
          j: { <<: *two, name: J, query: { "<<": literal } }
`);
    expect(at(loaded, "acme/projects/2/insights/i").values).toEqual({
      name: "I",
      favorited: true,
      saved: false,
      description: "one",
      tags: ["two"],
    });
    expect(at(loaded, "acme/projects/2/insights/j").values).toEqual({
      name: "J",
      description: "two",
      tags: ["two"],
      query: { "<<": "literal" },
    });
  });

  it("that an alias repeats are reported only once", async () => {
    const loaded = await load(
      organization("domains: { a: &a { domian: a.com, domain: a.com }, b: { <<: *a, domain: b.com } }"),
    );
    expect(codes(loaded)).toEqual(["unknown_key"]);
  });

  it("may omit the content of a mapping", async () => {
    const loaded = await load(
      "driftline: 1\norganizations:\n  acme:\n    name: Acme\n    domains:\n    projects:\n      web:\n        insights:\n",
    );
    expect(loaded.diagnostics).toEqual([]);
    expect(loaded.graph.resources.map(({ address }) => address)).toEqual(["acme"]);
  });
});

describe("exclusive", () => {
  it("lists the kinds of each scope, each kind once", async () => {
    const loaded = await loadGood(
      organization(
        "exclusive: [memberships, domains, domains], projects: { web: { id: 2, exclusive: [insights, batch_exports] } }",
      ),
    );
    expect(loaded.graph.exclusive).toEqual([
      { scope: "acme", kind: "domain" },
      { scope: "acme", kind: "membership" },
      { scope: "acme/projects/web", kind: "batch_export" },
      { scope: "acme/projects/web", kind: "insight" },
    ]);
  });
});

describe("lifecycle", () => {
  it("may renew only invites and memberships", async () => {
    const inner =
      "invites: { a: { target_email: a@b.co, lifecycle: { renew: true } } }, memberships: { b@b.co: { level: 1, lifecycle: { renew: true } } }";
    expect((await load(organization(inner))).diagnostics).toEqual([]);
    expect(codes(await load(organization("members: { a@b.co: { level: 1, lifecycle: { renew: true } } }")))).toEqual([
      "unknown_key",
    ]);
  });

  it("may set create to false together with state: absent", async () => {
    const loaded = await loadGood(
      organization("domains: { a: { domain: a.com, lifecycle: { state: absent, create: false } } }"),
    );
    expect(at(loaded, "acme/domains/a").lifecycle).toEqual({ state: "absent", create: false });
  });
});
