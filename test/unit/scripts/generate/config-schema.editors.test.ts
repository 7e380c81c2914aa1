/**
 * What an editor makes of schemas/config.schema.json. The language server is the one of VS Code's YAML extension, which other
 * editors use as well. It runs in this process. The `|` in a text is where the cursor is.
 */
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SettingsState as Settings } from "yaml-language-server/out/server/src/yamlSettings.js";
import type * as service from "yaml-language-server/out/server/src/languageservice/yamlLanguageService.js";
import packageJson from "../../../../package.json" with { type: "json" };
import { cli } from "../../../support/cli.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const RELEASED = `https://unpkg.com/driftline@${packageJson.version}/`;

const load = createRequire(import.meta.url);
const { getLanguageService } = load(
  "yaml-language-server/out/server/src/languageservice/yamlLanguageService.js",
) as typeof service;
const { SettingsState } = load("yaml-language-server/out/server/src/yamlSettings.js") as {
  readonly SettingsState: new () => Settings;
};
const { TextDocument } = load("vscode-languageserver-textdocument") as {
  readonly TextDocument: { create(uri: string, language: string, version: number, text: string): Document };
};

type Document = Parameters<service.LanguageService["doValidation"]>[0];

/** A project that has installed driftline. */
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "driftline-editor-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(ROOT, join(folder, "node_modules/driftline"));
});

afterAll(() => rm(folder, { recursive: true }));

const settings = new SettingsState();
const opened = new Map<string, Document>();
settings.documents = { get: (uri: string) => opened.get(uri) } as Settings["documents"];
const nothing = (): void => undefined;
const editor = getLanguageService({
  // A release is served from the files of its package.
  schemaRequestService: (uri) =>
    readFile(uri.startsWith(RELEASED) ? join(ROOT, uri.slice(RELEASED.length)) : fileURLToPath(uri), "utf8"),
  workspaceContext: { resolveRelativePath: (path, resource) => new URL(path, resource).href },
  yamlSettings: settings,
  telemetry: { send: nothing, sendError: () => Promise.resolve(), sendTrack: nothing },
  clientCapabilities: {
    textDocument: { completion: { completionItem: { documentationFormat: ["markdown"], snippetSupport: true } } },
  },
});
editor.configure({ validate: true, hover: true, completion: true, schemas: [] });

const LINE = "# yaml-language-server: $schema=";
const PACKAGE_PATH = "node_modules/driftline/schemas/config.schema.json";

/** Opens a text as a file of the project. */
function open(
  text: string,
  schema = PACKAGE_PATH,
): { document: Document; position: ReturnType<Document["positionAt"]> } {
  const uri = pathToFileURL(join(folder, "acme.yaml")).href;
  const whole = text.startsWith(LINE) ? text : `${LINE}${schema}\n${text}`;
  const cursor = whole.indexOf("|");
  // Documents are cached by their version.
  const document = TextDocument.create(uri, "yaml", ++versions, whole.replace("|", ""));
  opened.set(uri, document);
  return { document, position: document.positionAt(Math.max(0, cursor)) };
}

let versions = 0;

async function completions(text: string): Promise<Readonly<Record<string, unknown>>> {
  const { document, position } = open(text);
  const { items } = await editor.doComplete(document, position, false);
  return Object.fromEntries(items.map(({ label, documentation }) => [label, textOf(documentation)]));
}

async function hover(text: string): Promise<string> {
  const { document, position } = open(text);
  const shown = await editor.doHover(document, position);
  const [part = ""] = textOf(shown?.contents).split("\n\nSource:");
  return part;
}

function textOf(value: unknown): string {
  if (typeof value === "object" && value !== null && "value" in value) return String(value.value);
  return typeof value === "string" ? value : "";
}

async function problems(text: string, schema?: string): Promise<readonly string[]> {
  const { document } = open(text, schema);
  const found = await editor.doValidation(document, false);
  return found.map(({ range, message }) => `${String(range.start.line)}: ${message}`);
}

const ACME = "driftline: 1\norganizations:\n  acme:\n    name: Acme\n";
const INSIGHT = `${ACME}    projects:\n      web:\n        insights:\n          a:\n            name: A\n            `;
const EXPORT = `${ACME}    batch_exports:\n      e:\n        name: E\n        `;
const MEMBER = `${ACME}    memberships:\n      ada@acme.com:\n        `;

describe("an editor completes", () => {
  it.each([
    ["the keys of a file", "|", ["driftline", "variables", "service", "organizations"]],
    ["the keys of an organization", `${ACME}    |`, ["enforce_2fa", "lifecycle", "domains", "projects"]],
    ["the fields of a resource", `${INSIGHT}|`, ["description", "query", "tags", "lifecycle"]],
    [
      "the settings of a destination, by its type",
      `${EXPORT}destination:\n          type: Postgres\n          config:\n            |`,
      ["host", "database", "password"],
    ],
    ["what a lifecycle can say", `${INSIGHT}lifecycle:\n              |`, ["protect", "ignore", "renamed_from"]],
    ["a boolean", `${ACME}    enforce_2fa: |`, ["true", "false", "null"]],
    ["examples of a text", `${EXPORT}interval: |`, ["hour"]],
  ])("%s", async (_, text, expected) => {
    expect(Object.keys(await completions(text))).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ["a level", `${MEMBER}level: |`],
    ["a model", `${EXPORT}model: |`],
    ["a collection", `${ACME}    exclusive:\n      - |`],
    ["the type of a plugin", `${ACME}    pipeline_destinations:\n      p:\n        plugin_type: |`],
    ["a state", `${MEMBER}lifecycle:\n          state: |`],
  ])("%s, and says what each value means", async (_, text) => {
    expect(await completions(text)).toMatchSnapshot();
  });

  it("no field that is deprecated", async () => {
    expect(Object.keys(await completions(`${INSIGHT}|`))).not.toContain("dashboards");
  });
});

