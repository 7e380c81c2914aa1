import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configHash, loadConfig } from "../../../src/config/index.ts";
import { Secret } from "../../../src/model/json/json.ts";
import { at, codes, folderOf, load, loadGood } from "./helpers.ts";

const EXAMPLE = `driftline: 1
variables: { region: eu-central-1 }
organizations:
  acme:
    id: 0190AA11-2b3c-4d5e-8f60-718293a4b5c6
    name: Acme Inc
    enforce_2fa: true
    exclusive: [domains]
    domains:
      corp: { domain: acme.com, jit_provisioning_enabled: true, sso_enforcement: saml }
    memberships:
      ada@acme.com: { level: admin }
      bob@acme.com: { lifecycle: { state: absent } }
    invites:
      carol: { target_email: carol@acme.com, level: member, message: Welcome }
    members:
      dan@acme.com: { level: owner }
    batch_exports:
      events-to-s3:
        name: Events to S3
        model: events
        interval: hour
        destination:
          type: S3
          config: { bucket_name: acme, region: "\${var:region}", prefix: e/, aws_secret_access_key: "\${secret:AWS_SECRET}" }
    projects:
      web:
        id: "2"
        insights:
          signups:
            name: Signups per week
            query: { kind: TrendsQuery }
            tags: [growth]
            lifecycle: { protect: true, ignore: [description], renamed_from: Signups }
`;

const file = "driftline.yaml";

