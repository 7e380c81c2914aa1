import { describe, expect, it } from "vitest";
import { exportConfiguration } from "../../../src/export/export.ts";
import type { ExportOptions, ExportOrganization, ExportSummary } from "../../../src/export/types.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { sentencesOf } from "../../support/sentences.ts";
import {
  keysAt,
  acme,
  at,
  batchExport,
  exported,
  live,
  member,
  plugin,
  readText,
  S3,
  yamlOf,
  uuid,
} from "./helpers.ts";

describe("the file", () => {
  const other = live("organization", uuid(2), { name: "Bär & Söhne" });

  it("is one for everything, and starts with its schema", () => {
    const { files } = exportConfiguration([{ organization: other, lists: {}, projects: [] }, acme()], { ids: true });
    expect(files.map(({ name }) => name)).toEqual(["driftline.yaml"]);
    const text = files[0]?.text ?? "";
    expect(text.split("\n").slice(0, 5)).toEqual([
      "# yaml-language-server: $schema=node_modules/driftline/schemas/config.schema.json",
      "driftline: 1",
      "undeclared: report",
      "organizations:",
      "  acme-inc:",
    ]);
    expect(keysAt(readText(text), "organizations")).toEqual(["acme-inc", "bar-sohne"]);
  });

  it("has the page of an object beside its id, also where nothing else is declared, and only there", () => {
    const lists = { insight: [live("insight", "5", { name: null }), live("insight", "6", { name: "x" })] };
    const organization = acme({}, [{ id: "2", name: "Web", lists }]);
    const textWith = (options: Partial<ExportOptions>): string => {
      const pageOf = ({ id }: { readonly id: string }): string => `https://a.example/project/2/insights/${id}`;
      return exportConfiguration([organization], { ids: true, pageOf, ...options }).files[0]?.text ?? "";
    };
    for (const id of ["5", "6"])
      expect(textWith({})).toContain(`          id: ${id} # https://a.example/project/2/insights/${id}\n`);
    expect(textWith({ ids: false })).not.toContain("a.example");
    expect(textWith({ isSecret: (text) => text.includes("a.example") })).not.toContain("a.example");
  });

  const domains = { domain: [live("domain", uuid(10), { domain: "acme.com" })] };
  const web = { id: "2", name: "Web", lists: { insight: [live("insight", "5", { name: "x", order: null })] } };
  const tree = (one: ExportOrganization, ids: boolean) =>
    Object.fromEntries(
      exportConfiguration([one], {
        ids,
        layout: "tree",
        schema: (file) => `${file}/node_modules/driftline/schemas/config.schema.json`,
      }).files.map(({ name, text }) => [name, text]),
    );

  it("of a tree: the organization's own resources in one, and each project in one that names its organization", () => {
    const files = tree(acme(domains, [web]), true);
    expect(Object.keys(files)).toEqual(["acme-inc/organization.yaml", "acme-inc/projects/web.yaml"]);
    for (const [name, text] of Object.entries(files)) expect(text).toContain(`$schema=${name}/node_modules/`);
    expect(readText(files["acme-inc/organization.yaml"] ?? "")["organizations"]).toEqual({
      "acme-inc": { id: uuid(1), name: "Acme Inc", domains: { "acme-com": { id: uuid(10), domain: "acme.com" } } },
    });
    expect(readText(files["acme-inc/projects/web.yaml"] ?? "")["organizations"]).toEqual({
      "acme-inc": { id: uuid(1), projects: { web: { id: "2", name: "Web", insights: { x: { id: 5, name: "x" } } } } },
    });
  });

  it("of a tree without ids names the organization by its name", () => {
    const files = tree(acme(domains, [web]), false);
    expect(readText(files["acme-inc/projects/web.yaml"] ?? "")["organizations"]).toEqual({
      "acme-inc": { name: "Acme Inc", projects: { web: { name: "Web", insights: { x: { name: "x" } } } } },
    });
  });

  it.each(["tree", "single"] as const)("of projects only declares nothing of the organization: %s", (layout) => {
    const { files, summary } = exportConfiguration([{ ...acme({}, [web]), projectsOnly: true }], { ids: true, layout });
    expect(files).toHaveLength(1);
    expect(keysAt(readText(files[0]?.text ?? ""), "organizations", "acme-inc")).toEqual(["id", "projects"]);
    expect(summary).toMatchObject({ counts: [["insight", 1]], projects: 1 });
  });

  it("has what is short on one line, and the keys of queries in the order in which people write them", () => {
    const browser = { value: ["Chrome", "Firefox"], key: "$browser", type: "event" };
    const series = [{ math: "total", event: "a", kind: "EventsNode", custom: 1 }];
    const source = { zoom: 1, properties: [browser], interval: "day", series, kind: "TrendsQuery" };
    const long = "x".repeat(100);
    const insight = live("insight", "5", {
      name: "x",
      order: null,
      query: { source, kind: "InsightVizNode", full: [long], none: {}, lines: ["a\nb"] },
      tags: ["b", "a"],
    });
    const text = yamlOf(acme({}, [{ ...web, lists: { insight: [insight] } }]));
    expect(text.slice(text.indexOf("            query:"))).toMatchInlineSnapshot(`
      "            query:
                    kind: InsightVizNode
                    source:
                      kind: TrendsQuery
                      series:
                        - { kind: EventsNode, event: a, math: total, custom: 1 }
                      interval: day
                      properties:
                        - { key: $browser, type: event, value: [Chrome, Firefox] }
                      zoom: 1
                    full:
                      - xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                    lines:
                      - |-
                        a
                        b
                    none: {}
      "
    `);
  });

  it("looks hand-written", async () => {
    const organization = acme(
      {
        domain: [
          live("domain", uuid(10), {
            domain: "acme.com",
            jit_provisioning_enabled: true,
            sso_enforcement: "saml",
            saml_acs_url: null,
          }),
        ],
        member: [member(20, "Ada@acme.com", 8), member(21, "bob@acme.com", 1)],
        invite: [
          live("invite", uuid(30), {
            target_email: "carol@acme.com",
            level: 1,
            first_name: "",
            message: "Welcome\nto us\n",
          }),
        ],
        pipeline_destination: [
          plugin("pipeline_destination", "7", {
            plugin_type: "source",
            name: "Webhook",
            config_schema: [{ key: "api_key", secret: true }],
          }),
        ],
      },
      [
        {
          id: "2",
          name: "Web",
          lists: {
            batch_export: [batchExport(40, "Events to S3")],
            insight: [
              live("insight", "5", {
                name: "Signups",
                tags: ["b", "a"],
                query: { source: { b: 1, a: "${x}" } },
                dashboards: [],
                deleted: false,
                order: null,
              }),
            ],
          },
        },
      ],
      { enforce_2fa: null, is_member_join_email_enabled: true },
    );
    await expect(yamlOf(organization)).toMatchFileSnapshot("golden/acme.yaml");
    await expect(yamlOf(organization, false)).toMatchFileSnapshot("golden/acme-no-ids.yaml");
  });

  it("does not depend on the order of objects and keys", () => {
    const lists = { batch_export: [batchExport(1, "b"), batchExport(2, "a"), batchExport(3, "a")] };
    const reversed = { batch_export: lists.batch_export.toReversed() };
    expect(yamlOf(acme(reversed))).toBe(yamlOf(acme(lists)));
  });

  it("is sorted as people sort names", () => {
    const made = exported(acme({ batch_export: ["B10", "b9", "a"].map((name, index) => batchExport(index, name)) }));
    expect(Object.keys(at(made, "batch_exports") as object)).toEqual(["a", "b9", "b10"]);
  });
});