describe("an editor shows, at the cursor,", () => {
  it.each([
    ["the service", "driftline: 1\nserv|ice: { url: https://eu.posthog.com }"],
    ["an organization", ACME.replace("acme", "ac|me")],
    ["a field", `${ACME}    enforce|_2fa: true`],
    ["a level", `${MEMBER}le|vel: admin`],
    ["a lifecycle", `${INSIGHT}life|cycle: { protect: true }`],
    ["a resource", INSIGHT.replace(" a:", " a|:")],
  ])("what %s is", async (_, text) => {
    expect(await hover(text)).toMatchSnapshot();
  });
});

describe("an editor marks", () => {
  it.each([
    ["an unknown key", `${INSIGHT}nmae: B`],
    ["a wrong type", `${INSIGHT}order: first`],
    ["an unknown value", `${MEMBER}level: boss`],
    ["an unknown collection", `${ACME}    exclusive: [domain]`],
    ["another version", "driftline: 2"],
    ["a missing field", `${ACME}    domains:\n      corp: { sso_enforcement: saml }`],
    ["a missing setting of a destination", `${EXPORT}interval: hour\n        destination: { type: HTTP, config: {} }`],
    ["a field of the service's own", `${ACME}    domains:\n      corp: { domain: a.com, is_verified: true }`],
    ["a deprecated field", `${INSIGHT}dashboards: [7]`],
    ["an address that is none", `driftline: 1\nservice: { self: robot }`],
  ])("%s", async (_, text) => {
    expect(await problems(text)).toMatchSnapshot();
  });

  it.each([
    ["an integer", `${INSIGHT}order: \${var:order}`],
    ["a boolean", `${INSIGHT}saved: \${env:SAVED}`],
    ["a list", `${INSIGHT}tags: \${var:tags}`],
    ["an element of a list", `${INSIGHT}tags: ["\${var:tag}", fixed]`],
    ["an enum", `${MEMBER}level: \${var:level}`],
    [
      "an enum with null",
      `${EXPORT}interval: \${var:interval}\n        model: "\${var:model}"\n        destination: { type: HTTP, config: { url: "\${env:URL}", token: "\${secret:TOKEN}" } }`,
    ],
    ["a part of a text", `${INSIGHT}description: of \${var:team}`],
    ["an id", `driftline: 1\norganizations: { acme: { id: "\${var:id}" } }`],
    ["an e-mail address", `driftline: 1\nservice: { self: "\${env:ROBOT}" }`],
    [
      "a time",
      `${EXPORT}interval: hour\n        destination: { type: NoOp, config: {} }\n        start_at: \${var:start}`,
    ],
  ])("nothing where %s is filled in", async (_, text) => {
    expect(await problems(text)).toEqual([]);
  });

  it("nothing in a second file of an organization that the first one names", async () => {
    expect(
      await problems("driftline: 1\norganizations:\n  acme:\n    projects:\n      web:\n        name: Web"),
    ).toEqual([]);
  });
});

describe("an editor finds the schema", () => {
  it.each([
    ["by a relative path", `./${PACKAGE_PATH}`],
    ["by the path in the package", PACKAGE_PATH],
    ["by the address of a release, which is its $id", `${RELEASED}schemas/config.schema.json`],
  ])("%s", async (_, schema) => {
    expect(await problems("driftline: 2", schema)).toEqual(["1: Value must be 1."]);
  });

  it("by the first line of what init writes", async () => {
    const { code } = await cli(["init", "acme.yaml"], { cwd: folder, env: {} });
    const text = await readFile(join(folder, "acme.yaml"), "utf8");
    expect([code, await problems(text)]).toEqual([0, []]);
    expect(await problems(text.replace("name:", "nmae:"))).toContain("11: Property nmae is not allowed.");
  });
});

it("every field and every part of a configuration is described in the schema", async () => {
  const schema: unknown = JSON.parse(await readFile(join(ROOT, "schemas/config.schema.json"), "utf8"));
  expect(undescribed(schema, "")).toEqual([]);
  expect(JSON.stringify(schema)).not.toMatch(/Server facts|Interface: |Current service\./);
});

/** The paths of the properties without a description. */
function undescribed(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === "if") return [];
    const own = key === "properties" ? Object.entries(value as Record<string, object>) : [];
    const missing = own.filter(([, field]) => !("description" in field) && !("$ref" in field));
    return [...missing.map(([name]) => `${path}/${name}`), ...undescribed(value, `${path}/${key}`)];
  });
}
