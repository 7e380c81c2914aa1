import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv, type AnySchema } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EDITOR_KEYWORDS, FORMATS } from "../../scripts/generate/formats.ts";
import { loadSeed, type Dialect } from "../../src/emulator/index.ts";
import { cli, outcomesOf, planOf, type CliResult } from "../support/cli.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ROOT = new URL("../../examples/", import.meta.url).pathname;
// The Pulumi program is run by test/pulumi/example.deep.test.ts, the pipelines by pipelines.deep.test.ts. The pages that existing and
// policies are for are run by docs.test.ts.
const NAMES = readdirSync(ROOT).filter((name) => !["pulumi", "pipelines", "existing", "policies"].includes(name));

interface Example extends Workspace {
  /** Where the example's files are. */
  readonly root: string;
  /** Runs a command in the example's folder. */
  readonly here: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<CliResult>;
}

/** An example as it lies there, against an emulator with its seed. */
async function example(name: string, dialect?: Dialect): Promise<Example> {
  const root = join(ROOT, name);
  const seed = loadSeed(await readFile(join(root, "seed.json"), "utf8"));
  const space = await workspace({ seed, ...(dialect === undefined ? {} : { dialect }) });
  const here: Example["here"] = (args, env = {}) => cli(args, { cwd: root, env: { ...space.env, ...env } });
  return { ...space, root, here };
}

/** Every command of `steps` exits as it says. */
async function expectCodes({ here }: Example, steps: readonly (readonly [string, number])[], env = {}): Promise<void> {
  for (const [command, code] of steps) {
    const result = await here(command.split(" "), env);
    expect(result.code, `${command}\n${result.stderr}${result.stdout}`).toBe(code);
  }
}

const SECRETS = { EU_TOKEN: "token-not-to-be-shown" };

/** How each example is run, and where. */
const WAYS: readonly (readonly [name: string, path: string, apply: string, dialects: readonly Dialect[]])[] = [
  ["minimal", "driftline.yaml", "apply --yes", ALL_DIALECTS],
  ["security-baseline", "driftline.yaml", "apply --yes --prune", ALL_DIALECTS],
  ["batch-exports", "driftline.yaml", "apply --yes", ["current"]],
  ["insights", ".", "apply --yes", ALL_DIALECTS],
  ["environments", "driftline.yaml", "apply --yes", ALL_DIALECTS],
  ["library", "driftline.yaml", "apply --yes", ALL_DIALECTS],
  ["teams", "production", "apply --yes --prune", ["current"]],
];

describe("examples", () => {
  it("are all run here", () => {
    expect([...new Set(WAYS.map(([name]) => name))].toSorted()).toEqual(NAMES.toSorted());
  });

  it.each(NAMES)("%s has a README of a few lines", (name) => {
    const lines = readFileSync(join(ROOT, name, "README.md"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines[0]).toMatch(/^# \S/);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.length).toBeLessThan(30);
  });

  describeDialects(
    "all of them",
    (dialect) =>
      it.each(WAYS.filter(([, , , dialects]) => dialects.includes(dialect)))(
        "%s/%s: validate, plan, apply, and nothing differs",
        async (name, path, apply) => {
          const space = await example(name);
          await expectCodes(space, [[`validate ${path}`, 0]]);
          const planned = await space.here(["plan", "--detailed-exitcode", "--format", "json", path]);
          expect(planned.code).toBe(2);
          expect(planOf(planned).diagnostics.filter(({ code }) => code === "not_on_service")).toEqual([]);
          expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
          await expectCodes(space, [[`${apply} ${path}`, 0]], SECRETS);
          const again = planOf(await space.here(["plan", "--format", "json", path]));
          expect(again.changes.length).toBeGreaterThan(0);
          expect(again.changes.filter(({ action }) => action !== "no_op")).toEqual([]);
          await expectCodes(space, [[`drift ${path}`, 0]]);
        },
      ),
    ALL_DIALECTS,
  );

  const schema: AnySchema = JSON.parse(
    readFileSync(new URL("../../schemas/config.schema.json", import.meta.url), "utf8"),
  );
  const options = { allowUnionTypes: true, strictRequired: false, formats: FORMATS, keywords: EDITOR_KEYWORDS };
  const validate = new Ajv(options).compile(schema);
  const documents = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".yaml") && readFileSync(join(ROOT, file), "utf8").includes("\ndriftline: 1\n"),
  );
  it.each(documents)("%s is what editors accept", (file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const [, schemaPath = ""] = /\$schema=(\S+)/.exec(text) ?? [];
    expect(readFileSync(join(ROOT, file, "..", schemaPath), "utf8")).toContain("driftline");
    expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
    expect(validate(parse(`${text}organisations: {}\n`))).toBe(false);
  });
});