describe("a complete example", () => {
  it("has resources with addresses, kinds, scopes, names and positions", async () => {
    const { graph } = await loadGood(EXAMPLE);
    const rows = graph.resources.map(({ address, kind, scope, name, position }) => [
      address,
      kind,
      scope,
      name,
      position.line,
      position.column,
    ]);
    expect(rows).toEqual([
      ["acme", "organization", "", "acme", 4, 3],
      ["acme/batch_exports/events-to-s3", "batch_export", "acme", "events-to-s3", 19, 7],
      ["acme/domains/corp", "domain", "acme", "corp", 10, 7],
      ["acme/invites/carol", "invite", "acme", "carol", 15, 7],
      ["acme/members/dan@acme.com", "member", "acme", "dan@acme.com", 17, 7],
      ["acme/memberships/ada@acme.com", "membership", "acme", "ada@acme.com", 12, 7],
      ["acme/memberships/bob@acme.com", "membership", "acme", "bob@acme.com", 13, 7],
      ["acme/projects/web/insights/signups", "insight", "acme/projects/web", "signups", 30, 11],
    ]);
  });

  it("has pins, values, lifecycles, levels as numbers and secrets as expressions", async () => {
    const loaded = await loadGood(EXAMPLE);
    expect(at(loaded, "acme")).toMatchObject({
      pin: { field: "id", value: "0190aa11-2b3c-4d5e-8f60-718293a4b5c6" },
      values: { name: "Acme Inc", enforce_2fa: true },
      lifecycle: {},
    });
    expect(at(loaded, "acme").values).not.toHaveProperty("id");
    expect(at(loaded, "acme/memberships/ada@acme.com").values).toEqual({ level: 8 });
    expect(at(loaded, "acme/members/dan@acme.com").values).toEqual({ level: 15 });
    expect(at(loaded, "acme/invites/carol").values).toEqual({
      target_email: "carol@acme.com",
      level: 1,
      message: "Welcome",
    });
    expect(at(loaded, "acme/memberships/bob@acme.com")).toMatchObject({ values: {}, lifecycle: { state: "absent" } });
    expect(at(loaded, "acme/batch_exports/events-to-s3").values).toEqual({
      name: "Events to S3",
      model: "events",
      interval: "hour",
      paused: false,
      destination: {
        type: "S3",
        config: {
          bucket_name: "acme",
          region: "eu-central-1",
          prefix: "e/",
          aws_secret_access_key: new Secret("${secret:AWS_SECRET}"),
        },
      },
    });
    expect(at(loaded, "acme/projects/web/insights/signups")).toMatchObject({
      values: { name: "Signups per week", query: { kind: "TrendsQuery" }, tags: ["growth"] },
      lifecycle: { protect: true, ignore: ["description"], renamed_from: "Signups" },
    });
  });

  it("has projects, exclusive kinds, secrets, files and a hash", async () => {
    const loaded = await loadGood(EXAMPLE);
    expect(loaded.graph.projects).toEqual([
      { address: "acme/projects/web", organization: "acme", id: "2", position: { file, line: 27, column: 7 } },
    ]);
    expect(loaded.graph.exclusive).toEqual([{ scope: "acme", kind: "domain" }]);
    expect(loaded.graph.service).toEqual({});
    expect(loaded.secrets).toEqual([
      {
        address: "acme/batch_exports/events-to-s3",
        expression: "${secret:AWS_SECRET}",
        names: ["AWS_SECRET"],
        position: { file, line: 25, column: 100 },
      },
    ]);
    expect(configHash(loaded.graph)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(loaded.files).toEqual([file]);
  });
});

const ORGANIZATION = "driftline: 1\norganizations: { acme: { name: Acme } }\n";

describe("loadConfig", () => {
  it("reads all driftline documents in a folder recursively, and lists the others as ignored", async () => {
    const loaded = await loadGood({
      "a.yaml": ORGANIZATION,
      "b/c.yml": "kind: Other\n---\ndriftline: 1\norganizations: { beta: { name: Beta } }\n---\n",
      "b/d.driftline.ts": "export default { driftline: 1, organizations: { gamma: { name: 'Gamma' } } };\n",
      "b/e.driftline.mts": "export default { driftline: 1, organizations: { delta: { name: 'Delta' } } };\n",
      "b/other.ts": "throw new Error('not ours');\n",
      "compose.yaml": "services: {}\nservices: {}\n",
      "data.json": "{",
      ".hidden/x.yaml": "a: [",
      "node_modules/y.yaml": "a: [",
    });
    expect(loaded.graph.resources.map(({ address }) => address)).toEqual(["acme", "beta", "delta", "gamma"]);
    expect(loaded.files).toEqual(["a.yaml", "b/c.yml", "b/d.driftline.ts", "b/e.driftline.mts"]);
    expect(loaded.skippedFiles).toEqual([expect.stringContaining("b/c.yml") as string, "compose.yaml"]);
    expect(loaded.skippedFiles).toMatchSnapshot();
  });

  it.each([
    ["a key", "driftline: 1\na: ["],
    ["a quoted key", '"driftline": 1\na: ['],
    ["a key in brackets", '{ "driftline": 1, a: ['],
    ["a key in a second document", "kind: Other\n---\ndriftline: 1\na: ["],
    ["a key after the mark of a document", "--- { driftline: 1, a: [ }"],
    ["an indented key", "  driftline: 1\n  a: ["],
    ["a key after a byte order mark", "\uFEFFdriftline: 1\na: ["],
    ["a key without a colon", "driftline 1\na: ["],
    ["a key after Windows line ends", "# text\r\ndriftline: 1\r\na: ["],
    ["too deep", `driftline: 1\na: ${"[".repeat(2_000)}`],
  ])("stops at a file that does not parse and has %s driftline", async (_, text) => {
    const loaded = await load({ "a.yaml": ORGANIZATION, "b.yaml": text });
    expect(loaded.diagnostics[0]).toMatchObject({ severity: "error", file: "b.yaml" });
  });

  it("skips a file that does not parse and has no key driftline, with a warning", async () => {
    const loaded = await load({
      "a.yaml": ORGANIZATION,
      "b.yaml": "image: driftline\na: [",
      "c.yaml": "[".repeat(2_000),
    });
    expect(loaded.diagnostics).toMatchObject([
      { severity: "warning", code: "skipped_file", file: "b.yaml" },
      { severity: "warning", code: "skipped_file", file: "c.yaml" },
    ]);
    expect(loaded.skippedFiles).toEqual(["b.yaml", "c.yaml"]);
  });

  it("does not skip a file that is named", async () => {
    const loaded = await load({ "a.yaml": ORGANIZATION, "b.yaml": "a: [" }, { paths: ["a.yaml", "b.yaml"] });
    expect(codes(loaded)).toEqual(["yaml_syntax"]);
  });

  it.each([
    [
      "YAML",
      "a.yaml",
      "driftline: 1\nx-a: &a { enforce_2fa: true }\nx-b: ${var:none}\norganizations: { acme: { name: Acme, <<: *a } }\n",
    ],
    [
      "a program",
      "a.driftline.ts",
      'const a = { enforce_2fa: true };\nexport default { driftline: 1, "x-a": a, organizations: { acme: { name: "Acme", ...a } } };\n',
    ],
  ])("ignores top-level keys that begin with x- in %s", async (_, name, text) => {
    expect(at(await loadGood({ [name]: text }), "acme").values).toEqual({ name: "Acme", enforce_2fa: true });
  });

  it("reads a file only once, even if several paths lead to it", async () => {
    const cwd = folderOf({ "a.yaml": ORGANIZATION });
    mkdirSync(join(cwd, "sub"));
    symlinkSync(join(cwd, "a.yaml"), join(cwd, "sub", "link.yaml"));
    symlinkSync(cwd, join(cwd, "sub", "loop"));
    const loaded = await loadConfig({
      paths: ["a.yaml", ".", "./a.yaml", "sub"],
      cwd,
      env: {},
      vars: [],
      varFiles: [],
    });
    expect(loaded.diagnostics).toEqual([]);
    expect(loaded.files).toEqual(["a.yaml"]);
    expect(loaded.root).toBe(cwd);
  });

  it("reads a JSON file if the command line names it", async () => {
    const text = JSON.stringify({ driftline: 1, organizations: { acme: { name: "Acme" } } });
    const loaded = await loadGood({ "acme.json": text }, { paths: ["acme.json"] });
    expect(at(loaded, "acme").values).toEqual({ name: "Acme" });
  });

  it.each([
    ["CRLF line ends", "driftline: 1\r\norganizations:\r\n  acme: { nam: x, name: A }\r\n"],
    ["a byte order mark", "\uFEFFdriftline: 1\norganizations:\n  acme: { nam: x, name: A }\n"],
    ["characters outside of ASCII", "driftline: 1 # ä€\norganizations:\n  acme: { nam: x, name: A }\n"],
  ])("reports correct positions in a file with %s", async (_, text) => {
    const { diagnostics } = await load(text);
    expect(diagnostics).toMatchObject([{ code: "unknown_key", file, line: 3, column: 11 }]);
  });

  it("shows files relative to the working directory", async () => {
    const cwd = folderOf({ "here/x.txt": "", "conf/a.yaml": "driftline: 2\n" });
    const loaded = await loadConfig({ paths: ["../conf"], cwd: join(cwd, "here"), env: {}, vars: [], varFiles: [] });
    expect(loaded.diagnostics).toMatchObject([{ code: "unsupported_version", file: "../conf/a.yaml" }]);
    expect(loaded.root).toBe(join(cwd, "conf"));
  });
});

describe("several documents", () => {
  it("merge into one organization, and may repeat its id and name", async () => {
    const loaded = await loadGood({
      "a.yaml":
        "driftline: 1\norganizations: { acme: { name: Acme, domains: { a: { domain: a.com } }, projects: { web: { id: 2 } } } }\n",
      "b.yaml":
        "driftline: 1\norganizations: { acme: { name: Acme, enforce_2fa: null, domains: { b: { domain: b.com } }, projects: { web: { id: 2, insights: { i: { name: I } } } } } }\n",
    });
    expect(loaded.graph.resources.map(({ address }) => address)).toEqual([
      "acme",
      "acme/domains/a",
      "acme/domains/b",
      "acme/projects/web/insights/i",
    ]);
    expect(at(loaded, "acme").values).toEqual({ name: "Acme", enforce_2fa: null });
    expect(loaded.graph.projects).toHaveLength(1);
  });

  it("may repeat the service and a variable with the same value", async () => {
    const { graph } = await loadGood({
      "a.yaml":
        "driftline: 1\nvariables: { v: { a: 1, b: 2 } }\nservice: { url: https://a.example, self: robot@acme.com }\n",
      "b.yaml": "driftline: 1\nvariables: { v: { b: 2, a: 1 } }\nservice: { url: https://a.example }\n",
    });
    expect(graph.service).toMatchObject({ url: "https://a.example", self: "robot@acme.com" });
  });

  it("are all checked if one does not parse, without errors about variables that it may define", async () => {
    const loaded = await load({
      "a.yaml": "driftline: 1\nvariables: {",
      "b.yaml": "driftline: 1\norganizations: { acme: { name: 'Acme ${var:suffix}', enforce_2fa: 5 } }\n",
    });
    expect(codes(loaded)).toEqual(["yaml_syntax", "wrong_type"]);
  });
});

describe("the hash", () => {
  it("depends on the declarations, not on their positions", async () => {
    const one = await loadGood("driftline: 1\norganizations: { acme: { name: Acme, enforce_2fa: true } }\n");
    const moved = await loadGood({
      "x.yaml": "\n# moved\ndriftline: 1\norganizations:\n  acme:\n    enforce_2fa: true\n    name: Acme\n",
    });
    const changed = await loadGood("driftline: 1\norganizations: { acme: { name: Acme, enforce_2fa: false } }\n");
    expect(configHash(moved.graph)).toBe(configHash(one.graph));
    expect(configHash(changed.graph)).not.toBe(configHash(one.graph));
  });

  it("depends on the names of secrets, not on their values", async () => {
    const text = (name: string): string =>
      `driftline: 1\norganizations: { acme: { name: Acme, domains: { a: { domain: a.com, saml_x509_cert: "\${secret:${name}}" } } } }\n`;
    const one = await loadGood(text("ONE"), { env: { ONE: "first" } });
    const same = await loadGood(text("ONE"), { env: { ONE: "second" } });
    const other = await loadGood(text("TWO"));
    expect(configHash(same.graph)).toBe(configHash(one.graph));
    expect(configHash(other.graph)).not.toBe(configHash(one.graph));
  });

  it("depends on a pin, an exclusive kind, a project and the service", async () => {
    const base = "driftline: 1\norganizations: { acme: { name: Acme, projects: { web: { id: 2 } } } }\n";
    const variants = [
      base,
      base.replace("name: Acme", "name: Acme, id: 0190aa11-2b3c-4d5e-8f60-718293a4b5c6"),
      base.replace("name: Acme", "name: Acme, exclusive: [domains]"),
      base.replace("id: 2", "id: 3"),
      `${base}service: { url: https://a.example }\n`,
    ];
    const hashes = await Promise.all(variants.map(async (text) => configHash((await loadGood(text)).graph)));
    expect(new Set(hashes).size).toBe(variants.length);
  });
});

describe("loadConfig does not throw", () => {
  it("for a path that is a broken link or leads through a file", async () => {
    const cwd = folderOf({ "a.yaml": ORGANIZATION });
    symlinkSync(join(cwd, "nowhere"), join(cwd, "gone"));
    writeFileSync(join(cwd, "b.txt"), "");
    const loaded = await loadConfig({ paths: ["gone", "b.txt/c", "."], cwd, env: {}, vars: [], varFiles: [] });
    expect(codes(loaded)).toEqual(["file_unreadable", "file_not_found"]);
    expect(at(loaded, "acme").values).toEqual({ name: "Acme" });
  });
});
