/** A secret is concealed before a message cuts it, splits it, or writes it in another way. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { createRedactor } from "../../../src/api/redact/redact.ts";
import { loadConfig, registerConfigSecrets } from "../../../src/config/index.ts";
import { budget } from "../../support/budget.ts";

/** Places of a value that is not what is expected there, so that a message quotes it. */
const PLACES = [
  "enforce_2fa: VALUE",
  "allow_publicly_shared_resources: VALUE",
  'members: { "ada@acme.com": { level: VALUE } }',
  "members: VALUE",
  "domains: VALUE",
  "domains: { corp: VALUE }",
  "domains: { corp: { domain: VALUE } }",
  "domains: { corp: { domain: acme.com, jit_provisioning_enabled: VALUE } }",
  "domains: { corp: { domain: acme.com, lifecycle: VALUE } }",
  "domains: { corp: { domain: acme.com, state: VALUE } }",
  "domains: { corp: { domain: acme.com, saml_entity_id: [VALUE], lifecycle: { ignore: VALUE } } }",
  "domains: { corp: { domain: acme.com, lifecycle: { ignore: [VALUE], state: VALUE } } }",
  "projects: VALUE",
  "projects: { web: VALUE }",
  "projects: { web: { name: [VALUE], id: [1] } }",
  "projects: { web: { name: Web, batch_exports: { a: { name: A, interval: VALUE } } } }",
  "projects: { web: { name: Web, batch_exports: { a: { name: A, interval: day, start_at: VALUE } } } }",
  "projects: { web: { name: Web, insights: { a: { name: A, tags: VALUE, dashboards: VALUE } } } }",
  "projects: { web: { name: Web, insights: { a: { name: A, query: { kind: VALUE } } } } }",
  "projects: { web: { name: Web, insights: { a: { name: A, query: { kind: TrendsQuery, series: VALUE, interval: VALUE } } } } }",
];

const letters = "abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ23456789";
const part = fc.string({ unit: fc.constantFrom(...letters), minLength: 12, maxLength: 30 });
const secret = fc
  .tuple(part, fc.constantFrom("", ":", ",", ", ", " ", "=", "/", "-", "_"), part)
  .map((parts) => parts.join(""));
const around = fc.string({ unit: fc.constantFrom("a", "b", ".", "-"), maxLength: 60 });
/** How a value gets into a file, with the variable that has it. */
const WAYS = [
  ["an expression", "NOTE_TOKEN", "${env:NOTE_TOKEN}"],
  ["the key of a recipe", "ACME_READ_KEY", "${env:ACME_READ_KEY}"],
  ["an expression with a variable that is a secret elsewhere", "NOTE", "${env:NOTE}"],
  ["a program", "SITE_PASSWORD", undefined],
  ["the key of the run, as text", "DRIFTLINE_API_KEY", undefined],
] as const;

/** Six characters of the secret, in any case. */
function leak(text: string, hidden: string): string | undefined {
  const [shown, lower] = [text.toLowerCase(), hidden.toLowerCase()];
  for (let at = 0; at + 6 <= lower.length; at++)
    if (shown.includes(lower.slice(at, at + 6))) return lower.slice(at, at + 6);
  return undefined;
}

async function saidAbout(way: (typeof WAYS)[number], place: string, value: string, hidden: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "driftline-concealed-"));
  const [what, name] = way;
  const env = { [name]: hidden };
  const redactor = createRedactor();
  if (name === "DRIFTLINE_API_KEY") redactor.add(hidden);
  const fields = `{ name: Acme, ${place.replaceAll("VALUE", () => JSON.stringify(value))} }`;
  const text = `{ driftline: 1, variables: { other: "\${secret:NOTE}" }, organizations: { acme: ${fields} } }`;
  const path = join(folder, what === "a program" ? "a.driftline.js" : "a.yaml");
  writeFileSync(path, what === "a program" ? `export default ${JSON.stringify(parse(text))};\n` : text);
  const config = await loadConfig({ paths: [path], cwd: folder, env, vars: [], varFiles: [], redactor });
  rmSync(folder, { recursive: true });
  registerConfigSecrets(config, env, redactor);
  return [...config.diagnostics, ...config.fieldWarnings.map(({ diagnostic }) => diagnostic)]
    .map((one) => redactor.text(`${one.message}: ${one.hint ?? ""}`))
    .join("\n");
}

it.each(WAYS.map((way) => ({ what: way[0], way })))("by $what", async ({ way }) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PLACES), around, secret, around, async (place, before, hidden, after) => {
      const value = `${before}${way[2] ?? hidden}${after}`;
      const text = await saidAbout(way, place, value, hidden);
      expect([leak(text, hidden), text]).toEqual([undefined, text]);
    }),
    { numRuns: budget(300) },
  );
});

it.each(PLACES)("and each of these places has something to say: %s", async (place) => {
  expect(await saidAbout(WAYS[0], place, "${env:NOTE_TOKEN}", "Zq7xKw2mVt9pRb4nZq7xKw2mVt9pRb4n")).toContain(": ");
});

it("and a literal under the name of a secret is not quoted at all", async () => {
  const place =
    "projects: { web: { name: Web, batch_exports: { a: { name: A, interval: day, destination: { type: HTTP, config: { password: [1] }, api_token: VALUE } } } } }";
  for (const length of [20, 56, 57, 58, 61, 200]) {
    const hidden = "Zq7xKw2mVt9pRb4n".repeat(20).slice(0, length);
    expect(leak(await saidAbout(WAYS[0], place, hidden, "other-value-of-no-use"), hidden)).toBeUndefined();
  }
});