describeDialects("security-baseline", () => {
  const domains = ({ emulator }: Example): readonly unknown[] => emulator.find("domain").map(({ domain }) => domain);

  it("brings rules, sign-on and levels about, and takes out who has left", async () => {
    const { emulator, here } = await example("security-baseline");
    const result = await here(["apply", "--yes"]);
    expect(linesWith(result.stdout, "acme/memberships/bob@acme.com")).toMatchSnapshot();
    expect(emulator.find("organization")[0]).toMatchObject({ enforce_2fa: true });
    expect(emulator.find("domain", ({ domain }) => domain === "acme.com")[0]).toMatchObject({
      sso_enforcement: "saml",
    });
    expect(emulator.find("invite").map((invite) => [invite["target_email"], invite["level"]])).toEqual([
      ["bob@acme.com", 1],
    ]);
    expect(new Set(emulator.find("member").map(({ level }) => level))).toEqual(new Set([8, 15]));
    expect(JSON.stringify(emulator.find("member"))).not.toContain("eve@");
  });

  it("a stray domain is drift, is kept by apply, and is removed by apply --prune", async () => {
    const space = await example("security-baseline");
    await space.here(["apply", "--yes"]);
    expect(domains(space)).toContain("stray.example");
    await expectCodes(space, [
      ["drift", 2],
      ["apply --yes --prune", 0],
      ["drift", 0],
    ]);
    expect(new Set(domains(space))).toEqual(new Set(["acme.com", "agency.example"]));
  });

  it("never removes the key's own user, not even undeclared and pruned", async () => {
    const space = await example("security-baseline");
    const text = await readFile(join(space.root, "driftline.yaml"), "utf8");
    const without = text.replace(/ +owner@example.com: \{.*\}\n/, "");
    expect(without).not.toBe(text);
    await space.configure(without);
    const result = await space.run(["apply", "--yes", "--prune", "--format", "json"]);
    expect([13, 14], `stderr: ${result.stderr}`).toContain(result.code);
    const blocked = outcomesOf(result).changes.filter((change) => change.blocked !== null);
    expect(blocked.map(({ action, blocked: by }) => [action, by?.rule])).toEqual([["delete", "own_user"]]);
    expect(space.emulator.find("member").map(({ level }) => level)).toContain(15);
  });
});

