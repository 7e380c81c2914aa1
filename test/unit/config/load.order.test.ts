import * as fc from "fast-check";
import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { configHash, loadConfig, type LoadedConfig } from "../../../src/config/index.ts";
import { folderOf } from "./helpers.ts";
import { budget } from "../../support/budget.ts";

type Tree = { readonly [key: string]: Tree | string | number | boolean | null | readonly (string | number)[] };

/** Parts of one configuration. The result must not depend on their distribution over files. */
const PIECES: readonly Tree[] = [
  { organizations: { acme: { name: "Acme", id: "0190aa11-2b3c-4d5e-8f60-718293a4b5c6" } } },
  { organizations: { acme: { enforce_2fa: true } } },
  { organizations: { acme: { exclusive: ["domains", "invites"] } } },
  { organizations: { acme: { domains: { b: { domain: "b.com", sso_enforcement: "${var:sso}" } } } } },
  { organizations: { acme: { domains: { a: { domain: "a.com", saml_x509_cert: "${secret:CERT}" } } } } },
  { organizations: { acme: { memberships: { "ada@acme.com": { level: "admin" }, "bob@acme.com": { level: 1 } } } } },
  { organizations: { acme: { projects: { web: { id: 2 } } } } },
  {
    organizations: {
      acme: { projects: { web: { insights: { z: { name: "Z", query: { b: 1, a: { d: 1, c: [1, 2] } } } } } } },
    },
  },
  {
    organizations: {
      acme: {
        projects: { web: { insights: { a: { name: "A", tags: ["x"], lifecycle: { protect: true, create: true } } } } },
      },
    },
  },
  { organizations: { acme: { projects: { "10": { exclusive: ["insights"] }, "9": { name: "Nine" } } } } },
  { organizations: { beta: { name: "Beta" }, "acme-2": { name: "Acme 2", domains: { c: { domain: "c.com" } } } } },
  { variables: { sso: "saml" }, service: { url: "https://a.example", self: "robot@acme.com" } },
];

/** Returns the same tree with its keys in another order. */
function shuffled(value: unknown, random: () => number): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => ({ key, item: shuffled(item, random), rank: random() }));
  return Object.fromEntries(
    entries.toSorted((left, right) => left.rank - right.rank).map(({ key, item }) => [key, item]),
  );
}

function merged(left: unknown, right: unknown): unknown {
  if (typeof left !== "object" || left === null || typeof right !== "object" || right === null) return right;
  const result: Record<string, unknown> = { ...left };
  for (const [key, item] of Object.entries(right)) result[key] = key in result ? merged(result[key], item) : item;
  return result;
}

async function loadFiles(files: Readonly<Record<string, string>>): Promise<LoadedConfig> {
  const cwd = folderOf(files);
  const loaded = await loadConfig({ paths: ["."], cwd, env: {}, vars: [], varFiles: [] });
  rmSync(cwd, { recursive: true });
  return loaded;
}

function withoutPositions({ graph, secrets }: LoadedConfig): string {
  return JSON.stringify({ graph, secrets }, (key, value: unknown) => (key === "position" ? undefined : value));
}

describe("the order of files and of keys", () => {
  it("never changes a byte of the graph, or its hash", async () => {
    const whole = await loadFiles({ "all.yaml": JSON.stringify(PIECES.reduce<unknown>(merged, { driftline: 1 })) });
    expect(whole.diagnostics).toEqual([]);
    expect(whole.graph.resources).toHaveLength(10);
    const places = fc.array(fc.nat({ max: 4 }), { minLength: PIECES.length, maxLength: PIECES.length });
    const ranks = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(places, ranks, async (where, stream) => {
        const random = (): number => Number(stream.next().value);
        const files = new Map<number, unknown>();
        for (const [index, piece] of PIECES.entries())
          files.set(where[index] ?? 0, merged(files.get(where[index] ?? 0) ?? { driftline: 1 }, piece));
        const texts: Record<string, string> = {};
        for (const [number, piece] of files) texts[`${number}.yaml`] = JSON.stringify(shuffled(piece, random));
        const loaded = await loadFiles(texts);
        expect(loaded.diagnostics).toEqual([]);
        expect(withoutPositions(loaded)).toBe(withoutPositions(whole));
        expect(configHash(loaded.graph)).toBe(configHash(whole.graph));
      }),
      { numRuns: budget(40) },
    );
  });
});

describe("any declaration", () => {
  const keys = [
    "name",
    "id",
    "domains",
    "projects",
    "lifecycle",
    "exclusive",
    "insights",
    "query",
    "level",
    "state",
    "ignore",
    "constructor",
    "__proto__",
  ];
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.constantFrom(null, true, 5, "", "admin", "absent", "a@b.co", "${var:x}", "${secret:A}", "${", "a.com"),
      fc.jsonValue({ maxDepth: 1 }),
    ),
    tree: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      tie("leaf"),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string({ maxLength: 3 })), tie("tree"), { maxKeys: 5 }),
    ),
  }));

  it("is loaded or reported with diagnostics, but never throws", async () => {
    await fc.assert(
      fc.asyncProperty(tree, tree, tree, async (organizations, variables, acme) => {
        const documents = [
          { driftline: 1, organizations, variables },
          { driftline: 1, organizations: { acme } },
        ];
        const loaded = await loadFiles({
          "a.yaml": documents.map((document) => JSON.stringify(document)).join("\n---\n"),
        });
        const isReported = loaded.diagnostics.length > 0 || typeof acme === "object";
        expect(isReported).toBe(true);
        for (const diagnostic of loaded.diagnostics) {
          expect(diagnostic).toMatchObject({
            file: "a.yaml",
            code: expect.stringMatching(/^[a-z_]+$/),
            line: expect.any(Number),
          });
        }
      }),
      { numRuns: budget(150) },
    );
  });
});
