/** Texts of the service, of the configuration and of an answer that are commands of five pipelines: none is one in what is printed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutCommands } from "../../src/model/pipeline-commands.ts";
import { budget } from "../support/budget.ts";
import { spawnCli } from "../support/cli.ts";
import type { Trick } from "../support/hostile-service.ts";
import { DEFECT } from "../support/normalized.ts";
import { against, COMMAND, expectSober } from "./hostile.ts";
import { ACME } from "./support.ts";

/** GitHub, Azure, TeamCity and GitLab; those of Jenkins and Buildkite are escape sequences. */
const COMMANDS = [
  "::stop-commands::x",
  " \t::add-mask::delete",
  "\n\u00a0 ::set-env name=NODE_OPTIONS::--import=/evil.mjs",
  "\r::error::x",
  "##[add-mask]delete",
  "##vso[task.prependpath]/evil",
  "a ##VSO[task.setvariable variable=x]y",
  "##teamcity[setParameter name='x' value='y']",
  "section_start:1560896352:a[collapsed=true]\r\u001b[0KHidden",
  "\u001b[0Ksection_end:1560896352:a\r\u001b[0K",
  "\u001b[8mha:AAAA\u001b[0m \u001b]1338;url='x'\u0007",
];
const ALL = COMMANDS.join(" ");
const pass: Trick = () => undefined;

const seed = {
  organizations: [
    {
      id: ACME,
      name: `Acme ${ALL}`,
      members: [{ email: "ada@acme.com", level: 8, first_name: ALL }],
      batch_exports: [{ name: ALL }],
      pipeline_destinations: [{ name: ALL, plugin_type: "source", description: ALL }],
      projects: [
        {
          id: 2,
          name: ALL,
          insights: [
            { id: 5, name: ALL, filters: { [ALL]: ALL }, tags: [ALL] },
            { id: 6, name: "Plain", description: `One\n${COMMANDS.join("\n")}` },
            ...COMMANDS.map((command, index) => ({ id: 10 + index, name: command, filters: { [command]: [command] } })),
          ],
        },
      ],
    },
  ],
};
const config = {
  driftline: 1,
  organizations: {
    acme: {
      id: ACME,
      exclusive: ["batch_exports"],
      members: { "ada@acme.com": { level: "member" } },
      projects: { web: { id: "2", exclusive: ["insights"], insights: { plain: { name: "Plain", description: ALL } } } },
    },
  },
};

const RUNS: readonly (readonly [readonly string[], number])[] = [
  [["plan", "--prune", "--unmanaged", "--verbose", "--out", "p.json"], 0],
  [["plan", "--unmanaged", "--format", "json", "--progress", "json"], 0],
  [["plan", "--unmanaged", "--format", "markdown"], 0],
  [["plan", "--unmanaged", "--format", "html"], 0],
  [["drift", "--unmanaged"], 2],
  [["drift", "--unmanaged", "--format", "json"], 2],
  [["show", "p.json", "--format", "markdown"], 0],
  [["export"], 0],
  [["export", "--no-ids", "--all-fields"], 0],
  [["doctor"], 0],
  [["access"], 0],
  [["call", "insights.list", "project_id=2"], 0],
  [["call", "insights.list", "project_id=2", "--all"], 0],
  [["apply", "--yes", "--format", "markdown"], 14],
];

it("in any command and format", async () => {
  const { run } = await against(pass, config, { seed });
  for (const [args, code] of RUNS) expectSober(await run(args), code);
});

/** The other commands and formats. What they end with differs, and is tested elsewhere. */
const OTHERS: readonly (readonly string[])[] = [
  ["validate", "--format", "json"],
  ["plan", "--effect", "--out", "p.json"],
  ["plan", "--only", `acme/${ALL}`],
  ["plan", "--url", `http://127.0.0.1/${ALL}`],
  ["show", "p.json"],
  ["show", "p.json", "--format", "json"],
  ["show", "p.json", "--format", "html"],
  ["drift", "--format", "markdown"],
  ["drift", "--format", "html"],
  ["drift", "--by", ALL],
  ["export", "--pulumi", "program"],
  ["export", "--out", "tree"],
  ["export", "--organization", ALL],
  ["import"],
  ["pin", "--yes"],
  ["explain", ALL],
  ["doctor", "--format", "json"],
  ["access", "--format", "csv"],
  ["access", "--organization", ALL],
  ["call", "insights.get", "project_id=2", "id=5"],
  ["init", ALL],
  ["completion", ALL],
  ["complete-words", "--", "plan", "--only", "acme"],
  ["emulator", "--seed", ALL],
  ["drift", "--accept", "--yes"],
  ["import", "--all", "--yes"],
  ["apply", "--plan", "p.json", "--yes"],
  ["apply", "--yes", "--format", "html"],
  ["apply", "--yes", "--format", "json", "--progress", "json"],
];