describe("batch-exports", () => {
  it("plans without any secret, and refuses to apply without them before any write", async () => {
    const space = await example("batch-exports", "current");
    const plan = planOf(await space.here(["plan", "--format", "json"]));
    const exports = plan.changes.filter(({ kind }) => kind === "batch_export");
    expect(exports.map(({ action }) => action)).toEqual(["create", "create", "create"]);
    expect(JSON.stringify(plan)).toContain('"sensitive":true');
    space.emulator.clearRequests();
    const refused = await space.here(["apply", "--yes"]);
    expect(refused.code).toBe(10);
    for (const name of Object.keys(SECRETS)) expect(refused.stderr).toContain(name);
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("sends the secrets, shows none, and sends them again with --rotate", async () => {
    const space = await example("batch-exports", "current");
    const shown = [await space.here(["apply", "--yes", "--verbose", "--progress", "json"], SECRETS)];
    const stored = (): string => JSON.stringify(space.emulator.find("batch_export"));
    for (const secret of Object.values(SECRETS)) expect(stored()).toContain(secret);
    const address = "acme/projects/web/batch_exports/events-to-the-eu";
    const rotated = { EU_TOKEN: "rotated-not-to-be-shown" };
    shown.push(await space.here(["plan", "--format", "json", "--rotate", address], rotated));
    shown.push(await space.here(["apply", "--yes", "--rotate", address], rotated));
    expect(shown.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(stored()).toContain("rotated-not-to-be-shown");
    expect(shown.map(({ stdout, stderr }) => stdout + stderr).join("\n")).not.toContain("not-to-be-shown");
  });
});

describeDialects("insights", () => {
  it("makes one insight for each product, and one more for a new line", async () => {
    const space = await example("insights");
    await cp(space.root, space.folder, { recursive: true });
    const products = join(space.folder, "products.ts");
    const list = await readFile(products, "utf8");
    const names = [...list.matchAll(/title: "(\w+)"/g)].map(([, title]) => `${String(title)}: weekly use`);
    await space.apply(["."]);
    const found = (): readonly unknown[] => space.emulator.find("insight").map(({ name }) => name);
    expect(found()).toHaveLength(3);
    expect(new Set(found())).toEqual(new Set(names));
    await writeFile(products, list.replace("];", '  { key: "billing", title: "Billing", event: "invoice_paid" },\n];'));
    const { summary } = await space.apply(["."]);
    expect(summary).toMatchObject({ create: 1, no_op: 4, update: 0 });
    expect(found()).toContain("Billing: weekly use");
  });
});

describeDialects("environments", () => {
  it("declares staging, and production with other variables", async () => {
    const space = await example("environments");
    const enforced = (): object =>
      Object.fromEntries(space.emulator.find("organization").map((one) => [one["name"], one["enforce_2fa"] ?? null]));
    const before = enforced();
    await expectCodes(space, [["apply --yes", 0]]);
    expect(enforced()).toEqual({ ...before, "Acme Staging": false });
    await expectCodes(space, [["apply --yes --vars production.yaml", 0]]);
    expect(enforced()).toEqual({ "Acme Staging": false, "Acme Inc": true });
    const intervals = space.emulator.find("batch_export").map((one) => [one["team_id"], one["interval"]]);
    expect(Object.fromEntries(intervals)).toEqual({ 2: "day", 3: "hour" });
    await expectCodes(space, [
      ["plan --detailed-exitcode --vars production.yaml", 0],
      ["plan --detailed-exitcode --vars production.yaml --var interval=day", 2],
    ]);
  });
});

describeDialects(
  "teams",
  () => {
    const PRODUCTION = ["--format", "json", "production"];
    const names = ({ emulator }: Example, kind: "insight" | "member", project?: number): readonly unknown[] =>
      emulator
        .find(kind, (one) => one["deleted"] !== true && (project === undefined || one["team_id"] === project))
        .map(({ name, user }) => name ?? (user as { readonly email: string }).email);

    it("declares environments that differ in more than variables, each in its folder", async () => {
      const space = await example("teams");
      await expectCodes(space, [["apply --yes staging", 0]]);
      expect(names(space, "insight", 3)).toContain("Activation by plan");
      expect(space.emulator.find("batch_export")).toEqual([]);
      await expectCodes(space, [["apply --yes --prune production", 0]], SECRETS);
      expect(names(space, "insight", 2)).not.toContain("Activation by plan");
      expect(space.emulator.find("batch_export")).toHaveLength(1);
      await expectCodes(space, [["plan --detailed-exitcode staging", 0]]);
    });

    it("--only and --prune delete what is undeclared of one team, and leave the others alone", async () => {
      const space = await example("teams");
      await expectCodes(space, [
        ["apply --yes --prune production --only acme/projects/web/insights", 0],
        ["drift production --only acme/projects/web/insights", 0],
        ["drift production --only acme/memberships", 2],
      ]);
      expect(names(space, "insight", 2)).not.toContain("Made by hand");
      expect(names(space, "member")).toContain("former@acme.com");
      expect(space.emulator.find("batch_export")).toEqual([]);
    });

    it("the folder of one team can be planned alone, and prunes nothing", async () => {
      const space = await example("teams");
      const { code, stdout } = await space.here(["plan", "--prune", "--format", "json", "production/growth"]);
      expect([code, planOf({ code, stdout, stderr: "" }).summary]).toEqual([0, expect.objectContaining({ delete: 0 })]);
    });

    it("a part of the folder with an exclusive kind is refused", async () => {
      const space = await example("teams");
      await expectCodes(space, [
        ["plan --prune production/organization.yaml production/growth", 13],
        ["plan production/organization.yaml production/growth", 0],
      ]);
      expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    });

    it("an import goes to the file of its team, and a pin to the one of the organization", async () => {
      const space = await example("teams");
      await cp(space.root, space.folder, { recursive: true });
      await space.run(["apply", "--yes", "production"], { env: SECRETS });
      const { stdout } = await space.run(["import", "--all", "--yes", "production"]);
      expect(stdout.split("\n").filter((line) => line.startsWith("Wrote "))).toEqual([
        expect.stringMatching(/^Wrote production\/platform\/people\.yaml: .*former@acme\.com/),
        expect.stringMatching(/^Wrote production\/organization\.yaml: .*made-by-hand/),
      ]);
      await space.run(["pin", "--yes", "production"]);
      const text = await readFile(join(space.folder, "production/organization.yaml"), "utf8");
      expect(text.match(/^ +id: /gm)).toHaveLength(3);
      expect(
        planOf(await space.run(["plan", ...PRODUCTION])).changes.filter(({ action }) => action !== "no_op"),
      ).toEqual([]);
    });

    it("every file has an owner, and the folder of a team has that team", () => {
      const root = join(ROOT, "teams");
      const rules = readFileSync(join(root, "CODEOWNERS"), "utf8")
        .split("\n")
        .flatMap((line) => (/^[^#\s]/.test(line) ? [line.split(/\s+/u)] : []));
      const ownerOf = (file: string): string | undefined =>
        rules.findLast(([pattern = ""]) => pattern === "*" || `/${file}`.includes(`/${pattern}`))?.[1];
      const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /\.\w+$/.test(file));
      expect(Object.fromEntries(files.map((file) => [file, ownerOf(file)]))).toMatchObject({
        "production/organization.yaml": "@acme/platform",
        "production/platform/people.yaml": "@acme/platform",
        "production/data/exports.yaml": "@acme/data",
        "production/growth/insights.driftline.ts": "@acme/growth",
        "staging/growth/insights.driftline.ts": "@acme/growth",
        "shared/growth/insights.ts": "@acme/growth",
      });
    });
  },
  ["current"],
);

/** What a program of the library's example prints, run as its README says; throws where it fails. */
async function program(
  file: string,
  env: Readonly<Record<string, string>> = {},
  cwd = join(ROOT, "library"),
): Promise<string> {
  const jiti = new URL("../../node_modules/jiti/lib/jiti-cli.mjs", import.meta.url).pathname;
  const options = { cwd, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [jiti, file], options);
  return stdout;
}

describeDialects("library", () => {
  it("drift.ts says what differs as Markdown, and sends nothing but GET", async () => {
    const { env, emulator } = await example("library");
    expect(await program("drift.ts", env)).toContain("enforce_2fa");
    expect(emulator.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("apply.ts applies what differs, and then nothing", async () => {
    const { env, emulator } = await example("library");
    expect(await program("apply.ts", env)).toBe("acme applied\n");
    expect(emulator.find("organization", ({ name }) => name === "Acme Inc")).toMatchObject([{ enforce_2fa: true }]);
    const sent = emulator.requests.filter(({ method }) => method !== "GET").length;
    expect(await program("apply.ts", env)).toBe("acme unchanged\n");
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toHaveLength(sent);
  });
});

describe("library", () => {
  it("tested.ts tests the configuration beside it, and fails if the plan is another one", async () => {
    expect(await program("tested.ts")).toBe("");
    const { folder } = await workspace();
    await cp(join(ROOT, "library"), folder, { recursive: true });
    await mkdir(join(folder, "node_modules"));
    await symlink(join(ROOT, ".."), join(folder, "node_modules/driftline"));
    const file = join(folder, "driftline.yaml");
    await writeFile(file, (await readFile(file, "utf8")).replace("enforce_2fa: true", "enforce_2fa: false"));
    await expect(program("tested.ts", {}, folder)).rejects.toThrow("no_op");
  });

  it("emulated.ts shows what arrived, and what was broken", async () => {
    expect(await program("emulated.ts")).toBe("GET /api/organizations/ 200\nGET /api/organizations/ 503\n");
  });
});
