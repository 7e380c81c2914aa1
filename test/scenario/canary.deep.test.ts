import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { startEmulator } from "../../src/emulator/index.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { ACME } from "../support/acme.ts";
import { CANARIES, leaksBelow, leaksIn, type Canaries } from "../support/canary.ts";
import { cli, type CliResult } from "../support/cli.ts";
import { describeDialects, spokenDialect } from "../support/dialects.ts";
import { echoService, type EchoService } from "../support/echo-service.ts";
import { linesWith } from "../support/normalized.ts";

const KEY = "phx_canaryKey8Wq2LmZ5tRv";
const PASSWORD = "canary~pass.Hx4Kd9";
/** Every text that must not be shown. */
const SECRETS = { ...CANARIES, key: KEY, password: PASSWORD, literal: "canary-literal-Jw6Pz3Nf" } satisfies Canaries;
const texts = Object.entries(CANARIES);
const env = Object.fromEntries(texts.map(([name, secret]) => [`CANARY_${name.toUpperCase()}`, secret]));
const expressions = Object.fromEntries(texts.map(([name]) => [`x_${name}`, `\${secret:CANARY_${name.toUpperCase()}}`]));

const CONFIG = {
  bucket_name: "acme",
  region: "eu",
  prefix: "e/",
  aws_secret_access_key: "${secret:CANARY_PLAIN}",
  password: SECRETS.literal,
  header: "Basic ${secret:CANARY_URL}",
  ...expressions,
  nested: { list: [expressions, "${secret:CANARY_PEM}"] },
};
const declared = {
  driftline: 1,
  variables: { hidden: "${secret:CANARY_JSON}" },
  organizations: {
    acme: {
      id: ACME,
      exclusive: ["pipeline_destinations"],
      domains: { corp: { domain: "acme.com", saml_x509_cert: "${secret:CANARY_PEM}", saml_acs_url: "https://a.b" } },
      projects: {
        web: {
          id: "2",
          batch_exports: {
            drifted: {
              name: "Drifted",
              interval: "day",
              destination: { type: "S3", config: { ...CONFIG, prefix: "new" } },
            },
            missing: { name: "Missing", interval: "hour", destination: { type: "S3", config: CONFIG } },
          },
          insights: {
            spoken: {
              name: "Spoken",
              description: "declared",
              query: { kind: "WebOverviewQuery", text: "t", header: "${var:hidden}" },
            },
            fresh: {
              name: "Fresh",
              query: { kind: "WebOverviewQuery", header: "${secret:CANARY_PATTERN}" },
              tags: ["a"],
            },
          },
        },
      },
    },
  },
};
/** The live objects contain the secrets as well, in unexpected places. */
const all = Object.values(CANARIES).join(" ");
const seed = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      domains: [{ domain: "acme.com", saml_acs_url: `https://${CANARIES.plain}.example/${encodeURIComponent(all)}` }],
      pipeline_destinations: texts.map(([, secret]) => ({
        name: `P ${secret}`,
        plugin_type: "custom",
        description: secret,
      })),
      projects: [
        {
          id: 2,
          name: "Web",
          batch_exports: [
            {
              name: "Drifted",
              interval: "day",
              destination: {
                type: "S3",
                config: { bucket_name: "b", region: all, prefix: CANARIES.plain, more: CANARIES },
              },
            },
          ],
          insights: [
            {
              name: "Spoken",
              description: all,
              query: { kind: CANARIES.json, text: `${"x".repeat(60)}${all}`, more: CANARIES },
            },
            ...texts.map(([, secret]) => ({ name: `I ${secret}`, description: secret })),
          ],
        },
      ],
    },
  ],
};

interface Space {
  readonly folder: string;
  readonly service: EchoService;
  readonly run: (...args: readonly string[]) => Promise<CliResult>;
  readonly env: Readonly<Record<string, string>>;
}

