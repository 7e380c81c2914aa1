/** Suggestions of the other commands, and of hints on the service and the files. */
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { ACME, config, NOOP, one, seedOf, stored, web } from "../../support/acme.ts";
import { LIVE, suggestion, suggestionsIn, world, type World } from "./world.ts";
import type { Row } from "./plan-rows.ts";

const valid = (): Promise<World> => world(config({ name: "Acme Inc" }), { seed: seedOf() });
/** Without a configuration. */
async function empty(): Promise<World> {
  const made = await valid();
  await rm(join(made.folder, LIVE), { recursive: true });
  await rm(join(made.folder, "vars.yaml"));
  return made;
}
const at = ({ url }: World): readonly string[] => ["--url", url];

/** Follows a command that starts an emulator, and stops it at once. */
async function serves(made: World, line: string): Promise<void> {
  const { code, stdout } = await made.follow(line, { signal: AbortSignal.abort() });
  expect([code, stdout]).toEqual([0, expect.stringContaining("export DRIFTLINE_URL=")]);
}

/** Takes what each question suggests. */
const ENTER = { ask: () => Promise.resolve("") };

export const OTHER_ROWS: readonly Row[] = [
  {
    name: "a command of another tool: the one that does the same here",
    of: ["apply", "doctor", "drift", "export", "plan"].map((verb) => `model/instead.ts: "${verb}"`),
    test: async () => {
      const made = await valid();
      const words = { up: "apply", login: "doctor", refresh: "drift", get: "export", preview: "plan" };
      for (const [typed, verb] of Object.entries(words)) {
        expect(suggestion(await made.run([typed]), /^driftline/)).toBe(`driftline ${verb}`);
        // Each command has its own options.
        expect(await made.run([verb, ...(verb === "export" ? at(made) : made.args)])).toMatchObject({ code: 0 });
      }
    },
  },
  {
    name: "an option of another tool or command: the command that does it",
    of: ['model/instead.ts: "plan" { effect: true }', 'model/instead.ts: "drift" { accept: true }'],
    test: async () => {
      const made = await valid();
      for (const typed of ["apply --dry-run", "apply --effect", "plan --refresh-only", "plan --accept"]) {
        const [verb = "", option = ""] = typed.split(" ");
        const line = suggestion(await made.run([verb, ...made.args, option]), /^driftline/);
        expect(line).toContain("--vars vars.yaml");
        // Nothing has been read that says which variables are secrets.
        expect(await made.follow(line.replace("VALUE", ACME)), typed).toMatchObject({ code: 0 });
      }
    },
  },
  {
    name: "a saved plan in the place of a configuration: apply exactly this plan",
    of: ['cli/steps/config.ts: "apply" { plan: path }'],
    test: async () => {
      const made = await valid();
      await made.run(["plan", ...made.args, "--out", "plan.json"]);
      const line = suggestion(await made.run(["apply", "plan.json"]), /^driftline apply --plan plan\.json/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
    },
  },
  {
    name: "an address at which nothing can be imported: list what can be",
    of: ['engine/import/select.ts: "import"'],
    test: async () => {
      const made = await valid();
      const line = suggestion(
        await made.run(["import", "--only", "acme/nothing/here/999", ...made.args, "--yes"]),
        /^driftline import/,
      );
      expect(await made.follow(line)).toMatchObject({ code: 0 });
    },
  },
  {
    name: "a project by its id in an organization that is called otherwise: pin both",
    of: ['engine/pin/pin.ts: "pin" { only: [`${project.organization}=${holder.id}`, `${address}=${wanted}`] }'],
    test: async () => {
      const declared = { name: "Former name", projects: { web: { name: "Former project" } } };
      const made = await world({ driftline: 1, organizations: { acme: declared } }, { seed: seedOf() });
      const line = suggestion(await made.run(["pin", "--only", "acme/projects/web=2", ...made.args]), /^driftline pin/);
      expect(await made.follow(line)).toMatchObject({ code: 0, stdout: expect.stringContaining("2 ids") as string });
    },
  },
  {
    name: "a key that is not accepted: doctor",
    of: ['cli/terminal/output.ts: "doctor"'],
    test: async () => {
      const made = await valid();
      made.emulator.faults.add({ fault: { type: "status", status: 401 } });
      const line = suggestion(await made.run(["plan", ...made.args]), /^driftline doctor/);
      made.emulator.faults.clear();
      expect(await made.follow(line)).toMatchObject({ code: 0 });
    },
  },
  {
    name: "the summary of a saved plan on a terminal: show the plan",
    of: ['cli/commands/apply/report.ts: "show" {} plan'],
    test: async () => {
      const made = await world(config({ domains: { a: { domain: "a.acme.com" } } }), { seed: seedOf() });
      await made.run(["plan", ...made.args, "--out", "the plan.json"]);
      const applied = await made.run(["apply", "--plan", "the plan.json"], { terminal: true });
      const shown = await made.follow(suggestion(applied, /^driftline show/));
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("a.acme.com") as string });
    },
  },
  {
    name: "a name that explain does not know: explain what is near",
    of: ['cli/commands/explain.ts: "explain" {} ...(name === "" ? [] : [name])'],
    test: async () => {
      const made = await valid();
      for (const unknown of ["nothing", "insight.query.source", "insight.tgas", "insight.wholly_different"]) {
        const line = suggestion(await made.run(["explain", unknown]), /^driftline explain/);
        expect(await made.follow(line), line).toMatchObject({ code: 0 });
      }
    },
  },
  {
    name: "a list with a row that has no name: call the list",
    of: ['api/lists/page.ts: "call" {} operation.name ...parameters'],
    test: async () => {
      const rows = { count: 1, next: null, previous: null, results: [{ id: "d1", domain: null }] };
      const made = await world(config({ domains: { a: { domain: "a.acme.com" } } }), { seed: seedOf() }, ({ path }) =>
        /\/domains\/?$/.test(path) ? { status: 200, body: rows } : undefined,
      );
      const line = suggestion(await made.run(["plan", ...made.args]), /^driftline call domains.list/);
      expect(await made.follow(line)).toMatchObject({ code: 0, stdout: expect.stringContaining("d1") as string });
    },
  },
  {
    name: "a deleted insight that is pinned by its short id: call the activity, which shows the number",
    of: [],
    test: async () => {
      const insight = (more: object): object => web({ insights: { signups: { name: "Signups", ...more } } });
      const made = await world(insight({}), { dialect: "deployed", seed: seedOf() });
      await made.run(["apply", ...made.args]);
      await made.configure(insight({ lifecycle: { state: "absent" } }));
      await made.run(["apply", ...made.args]);
      const { id, short_id } = one(made.emulator.find("insight"));
      await made.configure(insight({ short_id }));
      expect((await made.run(["plan", ...made.args])).stdout).toContain("the operation insights.list_activity");
      const { code, stdout } = await made.follow(
        `driftline call insights.list_activity project_id=2 --url ${made.url}`,
      );
      expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`"item_id": "?${String(id)}\\b`))]);
    },
  },
  {
    name: "nothing to rotate: explain the kind",
    of: ['plan/plan-resource.ts: "explain" {} resource.kind'],
    test: async () => {
      const made = await world(web({ insights: { signups: { name: "Signups" } } }), {
        seed: seedOf({}, { insights: [{ name: "Signups" }] }),
      });
      const line = suggestion(
        await made.run(["plan", ...made.args, "--rotate", "acme/projects/web/insights/signups"]),
        /^driftline explain/,
      );
      expect(await made.follow(line)).toMatchObject({ code: 0, stdout: expect.stringContaining("short_id") as string });
    },
  },
  {
    name: "a route that deployed servers lack: plan with the other profile",
    of: ['engine/plan/warnings.ts: "plan" { profile: "document" }'],
    test: async () => {
      const made = await world(
        config({ batch_exports: { events: { name: "Events", interval: "hour", destination: NOOP } } }),
        { seed: seedOf(), dialect: "document" },
      );
      const line = suggestion(await made.run(["plan", ...made.args, "--profile", "posthog"]), /--profile document/);
      const planned = await made.follow(line);
      expect(planned).toMatchObject({ code: 0, stderr: expect.not.stringContaining("route_fails") as string });
    },
  },
  {
    name: "no configuration here, or in a folder: init",
    of: ['config/source/read.ts: "init" {} ...(file === "." ? [] : [`${file}/driftline.yaml`])'],
    test: async () => {
      const made = await empty();
      await mkdir(join(made.folder, "in here"));
      for (const paths of [[], ["in here"]]) {
        const missing = await made.run(["plan", ...paths, ...at(made)]);
        expect(missing.code).toBe(10);
        expect(await made.follow(suggestion(missing, /^driftline init/), ENTER)).toMatchObject({ code: 0 });
        expect((await made.run(["validate", ...paths])).code).toBe(0);
      }
    },
  },
  {
    name: "init that asks: an empty file instead; plan, apply and drift of what it wrote; of a configuration: import",
    of: [
      'cli/commands/init/guided.ts: "init" {} DEFAULT_FILE',
      'cli/commands/init/next-steps.ts: "plan" { out: PLAN }',
      'cli/commands/init/next-steps.ts: "apply" { plan: PLAN }',
      'cli/commands/init/next-steps.ts: "drift"',
      'cli/commands/init/folder.ts: "import" {} ...(folder === "." ? [] : [`${folder}/`])',
    ],
    test: async () => {
      const made = await empty();
      const written = await made.run(["init", ...at(made)], ENTER);
      for (const verb of ["plan", "apply", "drift"])
        expect(await made.follow(suggestion(written, new RegExp(`^driftline ${verb}`)))).toMatchObject({ code: 0 });
      const refused = await made.run(["init", ...at(made)], ENTER);
      expect(refused.code).toBe(10);
      expect(await made.follow(suggestion(refused, /^driftline import/))).toMatchObject({ code: 0 });
      expect(await made.follow(suggestion(written, /^driftline init/))).toMatchObject({ code: 0 });
      expect(existsSync(join(made.folder, "driftline.yaml"))).toBe(true);
    },
  },
  {
    name: "doctor without a configuration: export",
    of: ['cli/commands/doctor/local.ts: "export" { out: "analytics" }'],
    test: async () => {
      const made = await empty();
      const checked = await made.run(["doctor", ...at(made)]);
      expect(await made.follow(suggestion(checked, /^driftline export/))).toMatchObject({ code: 0 });
      expect((await made.run(["validate", "analytics"])).code).toBe(0);
    },
  },
  {
    name: "a configuration that declares nothing: export",
    of: ['engine/plan/warnings.ts: "export" { out: "analytics" }'],
    test: async () => {
      const made = await empty();
      await writeFile(join(made.folder, "service.yaml"), "driftline: 1\n");
      const planned = await made.run(["plan", "service.yaml", ...at(made)]);
      expect(await made.follow(suggestion(planned, /^driftline export/))).toMatchObject({ code: 0 });
      expect((await made.run(["validate", "analytics"])).code).toBe(0);
    },
  },
  {
    name: "init: validate, plan, or export instead",
    of: [
      'cli/commands/init/empty.ts: "validate" {} ...paths',
      'cli/commands/init/empty.ts: "plan" {} ...paths',
      'cli/commands/init/empty.ts: "export" { out: "live" }',
    ],
    test: async () => {
      for (const file of ["driftline.yaml", "my acme.yaml"]) {
        const made = await empty();
        const written = await made.run(["init", file]);
        expect(await made.follow(suggestion(written, /^driftline validate/))).toMatchObject({ code: 0 });
        const planned = await made.follow(suggestion(written, /^driftline plan/));
        // The service comes from the environment or the file: init has no option for it.
        expect([planned.code, planned.stderr]).not.toContain("no_documents");
        const exported = await made.follow(`${suggestion(written, /^driftline export/)} --url ${made.url}`);
        expect(exported).toMatchObject({ code: 0 });
        expect(existsSync(join(made.folder, "live"))).toBe(true);
      }
    },
  },
  {
    name: "init of a file that exists: a name that is free",
    of: ['cli/commands/init/empty.ts: "init" {} freeName(runtime.cwd, file)'],
    test: async () => {
      for (const [file, free] of [
        ["driftline.yaml", "driftline-2.yaml"],
        ["acme.driftline.ts", "acme-2.driftline.ts"],
      ] as const) {
        const made = await empty();
        await made.run(["init", file]);
        const refused = await made.run(["init", file]);
        expect(refused.code).toBe(10);
        expect(await made.follow(suggestion(refused, /^driftline init/))).toMatchObject({ code: 0 });
        expect(existsSync(join(made.folder, free))).toBe(true);
      }
    },
  },
  {
    name: "init --example: serve its data, then plan; of files that exist: a folder that is free",
    of: [
      'cli/commands/init/example.ts: "init" { example } freeFolder(runtime.cwd, example)',
      'cli/commands/init/example.ts: "emulator" { seed: join(folder, "seed.json"), ...(dialect === undefined ? {} : { dialect }), }',
      'cli/commands/init/example.ts: "plan" {} ...paths',
    ],
    test: async () => {
      const made = await empty();
      let copied = await made.run(["init", "--example", "minimal"]);
      for (let again = 0; again < 3; again++) {
        await serves(made, suggestion(copied, /^driftline emulator/));
        const planned = await made.follow(`${suggestion(copied, /^driftline plan/)} --url ${made.url}`);
        expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining("acme/domains") as string });
        const refused = await made.run(["init", "--example", "minimal"]);
        expect(refused).toMatchObject({ code: 10, stdout: "" });
        copied = await made.follow(suggestion(refused, /^driftline init/));
        expect(copied).toMatchObject({ code: 0 });
      }
    },
  },
  {
    name: "init --example without a configuration: export one",
    of: ['cli/commands/init/example.ts: "export" { out: "analytics" }'],
    test: async () => {
      const made = await empty();
      const copied = await made.run(["init", "--example", "existing", "the copy"]);
      const exported = await made.follow(`${suggestion(copied, /^driftline export/)} --url ${made.url}`);
      expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining("analytics/") as string });
    },
  },
  {
    name: "a seed that does not exist: one that does, with the options that were typed",
    of: [
      'cli/commands/emulator.ts: "emulator" { seed: "seed.json" }',
      'cli/commands/emulator.ts: "init" { example } folder',
    ],
    test: async () => {
      const made = await empty();
      const emulator = ["emulator", "--port", "0", "--dialect", "deployed", "--seed"];
      const missing = "examples/insights/seed.json";
      const copy = suggestion(await made.run([...emulator, missing]), /^driftline init/);
      expect(await made.follow(copy)).toMatchObject({ code: 0 });
      await serves(made, `driftline ${[...emulator, missing].join(" ")}`);
      expect(
        await made.follow(suggestion(await made.run([...emulator, "none.json"]), /^driftline init/)),
      ).toMatchObject({ code: 0, stdout: expect.stringContaining("minimal/seed.json") as string });
      await made.run(["init", "--example", "minimal"]);
      const line = suggestion(await made.run([...emulator, "none.json"]), /^driftline emulator/);
      expect(line).toContain("--dialect deployed");
      await serves(made, line);
    },
  },
  {
    name: "doctor with an invalid configuration: validate shows all errors",
    of: ['cli/commands/doctor/local.ts: "validate"'],
    test: async () => {
      const made = await world(config({ nmae: "Acme", enforce: true }), { seed: seedOf() });
      const line = suggestion(await made.run(["doctor", ...made.args]), /^driftline validate/);
      const { code, stderr } = await made.follow(line);
      expect(code).toBe(10);
      expect(stderr.match(/error unknown_key/g)).toHaveLength(2);
    },
  },
  {
    name: "no operation of this name: call --list",
    of: ['cli/commands/call/find.ts: "call" { list: true }'],
    test: async () => {
      const made = await valid();
      for (const name of [[], ["nothing.of.the.kind"]]) {
        const line = suggestion(await made.run(["call", ...name, ...at(made)]), /^driftline call --list/);
        expect(await made.follow(line)).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("domains.list") as string,
        });
      }
    },
  },
  {
    name: "call of a write that was not answered: call the list",
    of: ['cli/commands/call/find.ts: "call" {} list ...ids.map((id) => `${id}=${path[id] ?? "ID"}`)'],
    test: async () => {
      const made = await valid();
      made.emulator.faults.add({ method: "POST", fault: { type: "process-then-drop" } });
      const create = ["call", "domains.create", `organization_id=${ACME}`, "domain=a.acme.com", "--yes"];
      const unclear = await made.run([...create, ...at(made)]);
      expect(unclear.code).toBe(15);
      const line = suggestion(unclear, /^driftline call domains.list/);
      expect(await made.follow(line)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("a.acme.com") as string,
      });
    },
  },
  {
    name: "call that deletes an organization: confirm its name",
    of: [
      'cli/commands/call/confirm.ts: "call" { confirmOrganization: sanitize(name), ...(yes === true ? { yes } : {}) } operation.name ...ids',
    ],
    test: async () => {
      const made = await valid();
      const refused = await made.run(["call", "organizations.delete", `id=${ACME}`, "--yes", ...at(made)], {
        interactive: false,
      });
      expect(refused.code).toBe(13);
      expect(await made.follow(suggestion(refused, /^driftline call .*organizations.delete/))).toMatchObject({
        code: 0,
      });
      expect(stored(made, "organization")).toEqual([]);
    },
  },
  {
    name: "import without a terminal: import all of what is listed, or export an organization that is not declared",
    of: [
      'cli/commands/import.ts: "export" { organization: id, out: "live" }',
      'cli/commands/import.ts: "import" { all: true, yes: true }',
    ],
    test: async () => {
      const { organizations } = seedOf({ domains: [{ domain: "stray.acme.com" }] });
      const seed = { organizations: [...organizations, { name: "Beta" }] };
      const made = await world(config({ name: "Acme Inc" }), { seed });
      const listed = await made.run(["import", ...made.args], { interactive: false });
      const words = suggestionsIn(listed);
      const exporting = words.find((line) => line.includes("export")) ?? "";
      expect(await made.follow(exporting), exporting).toMatchObject({ code: 0 });
      expect(existsSync(join(made.folder, "live"))).toBe(true);
      expect(await made.follow(words.find((line) => line.includes("--all")) ?? "")).toMatchObject({ code: 0 });
      expect((await made.run(["plan", ...made.args, "--unmanaged"])).stdout).not.toContain("stray");
    },
  },
  {
    name: "a project that no file declares: export it",
    of: ['engine/plan/undeclared-projects.ts: "export" { organization: id, project: first.id, out: "live" }'],
    test: async () => {
      const made = await world(config({ name: "Acme Inc" }), { seed: seedOf({}, { insights: [{ name: "It" }] }) });
      const shown = await made.run(["drift", ...made.args, "--unmanaged"]);
      const exporting = suggestion(shown, /^driftline export .*--project 2/);
      expect(await made.follow(exporting)).toMatchObject({ code: 0 });
      expect((await made.run(["plan", "live", "--url", made.url])).stdout).toContain("Nothing differs");
    },
  },
  {
    name: "files beside the default one: plan the folder",
    of: ['cli/steps/config.ts: "plan" {} "."'],
    test: async () => {
      const made = await empty();
      const text = stringify(config({ name: "Acme Inc" }));
      await writeFile(join(made.folder, "driftline.yaml"), text);
      const more = "driftline: 1\norganizations: { acme: { domains: { a: { domain: a.acme.com } } } }\n";
      await writeFile(join(made.folder, "domains.yaml"), more);
      const alone = await made.run(["plan", ...at(made)]);
      expect(alone.stdout).not.toContain("acme/domains/a");
      const all = await made.follow(suggestion(alone, /^driftline plan.* \.$/));
      expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining("acme/domains/a") as string });
    },
  },
  {
    name: "export: plan what was exported",
    of: ['cli/commands/export.ts: "plan" options ...saved', 'cli/commands/export.ts: "import" {} file'],
    test: async () => {
      const made = await empty();
      const { stderr } = await made.run(["export", "--out", "my live", ...at(made)]);
      const [line = ""] = /driftline plan .*$/mu.exec(stderr) ?? [];
      expect(await made.follow(line), line).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("Nothing differs") as string,
      });
      await writeFile(join(made.folder, "driftline.yaml"), stringify(config({ name: "Acme Inc" })));
      const beside = await made.run(["export", "--out", ".", ...at(made)]);
      const [alone = ""] = /driftline plan .*$/mu.exec(beside.stderr) ?? [];
      expect(await made.follow(alone), alone).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("Nothing differs") as string,
      });
      expect(await made.follow(suggestion(beside, /^driftline import/))).toMatchObject({ code: 0 });
      await mkdir(join(made.folder, "my files"));
      await rename(join(made.folder, "driftline.yaml"), join(made.folder, "my files", "driftline.yaml"));
      const elsewhere = await made.run(["export", "--out", "my files", ...at(made)]);
      expect(await made.follow(suggestion(elsewhere, /^driftline import .*my files/))).toMatchObject({ code: 0 });
    },
  },
];