describe("fields", () => {
  const blank = live("insight", "5", {
    name: "x",
    description: "",
    filters: {},
    tags: [],
    query: null,
    favorited: false,
  });
  const inWeb = acme({}, [{ id: "2", name: "Web", lists: { insight: [blank] } }]);

  it("are left out if a create without them gives the same", () => {
    expect(at(exported(inWeb), "projects", "web", "insights", "x")).toEqual({ id: 5, name: "x" });
  });

  it("are all exported on demand if they are not null", () => {
    const text = exportConfiguration([inWeb], { ids: true, allFields: true }).files[0]?.text ?? "";
    expect(at(readText(text), "organizations", "acme-inc", "projects", "web", "insights", "x")).toEqual({
      id: 5,
      name: "x",
      description: "",
      filters: {},
      tags: [],
      favorited: false,
    });
  });

  it.each([
    ["a level, which says who may do what", "invite", { target_email: "a@acme.com", level: 1 }, "level"],
    ["false where undecided is another state", "organization", { name: "x", enforce_2fa: false }, "enforce_2fa"],
    ["settings that are more than the default", "pipeline_destination", { config_schema: { a: 1 } }, "config_schema"],
    ["a default inside of a destination, which is sent whole", "batch_export", {}, "destination"],
  ] as const)("are exported: %s", (_name, kind, values, field) => {
    const destination = { type: "NoOp", config: { arg: "" } };
    const all: JsonObject = kind === "batch_export" ? { name: "x", interval: "day", destination, ...values } : values;
    const one = kind === "pipeline_destination" ? plugin(kind, "7", { name: "x", ...all }) : live(kind, uuid(9), all);
    const text = yamlOf(kind === "organization" ? { ...acme(), organization: one } : acme({ [kind]: [one] }));
    expect(text).toContain(`${field}:`);
    if (kind === "batch_export") expect(text).toContain('arg: ""');
  });

  it("are not exported as null where null is the default, or means it", () => {
    const found = exported(acme({ batch_export: [batchExport(1, "x", { model: null, start_at: null })] }));
    expect(at(found, "batch_exports", "x")).not.toHaveProperty("model");
    expect(at(found, "batch_exports", "x")).not.toHaveProperty("start_at");
  });

  it("are exported as null if null is a state of its own", () => {
    expect(at(exported(acme({}, [], { enforce_2fa: null })), "enforce_2fa")).toBeNull();
    expect(exported(acme())).not.toHaveProperty("enforce_2fa");
  });

  it("leave out what the service sets by itself", () => {
    const paused = batchExport(1, "x", { paused: true, last_paused_at: "2026-01-31T08:00:00Z" });
    const fields = at(exported(acme({ batch_export: [paused] })), "batch_exports", "x");
    expect(fields).toMatchObject({ paused: true });
    expect(fields).not.toHaveProperty("last_paused_at");
  });

  it("stand in a file for each, with the notes in that of the project", () => {
    const names = ["Visits", "Visits", "visits"];
    const insight = names.map((name, index) => live("insight", String(index), { name, dashboards: [9] }));
    const organization = acme({}, [{ id: "2", name: "Web", lists: { insight } }]);
    const { files } = exportConfiguration([organization], { ids: true, layout: "tree", split: ["insights"] });
    const noted = files.map(({ name, text }) => [name, text.match(/# .*not exported/gu)?.length ?? 0]);
    const below = ["visits", "visits-2", "visits-3"].map((name) => `acme-inc/projects/web/insights/${name}.yaml`);
    expect(noted.filter(([name]) => name !== "acme-inc/organization.yaml")).toEqual([
      ["acme-inc/projects/web.yaml", 2],
      ...below.map((name) => [name, 0]),
    ]);
  });

  it.each([
    ["with ids", { ids: true }, undefined, "# not exported: dashboards, "],
    ["with all fields", { ids: true, allFields: true }, [9, 10], undefined],
    ["without ids", { ids: false }, undefined, "# not exported: dashboards, "],
    ["without ids, with all fields", { ids: false, allFields: true }, undefined, "# not exported: dashboards, "],
  ])("declare dashboards in part, and only with all fields and ids: %s", (_case, options, kept, comment) => {
    const insight = live("insight", "5", { name: "x", order: null, dashboards: [10, 9] });
    const organization = acme({}, [{ id: "2", name: "Web", lists: { insight: [insight] } }]);
    const text = exportConfiguration([organization], options)
      .files.map((file) => file.text)
      .join("");
    const fields = at(readText(text), "organizations", "acme-inc", "projects", "web", "insights", "x");
    const declared = { dashboards: kept, lifecycle: { partial: ["dashboards"] } };
    expect(fields).toMatchObject(kept === undefined ? { name: "x" } : declared);
    if (kept === undefined) expect(Object.keys(fields as object)).not.toContain("dashboards");
    expect(text.match(/# .*dashboards.*?, /g)).toEqual(comment === undefined ? null : [comment]);
  });

  describe("that only their own project has", () => {
    const config = { bucket_name: "b", aws_access_key_id: "", aws_secret_access_key: "" };
    const web = {
      id: "2",
      name: "Web",
      lists: {
        insight: [
          live("insight", "5", {
            name: "x",
            order: null,
            dashboards: [9],
            query: {
              kind: "DataVisualizationNode",
              source: {
                kind: "HogQLQuery",
                query: "select 1",
                variables: { "0190": { code_name: "site" } },
                filters: { properties: [{ type: "cohort", key: "id", value: [5, 6] }] },
              },
            },
          }),
        ],
        batch_export: [
          live("batch_export", "6", {
            name: "y",
            interval: "hour",
            destination: { type: "S3", config, integration: 7 },
          }),
        ],
      },
    };
    const render = (options: Partial<ExportOptions>): { readonly text: string; readonly summary: ExportSummary } => {
      const { files, summary } = exportConfiguration([acme({}, [web])], { ids: false, ...options });
      return { text: files.map((file) => file.text).join(""), summary };
    };
    const PLACES = [
      ["cohort 5", "acme-inc/projects/web/insights/x /query/source/filters/properties/0/value/0"],
      ["cohort 6", "acme-inc/projects/web/insights/x /query/source/filters/properties/0/value/1"],
      ["dashboard 9", "acme-inc/projects/web/insights/x /dashboards/0"],
      ["integration 7", "acme-inc/projects/web/batch_exports/y /destination/integration"],
      ["SQL variable site", "acme-inc/projects/web/insights/x /query/source/variables/0190"],
    ];

    it("stay with ids, and nothing is said", () => {
      const { text, summary } = render({ ids: true });
      expect(text).toMatch(/value: \[5, 6\]/u);
      expect(text).not.toMatch(/# cohort/u);
      expect(summary.references).toEqual([]);
    });

    it("are named without ids, each with its place, in comments and in the summary", () => {
      const { text, summary } = render({});
      expect(text).toMatch(/^ *# SQL variable site, cohort 5, cohort 6: /mu);
      expect(text).toMatch(/^ *# integration 7: /mu);
      expect(summary.references).toEqual(PLACES.map(([name, place]) => ({ name, places: [place] })));
    });

    it("are variables if it is asked for, but for SQL variables, which their names find", () => {
      const { text, summary } = render({ idsAsVariables: true });
      const written = readText(text);
      const fields = (...keys: readonly string[]): unknown =>
        at(written, "organizations", "acme-inc", "projects", "web", ...keys);
      expect(fields("insights", "x")).toMatchObject({
        dashboards: ["${var:dashboard_9}"],
        lifecycle: { partial: ["dashboards"] },
        query: {
          source: {
            variables: { "0190": { code_name: "site" } },
            filters: { properties: [{ value: ["${var:cohort_5}", "${var:cohort_6}"] }] },
          },
        },
      });
      expect(fields("batch_exports", "y", "destination", "integration")).toBe("${var:integration_7}");
      expect(text.match(/^ *# .*(?:cohort|integration|SQL).*$/gmu)).toEqual([
        expect.stringMatching(/# SQL variable site: /u),
      ]);
      expect(summary.references.map(({ variable }) => variable)).toEqual([
        "cohort_5",
        "cohort_6",
        "dashboard_9",
        "integration_7",
        undefined,
      ]);
    });
  });

  it("leave no note about dashboards if there are none", () => {
    const insight = live("insight", "5", { name: "x", order: null, dashboards: [] });
    const text = yamlOf(acme({}, [{ id: "2", name: "Web", lists: { insight: [insight] } }]), false);
    expect(text).not.toContain("dashboards");
  });

  it.each([
    ["is noted if the list does not show it", {}, true],
    ["needs no note if the list shows it", { order: null }, false],
  ])("order %s", (_case, values, noted) => {
    const insight = live("insight", "5", { name: "x", ...values });
    const text = yamlOf(acme({}, [{ id: "2", name: "Web", lists: { insight: [insight] } }]));
    expect(/^ *# .*\border\b/m.test(text)).toBe(noted);
    if (noted) expect(text).toMatchSnapshot();
  });

  it("leave out paused: false and keep paused: true", () => {
    const found = exported(acme({ batch_export: [batchExport(1, "off", { paused: true }), batchExport(2, "on")] }));
    expect(at(found, "batch_exports", "off")).toHaveProperty("paused", true);
    expect(at(found, "batch_exports", "on")).not.toHaveProperty("paused");
  });

  it("never include `deleted`", () => {
    const insight = live("insight", "5", { name: "x", deleted: false });
    const found = exported(acme({}, [{ id: "2", name: "Web", lists: { insight: [insight] } }]));
    expect(at(found, "projects", "web", "insights", "x")).toEqual({ id: 5, name: "x" });
  });

  it("have their declared types again if the service returned text", () => {
    const found = exported(acme({ batch_export: [batchExport(1, "x")] }));
    expect(at(found, "batch_exports", "x", "destination", "config")).toEqual({
      bucket_name: "acme",
      region: "eu-central-1",
      prefix: "e/",
      max_file_size_mb: 7,
      use_virtual_style_addressing: true,
    });
  });

  it.each([["007"], ["7.0"], ["1e3"], ["seven"], ["99999999999999999999"]])("stay text if they are %s", (text) => {
    const destination = { type: "Postgres", config: { host: text, port: text } };
    const found = exported(acme({ batch_export: [batchExport(1, "x", { destination })] }));
    // An invalid port would make the whole file fail to load.
    const fields = at(found, "batch_exports", "x");
    expect(at(fields, "destination", "config", "port") ?? text).toBe(text);
  });

  it("that the schema forbids in a destination are left out", () => {
    const found = exported(acme({ batch_export: [batchExport(1, "x", { destination: { ...S3, gone: 7 } })] }));
    expect(keysAt(found, "batch_exports", "x", "destination")).toEqual(["type", "config"]);
  });

  it("that the configuration does not accept are left out with a warning", () => {
    const organization = acme({ domain: [live("domain", uuid(1), { domain: "ACME.com", sso_enforcement: "saml" })] });
    const { files, diagnostics } = exportConfiguration([organization], { ids: true });
    expect(at(readText(files[0]?.text ?? ""), "organizations", "acme-inc", "domains", "acme-com")).toEqual({
      id: uuid(1),
      sso_enforcement: "saml",
    });
    expect(diagnostics).toMatchObject([
      { severity: "warning", code: "not_declarable", address: "acme-inc/domains/acme-com" },
    ]);
    const unpinned = exportConfiguration([organization], { ids: false });
    expect(unpinned.files[0]?.text).not.toContain("domains");
    expect(unpinned.diagnostics.map(({ message }) => message).join()).toContain("domain");
    expect(sentencesOf(unpinned.diagnostics)).toMatchSnapshot();
  });
});