async function space(): Promise<Space> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-canary-"));
  const emulator = await startEmulator({ seed, keys: [{ key: KEY }], dialect: spokenDialect() ?? "document" });
  onTestFinished(async () => {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const service = await echoService(emulator.url, CANARIES);
  await writeFile(
    join(folder, "driftline.yaml"),
    stringify(declared).replaceAll(SECRETS.literal, () => "${file:literal.txt}"),
  );
  await writeFile(join(folder, "literal.txt"), SECRETS.literal);
  const world = {
    ...env,
    DRIFTLINE_URL: service.url.replace("//", `//somebody:${PASSWORD}@`),
    DRIFTLINE_API_KEY: KEY,
    DRIFTLINE_STATE_DIR: join(folder, "state"),
  };
  return { folder, service, env: world, run: (...args) => cli(args, { cwd: folder, env: world }) };
}

/** What a command wrote to its streams and to files. */
async function expectNoLeaks({ folder }: Space, ...results: readonly CliResult[]): Promise<void> {
  for (const { stdout, stderr } of results) expect(leaksIn(`${stdout}\n${stderr}`, SECRETS)).toEqual([]);
  expect((await leaksBelow(folder, SECRETS)).filter((leak) => !leak.startsWith("literal.txt"))).toEqual([]);
}

const FORMATS = ["text", "json", "markdown", "html"] as const;
const LOUD = ["", "--verbose", "--progress json", "--verbose --progress json"];

describeDialects("secrets", () =>
  describe.each(FORMATS)("as %s, are shown by no", (format) => {
    const isJson = format === "json";

    it.each(LOUD)("plan, drift or show (%s)", async (loud) => {
      const here = await space();
      const options = ["--format", format, ...loud.split(" ").filter(Boolean)];
      const plan = await here.run("plan", "--out", "plan.json", "--unmanaged", "--prune", ...options);
      const rotated = await here.run("plan", "--rotate", "acme/projects/web/batch_exports/drifted", ...options);
      const drift = await here.run("drift", "--unmanaged", ...options);
      const show = await here.run("show", "plan.json", "--unmanaged", "--format", format);
      // Otherwise there was nothing to hide.
      expect(plan.code, plan.stderr).toBe(0);
      expect(drift.code).toBe(2);
      expect(leaksIn(here.service.said(), CANARIES)).toHaveLength(texts.length);
      expect(leaksIn(here.service.heard(), { key: KEY })).toHaveLength(1);
      for (const { stdout } of [plan, rotated, drift, show]) {
        expect(stdout).toContain("Drifted".toLowerCase());
        if (isJson) JSON.parse(stdout);
      }
      await expectNoLeaks(here, plan, rotated, drift, show);
    });

    it.each(LOUD)("apply, regardless of the service's answers (%s)", async (loud) => {
      const here = await space();
      const options = ["--format", format, ...loud.split(" ").filter(Boolean)];
      const during: string[] = [];
      here.service.onWrite(async () => {
        during.push(...(await leaksBelow(join(here.folder, "state"), SECRETS)));
      });
      await here.run("plan", "--out", "plan.json");
      here.service.writes("refuse");
      const refused = await here.run("apply", "--yes", "--only", "acme/projects", ...options);
      expect(refused.code, refused.stderr).toBe(1);
      here.service.writes("pass");
      const applied = await here.run("apply", "--yes", "--prune", "--only", "acme/projects", ...options);
      const saved = await here.run("apply", "--yes", "--plan", "plan.json", ...options);
      expect(saved.code).toBe(12);
      expect(leaksIn(here.service.heard(), SECRETS).length).toBe(Object.keys(SECRETS).length - 1);
      if (isJson) for (const { stdout } of [refused, applied]) JSON.parse(stdout);
      expect(during).toEqual([]);
      await expectNoLeaks(here, refused, applied, saved);
    });
  }),
);

describeDialects("secrets are shown by no", () => {
  it("apply of a saved plan of a configuration with them", async () => {
    const here = await space();
    await here.run("plan", "--out", "plan.json", "--only", "acme/projects/web/insights");
    const applied = await here.run("apply", "--yes", "--plan", "plan.json", "--format", "json");
    expect(applied.code, applied.stderr + applied.stdout).toBe(0);
    await expectNoLeaks(here, applied);
  });

  it("apply of a saved plan that was made without the secrets", async () => {
    const here = await space();
    const { CANARY_PLAIN: _plain, CANARY_JSON: _json, ...less } = here.env;
    await cli(["plan", "--out", "plan.json", "--only", "acme/projects/web/insights/spoken"], {
      cwd: here.folder,
      env: less,
    });
    const applied = await here.run("apply", "--yes", "--plan", "plan.json", "--format", "json");
    expect(applied.code, applied.stderr).toBe(0);
    expect(leaksIn(applied.stdout + applied.stderr, SECRETS)).toEqual([]);
  });

  it("plan, and a secret of a few digits does not break its numbers and hashes", async () => {
    const here = await space();
    const world = { ...here.env, CANARY_NUMBER: "2000", DRIFTLINE_MANY_TOKEN: "00000000" };
    const domains = Object.fromEntries(
      Array.from({ length: 3 }, (_, index) => [`d${index}`, { domain: `d${index}.acme.com` }]),
    );
    const organizations = {
      acme: {
        id: ACME,
        domains,
        projects: {
          web: {
            id: 2,
            insights: { a: { name: "a", query: { kind: "WebOverviewQuery", n: 2000, s: "${secret:CANARY_NUMBER}" } } },
          },
        },
      },
    };
    await writeFile(join(here.folder, "driftline.yaml"), stringify({ driftline: 1, organizations }));
    const run = (...args: readonly string[]): Promise<CliResult> => cli(args, { cwd: here.folder, env: world });
    const plan = await run("plan", "--format", "json", "--out", "plan.json");
    const document = JSON.parse(plan.stdout) as PlanDocument;
    expect(document.changes.map(({ address }) => address)).toContain("acme/projects/web/insights/a");
    expect(JSON.stringify(document.changes)).toContain('"n":"[redacted]"');
    expect(document.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await run("show", "plan.json")).code).toBe(0);
    expect((await run("apply", "--yes", "--plan", "plan.json")).code).toBe(0);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("journal of creates with an unknown outcome", async () => {
    const here = await space();
    here.service.writes("garble");
    const result = await here.run(
      "apply",
      "--yes",
      "--settle-after",
      "1",
      "--only",
      "acme/projects/web/insights/fresh",
    );
    expect(leaksIn(here.service.heard(), { pattern: CANARIES.pattern })).toHaveLength(1);
    await expectNoLeaks(here, result);
  });

  it("call, in its answer, its preview or its error", async () => {
    const here = await space();
    const body = {
      name: "N",
      interval: "day",
      destination: { type: "S3", config: { ...CANARIES, api_token: "abcd-1234-efgh" } },
    };
    await writeFile(join(here.folder, "body.json"), "");
    const file = await mkdtemp(join(tmpdir(), "driftline-body-"));
    onTestFinished(() => rm(file, { recursive: true, force: true }));
    await writeFile(
      join(file, "body.json"),
      JSON.stringify({
        ...body,
        destination: { type: "S3", config: { password: CANARIES.plain, token: "canary-token-5Xk" } },
      }),
    );
    const create = [
      "call",
      "batch_exports.create_in_project",
      "project_id=2",
      "--body",
      join(file, "body.json"),
      "--yes",
    ];
    const list = await here.run("call", "insights.list", "project_id=2", "--format", "json");
    const rows = await here.run("call", "insights.list", "project_id=2", "--all", "--verbose");
    const names = await here.run("call", "--list", "--format", "json");
    here.service.writes("refuse");
    const tries = await Promise.all([
      here.run(...create),
      here.run(...create, "--dry-run"),
      here.run(...create, "--dry-run", "--format", "json"),
    ]);
    JSON.parse(list.stdout);
    for (const line of rows.stdout.trim().split("\n")) JSON.parse(line);
    const learned = { ...SECRETS, token: "canary-token-5Xk" };
    // A call without a configuration recognizes only the secrets under the names of secrets.
    const { key, password, plain } = SECRETS;
    for (const { stdout, stderr } of tries)
      expect(leaksIn(stdout + stderr, { plain, key, password, token: learned.token })).toEqual([]);
    for (const { stdout, stderr } of [list, rows, names])
      expect(leaksIn(stdout + stderr, { key, password })).toEqual([]);
  });

  it("doctor, validate, explain or init", async () => {
    const here = await space();
    const runs = [
      ["doctor", "--verbose"],
      ["doctor", "--format", "json"],
      ["access"],
      ["access", "--format", "html"],
      ["validate", "--verbose"],
      ["explain", "batch_export", "--format", "json"],
      ["init", "other.yaml"],
      ["plan", "--url", `ftp://somebody:${PASSWORD}@host`],
      ["plan", "--url", `somebody:${PASSWORD}@host:80`],
    ];
    const results = [];
    for (const args of runs) results.push(await here.run(...args));
    await expectNoLeaks(here, ...results);
  });

  it("drift --accept, which leaves a value with a secret as it was declared", async () => {
    const here = await space();
    const before = await readFile(join(here.folder, "driftline.yaml"), "utf8");
    const accepted = await here.run("drift", "--accept", "--yes");
    expect(linesWith(accepted.stderr, " description stays")).toMatchSnapshot();
    const after = await readFile(join(here.folder, "driftline.yaml"), "utf8");
    expect(after).not.toBe(before);
    expect(after).toContain("bucket_name: b\n");
    await expectNoLeaks(here, accepted);
  });

  it("export, which uses variables for the secrets that it found", async () => {
    const here = await space();
    const out = await here.run("export", "--out", "live", "--single-file");
    const stdout = await here.run("export", "--verbose");
    const plain = await here.run("export", "--no-ids", "--progress", "json");
    // The first line is the path of the schema for editors, relative to the file.
    const below = (text: string): string => text.slice(text.indexOf("\n"));
    const written = await readFile(join(here.folder, "live/driftline.yaml"), "utf8");
    expect(below(written)).toBe(below(stdout.stdout));
    // An export reads no configuration, so it only knows its own secrets and values under the names of secrets.
    for (const result of [out, stdout, plain])
      expect(leaksIn(result.stdout + result.stderr, { key: KEY, password: PASSWORD })).toEqual([]);
    expect(await leaksBelow(join(here.folder, "live"), { key: KEY, password: PASSWORD })).toEqual([]);
  });
});