it.each(OTHERS.map((args) => ({ what: args.filter((word) => !word.includes(ALL)).join(" "), args })))(
  "nor in $what",
  async ({ args }) => {
    const { run } = await against(pass, config, { seed });
    if (args.includes("p.json")) await run(["plan", "--unmanaged", "--out", "p.json"]);
    const { stdout, stderr } = await run(args);
    expect(stdout + stderr).not.toContain(DEFECT);
    for (const written of [stdout, stderr]) expect(written).not.toMatch(COMMAND);
  },
);

it("and JSON and YAML hold the same values, and files the text as it is", async () => {
  const { run, folder, configure } = await against(pass, config, { seed });
  const { stdout } = await run(["call", "insights.list", "project_id=2"]);
  const { results } = JSON.parse(stdout) as { readonly results: readonly { readonly name: string }[] };
  expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(COMMANDS));
  await run(["plan", "--unmanaged", "--format", "json=plan.json", "--format", "markdown=plan.md"]);
  for (const file of ["plan.json", "plan.md"])
    expect(await readFile(join(folder, file), "utf8")).toContain("##vso[task.prependpath]/evil");
  await run(["export", "--out", "exported"]);
  const plan = async (path: string) => (await run(["plan", path, "--detailed-exitcode"])).code;
  expect(await plan("exported")).toBe(0);
  await configure((await run(["export"])).stdout, "printed.yaml");
  expect(await plan("printed.yaml")).toBe(0);
});

it.each([400, 403, 500])("and an answer with %i is none", async (status) => {
  const detail = JSON.stringify({ type: ALL, code: ALL, detail: ALL, attr: ALL });
  const { run } = await against(
    ({ path }) => (path.includes("insights") ? { status, body: detail } : undefined),
    config,
  );
  for (const args of [["plan"], ["plan", "--format", "json"], ["call", "insights.list", "project_id=2"]]) {
    const { stdout, stderr } = await run(args);
    expect(stderr).toContain("error");
    expect(stdout + stderr).not.toMatch(COMMAND);
  }
});

it.each(COMMANDS)("and nothing of a configuration is one: %j", async (command) => {
  const { run, configure } = await against(pass, undefined);
  for (const text of [
    JSON.stringify({ driftline: 1, organizations: { acme: { [command]: command, enforce_2fa: command } } }),
    JSON.stringify({ driftline: command, [command]: { a: command } }),
    `driftline: 1\n${command}`,
  ]) {
    await configure(text);
    for (const args of [
      ["validate"],
      ["plan", "--format", "json"],
      ["plan", command],
      ["plan", "--var", command],
      [command],
    ]) {
      const { stdout, stderr } = await run(args);
      expect(stdout + stderr).not.toMatch(COMMAND);
    }
  }
});

it("nor in what a process writes, also by a defect", async () => {
  const { folder, env, configure } = await against(pass, config, { seed });
  const { stdout, stderr } = await spawnCli(["plan", "--unmanaged", "--verbose"], { cwd: folder, env }).result;
  expect(stdout).toContain("stop-commands");
  expect(stdout + stderr).not.toMatch(COMMAND);
  await configure(
    `setTimeout(() => { throw new Error(${JSON.stringify(`\n${ALL}`)}); }); await new Promise(() => {});\n`,
    "a.driftline.js",
  );
  const defect = await spawnCli(["validate", "a.driftline.js"], { cwd: folder, env }).result;
  expect(defect.stderr).toContain("stop-commands");
  expect(defect.stderr).not.toMatch(COMMAND);
});

describe("the escape", () => {
  const piece = fc.oneof(
    fc.constantFrom(...COMMANDS, ":", "::", "#", "##", "[", "vso[", " ", "\n", "\r", "\u0085", "\\"),
    fc.string(),
  );

  it("leaves no command, and JSON as it was", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join("");
        expect(withoutCommands(text)).not.toMatch(COMMAND);
        expect(withoutCommands(withoutCommands(text))).toBe(withoutCommands(text));
        expect(JSON.parse(withoutCommands(JSON.stringify({ [text]: text })))).toEqual({ [text]: text });
      }),
      { numRuns: budget(5_000) },
    );
  });

  it("takes linear time", () => {
    const before = performance.now();
    for (const text of [" ", ":", " :", "#", "##", "##a", "\n ", "section_start:"])
      withoutCommands(text.repeat(300_000));
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it.each(["zsh", "bash", "fish"])("changes nothing in the completion of %s", async (shell) => {
    const { run } = await against(pass, undefined);
    const { stdout } = await run(["completion", shell]);
    expect(stdout.length).toBeGreaterThan(100);
    expect(stdout).not.toContain(String.raw`\u00`);
  });

  it("changes nothing in an ordinary report", async () => {
    const { run } = await against(pass, {
      driftline: 1,
      organizations: { acme: { name: "Acme Inc", enforce_2fa: true } },
    });
    for (const format of ["text", "json", "markdown", "html"])
      expect((await run(["plan", "--format", format])).stdout).not.toMatch(/\\u00(?:3a|23)/);
  });
});
