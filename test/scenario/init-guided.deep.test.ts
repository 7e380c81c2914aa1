/** `driftline init` on a terminal: from nothing to files that plan to nothing. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MockAgent } from "undici";
import { describe, expect, it } from "vitest";
import type { EmulatorOptions, Seed } from "../../src/emulator/index.ts";
import type { CliResult } from "../support/cli.ts";
import { messyOrganization } from "../support/messy.ts";
import { normalized } from "../support/normalized.ts";
import { hasTerminal, onTerminal } from "../support/terminal.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { blocksOf } from "./docs/blocks.ts";
import { textOf } from "./docs/pages.ts";

/** No variable names the service or the key. */
const UNSET = { DRIFTLINE_URL: "", DRIFTLINE_API_KEY: "" };

const ALL: Seed = {
  organizations: [
    ...(messyOrganization().organizations ?? []),
    { id: "0190aa11-0000-4000-8000-00000000000b", name: "Beta", projects: [{ id: 9, name: "Web, old" }] },
  ],
};

const messy = (options: EmulatorOptions = {}): Promise<Workspace> =>
  workspace({ seed: messyOrganization(), dialect: "current", ...options });

/** What stands for Ctrl-C among the answers. */
const INTERRUPT = Symbol("Ctrl-C");

interface Session extends CliResult {
  /** All that the terminal shows, with the answers. */
  readonly shown: string;
  readonly questions: readonly string[];
}

/** Runs the command with a person who gives these answers, and then ends the input. */
async function session(
  space: Workspace,
  answers: readonly (string | typeof INTERRUPT)[],
  {
    args = [],
    env = UNSET,
  }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Session> {
  const controller = new AbortController();
  const questions: string[] = [];
  let shown = "";
  const print = (text: string): void => void (shown += text);
  const result = await space.run(["init", ...args], {
    env,
    runtime: {
      interactive: true,
      signal: controller.signal,
      errColumns: 80,
      columns: 80,
      out: print,
      err: print,
      ask: (question, form) => {
        const answer = answers[questions.length];
        questions.push(question);
        if (answer === INTERRUPT) controller.abort();
        const typed = typeof answer === "string" ? answer : undefined;
        print(`${question}${form?.hidden === true ? "" : (typed ?? "")}\n`);
        return Promise.resolve(typed);
      },
    },
  });
  return { ...result, shown, questions };
}

/** The files below the folder, sorted. */
async function filesOf({ folder }: Workspace): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
  return files
    .map((file) => file.slice(folder.length + 1))
    .filter((file) => !file.startsWith("state/"))
    .toSorted();
}

const plannedTo = (space: Workspace, folder: string) =>
  space.run(["plan", folder, "--detailed-exitcode"], { env: { DRIFTLINE_URL: "" } });

describe("a first run", () => {
  it("ends with files that can be committed and that plan to nothing, after fewer than ten answers", async () => {
    const space = await messy();
    const answers = [space.emulator.url, space.emulator.key, "", "", "", "1", ""];
    const { code, shown, questions } = await session(space, answers);
    expect(normalized(shown)).toMatchSnapshot();
    expect(code).toBe(0);
    expect(questions).toHaveLength(7);
    const onPage = blocksOf(textOf("docs/existing-organization.md")).find(({ language }) => language === "text");
    expect(shown).toContain(onPage?.text.trim());
    expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
    const files = await filesOf(space);
    expect(files).toEqual(
      [
        "acme-inc/organization",
        "acme-inc/projects/mobile",
        "acme-inc/projects/web-prod",
        "acme-inc/projects/web-staging",
        "service",
      ].map((name) => `analytics/${name}.yaml`),
    );
    for (const file of files)
      expect(await readFile(join(space.folder, file), "utf8")).not.toContain(space.emulator.key);
    const service = await readFile(join(space.folder, "analytics/service.yaml"), "utf8");
    expect(service).toContain(`service: { url: ${JSON.stringify(space.emulator.url)}, self: "ada@acme.com" }`);
    const [add = ""] = /^ {2}git add .*$/mu.exec(shown) ?? [];
    const git = `git init --quiet && ${add} && git -c user.name=A -c user.email=a@acme.com commit --quiet -m Files && git ls-files`;
    const committed = execFileSync("sh", ["-c", git], { cwd: space.folder, encoding: "utf8" });
    expect(committed.trim().split("\n")).toEqual(files);
    expect(await plannedTo(space, "analytics")).toMatchObject({ code: 0, stderr: "" });
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("writes only what was chosen, by number or by name", async () => {
    const space = await messy();
    const chosen = [space.emulator.url, space.emulator.key, "web (prod), 3", "1,domains,insight", "all", "live"];
    expect(await session(space, chosen)).toMatchObject({ code: 0 });
    expect(await filesOf(space)).toEqual(
      ["acme-inc/organization", "acme-inc/projects/mobile", "acme-inc/projects/web-prod", "service"].map(
        (name) => `live/${name}.yaml`,
      ),
    );
    const { changes } = await space.plan("live");
    expect([...new Set(changes.map(({ kind }) => kind))]).toEqual(["organization", "domain", "insight"]);
    expect(await plannedTo(space, "live")).toMatchObject({ code: 0 });
  });

  it("declares people and domains completely if that is asked for: a removed line is drift then", async () => {
    const space = await messy();
    const answers = [space.emulator.url, space.emulator.key, "none", "domains, memberships", "memberships", "", "live"];
    expect(await session(space, answers)).toMatchObject({ code: 0 });
    const file = join(space.folder, "live/acme-inc/organization.yaml");
    const text = await readFile(file, "utf8");
    expect(text).toMatch(/^ {4}exclusive:\n {6}- memberships$/mu);
    expect(await plannedTo(space, "live")).toMatchObject({ code: 0 });
    await writeFile(file, text.replace(/^ +user3@acme\.com:.*\n/mu, ""));
    const { code, document } = await space.drift("live");
    expect([code, document.changes.filter(({ action }) => action === "delete").length]).toEqual([2, 1]);
  });

  it("writes an organization without its projects, and people without the settings", async () => {
    const space = await messy();
    const people = [space.emulator.url, space.emulator.key, "none", "memberships", "", "", "live"];
    const { code, shown } = await session(space, people);
    expect([code, shown]).toEqual([0, expect.not.stringContaining("insights")]);
    expect(await filesOf(space)).toEqual(["live/acme-inc/organization.yaml", "live/service.yaml"]);
    expect(await readFile(join(space.folder, "live/acme-inc/organization.yaml"), "utf8")).not.toMatch(
      /enforce_2fa|exclusive/,
    );
    expect(await plannedTo(space, "live")).toMatchObject({ code: 0 });
  });

  it("asks for the organizations if there are several", async () => {
    const space = await messy({ seed: ALL });
    const { code, questions } = await session(space, [space.emulator.url, space.emulator.key, "beta", "", "", "", ""]);
    // One project is not asked about.
    expect([code, questions.length]).toEqual([0, 7]);
    expect((await filesOf(space)).filter((file) => file.includes("acme"))).toEqual([]);
    expect(await plannedTo(space, "analytics")).toMatchObject({ code: 0 });
  });

  it("asks again if an answer cannot be meant", async () => {
    const space = await messy();
    await writeFile(join(space.folder, "a-file"), "");
    const { emulator } = space;
    const service = ["elsewhere", "https://eu.i.posthog.com", emulator.url];
    const key = ["", "phc_project", '"quoted"', "Bearer phx_1", "with blanks", emulator.key];
    const selection = ["4", "0", "2-9", "Web", "1", "none", "insights, 99", "insights"];
    const answers = [...service, ...key, ...selection, "a-file", "~/live", "live"];
    const { code, shown, questions } = await session(space, answers);
    expect([code, questions.length]).toEqual([0, 20]);
    expect(normalized(shown.slice(0, shown.indexOf("This was found")))).toMatchSnapshot();
  });

  it("says what the environment answers, and does not ask for it", async () => {
    const space = await messy();
    const { code, questions, shown } = await session(space, ["", "", "", "", ""], { env: {} });
    expect([code, questions.length]).toEqual([0, 5]);
    expect(shown).toContain("DRIFTLINE_URL is set");
    expect(shown).toContain("DRIFTLINE_API_KEY is set");
  });

  it("says which scopes the key lacks, and goes on with the rest", async () => {
    const scopes = ["organization:read", "insight:read"];
    const space = await messy({ keys: [{ key: "scoped", scopes }] });
    const { code, shown } = await session(space, [space.emulator.url, "scoped", "", "", "", ""]);
    expect(normalized(shown)).toMatchSnapshot();
    expect(code).toBe(0);
    expect(await plannedTo(space, "analytics")).toMatchObject({ code: 0 });
  });
});

describe("each question has an option or a variable:", () => {
  const answers = ["--organization", "Acme Inc", "--project", "Web (Prod)", "--kind", "organization", "insight"];

  it("on a terminal nothing is asked then", async () => {
    const space = await messy();
    const { code, questions } = await session(space, [], {
      args: ["--url", space.emulator.url, ...answers, "--out", "live"],
      env: { DRIFTLINE_URL: "" },
    });
    expect([code, questions]).toEqual([0, []]);
    expect(await filesOf(space)).toEqual([
      "live/acme-inc/organization.yaml",
      "live/acme-inc/projects/web-prod.yaml",
      "live/service.yaml",
    ]);
  });

  it("without a terminal, one of them is enough: the rest is everything", async () => {
    const space = await messy();
    const { code, stdout } = await space.run(["init", "--kind", "member"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Nothing differs: all 18 resources")]);
    expect(await filesOf(space)).toEqual(["analytics/acme-inc/organization.yaml", "analytics/service.yaml"]);
  });

  it("names what it declares in the places of ids, so a plan finds nothing", async () => {
    const id = "0190aa11-2b3c-4d5e-8f60-718293a4b5c6";
    const provider = { name: "Okta", config_scope: "saml", organization_domain_ids: [id] };
    const acme = { name: "Acme Inc", domains: [{ id, domain: "acme.com" }], identity_provider_configs: [provider] };
    const space = await messy({ seed: { organizations: [acme] } });
    await space.run(["init", "--kind", "domain", "identity_provider_config"]);
    const text = await readFile(join(space.folder, "analytics/acme-inc/organization.yaml"), "utf8");
    expect(text).toMatch(/organization_domain_ids: \[acme\.com\]/u);
    expect(await plannedTo(space, "analytics")).toMatchObject({ code: 0 });
  });

  it("of a selection that holds nothing, no file is written", async () => {
    const space = await messy({ seed: { organizations: [{ name: "Acme Inc" }] } });
    const { stdout } = await space.run(["init", "--kind", "domain"]);
    expect([stdout, await filesOf(space)]).toEqual(["", []]);
  });

  it("without a terminal, a scope that the key lacks is an error, as for export", async () => {
    const space = await messy({ keys: [{ key: "scoped", scopes: ["organization:read"] }] });
    const env = { DRIFTLINE_API_KEY: "scoped" };
    expect(await space.run(["init", "--out", "live"], { env })).toMatchObject({ code: 11 });
    const own = await space.run(["init", "--out", "own", "--kind", "organization"], { env });
    expect([own.code, own.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect(await plannedTo(space, "own")).toMatchObject({ code: 0 });
  });

  it.each([
    ["no service", { DRIFTLINE_URL: "" }, 10],
    ["no key", { DRIFTLINE_API_KEY: "" }, 11],
  ])("without a terminal and with %s it ends", async (_what, env, code) => {
    const space = await messy();
    expect(await space.run(["init", "--out", "live"], { env })).toMatchObject({ code, stdout: "" });
    expect(await filesOf(space)).toEqual([]);
  });

  it.each([
    ["a project that does not exist", ["--project", "None"], 1],
    ["a URL that is none", ["--url", "eu.posthog.com"], 10],
    ["a file", ["acme.yaml", "--out", "live"], 10],
    ["a file with a URL that is none", ["acme.yaml", "--url", "eu.posthog.com"], 10],
    ["an example", ["--example", "minimal", "--out", "live"], 10],
    ["an example with a URL", ["--example", "minimal", "--url", "https://eu.posthog.com"], 10],
    ["a folder that is empty", ["--out", ""], 10],
  ])("%s is refused", async (_what, args, code) => {
    const space = await messy();
    expect(await space.run(["init", ...args])).toMatchObject({ code, stdout: "" });
    expect(await filesOf(space)).toEqual([]);
  });

  it("without a terminal and options, init writes an empty configuration, as with a file on a terminal", async () => {
    const space = await messy();
    expect(await space.run(["init"], { env: UNSET })).toMatchObject({ code: 0 });
    const { code, questions } = await session(space, [], { args: ["other.yaml"] });
    expect([code, questions]).toEqual([0, []]);
    expect(await filesOf(space)).toEqual(["driftline.yaml", "other.yaml"]);
    expect(space.emulator.requests).toEqual([]);
  });
});

it.each(["acme.yaml", "acme.driftline.ts"])("%s gets the URL that was given", async (file) => {
  const space = await messy();
  expect(await space.run(["init", file, "--url", "https://user:pass@eu.posthog.com"])).toMatchObject({ code: 0 });
  const text = await readFile(join(space.folder, file), "utf8");
  expect(text).toMatch(/^ *service: \{ url: "https:\/\/eu\.posthog\.com" \},?$/m);
  expect(text).toMatch(/^ *undeclared: "?report"?,?$/m);
  expect((await space.run(["validate", file])).code).toBe(0);
});

describe("a run that ends early writes nothing:", () => {
  it("Ctrl-C and the end of the input at each question", async () => {
    const space = await messy({ seed: ALL });
    const answers = [space.emulator.url, space.emulator.key, "", "", "", "", "", ""];
    for (let answered = 0; answered < answers.length; answered++) {
      const given = answers.slice(0, answered);
      const interrupted = await session(space, [...given, INTERRUPT]);
      expect([interrupted.code, interrupted.questions.length]).toEqual([130, answered + 1]);
      const ended = await session(space, given);
      expect([ended.code, ended.questions.length]).toEqual([1, answered + 1]);
      for (const { shown } of [interrupted, ended]) expect(shown).toContain("Nothing was written.");
      expect(await filesOf(space)).toEqual([]);
    }
    expect(await session(space, answers)).toMatchObject({ code: 0 });
  });

  it.each(["accepts the key", "Which projects"])("an interrupt after %j is shown", async (text) => {
    const space = await messy();
    const controller = new AbortController();
    const { code } = await space.run(["init"], {
      runtime: {
        interactive: true,
        signal: controller.signal,
        err: (shown) => void (shown.includes(text) && controller.abort()),
        ask: () => Promise.resolve(""),
      },
    });
    expect([code, await filesOf(space)]).toEqual([130, []]);
  });

  it("a key that the service does not accept is asked for again", async () => {
    const space = await messy();
    const { url, key } = space.emulator;
    const { code, shown } = await session(space, [url, "wrong-key", "phx_wrong_too", key, "", "", "", "", ""]);
    expect(code).toBe(0);
    expect(shown.match(/error +key_accepted/gu)).toHaveLength(2);
    expect(shown).not.toContain("Nothing was written");
  });

  it("a key that the service does not accept", async () => {
    const space = await messy();
    const { code, shown } = await session(space, [space.emulator.url, "wrong-key"]);
    expect(normalized(shown.slice(shown.indexOf("\nerror")))).toMatchSnapshot();
    expect([code, await filesOf(space)]).toEqual([1, []]);
  });

  it("the key of another region", async () => {
    const space = await messy();
    const agent = new MockAgent();
    agent.disableNetConnect();
    const headers = { "content-type": "application/json" };
    agent
      .get("https://us.posthog.com")
      .intercept({ path: () => true })
      .reply(
        401,
        { type: "authentication_error", code: "authentication_failed", detail: "Invalid", attr: null },
        { headers },
      )
      .persist();
    let shown = "";
    const answers = ["", "phx_of_the_other_region"];
    const { code } = await space.run(["init"], {
      env: UNSET,
      runtime: {
        interactive: true,
        dispatcher: agent,
        err: (text) => void (shown += text),
        ask: () => Promise.resolve(answers.shift()),
      },
    });
    expect(shown.slice(shown.indexOf("\nerror"))).toMatchSnapshot();
    expect([code, await filesOf(space)]).toEqual([1, []]);
    await agent.close();
  });

  it("a service that does not answer", async () => {
    const space = await messy();
    const { url, key } = space.emulator;
    await space.emulator.close();
    expect(await session(space, [url, key])).toMatchObject({
      code: 1,
      shown: expect.stringContaining("reachable") as string,
    });
    expect(await filesOf(space)).toEqual([]);
  });

  it.each([
    ["here", "driftline.yaml", []],
    ["of an earlier run", "analytics/acme/organization.yaml", []],
    ["in the folder that is named", "live/acme.yaml", ["--out", "live"]],
  ])("a configuration %s", async (_where, file, args) => {
    const space = await messy();
    await mkdir(join(space.folder, file, ".."), { recursive: true });
    await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc" } } }, file);
    const { code, shown, questions } = await session(space, [], { args });
    expect(shown).toMatchSnapshot();
    expect([code, questions, await filesOf(space)]).toEqual([10, [], [file]]);
    expect(space.emulator.requests).toEqual([]);
  });
});

describe.runIf(hasTerminal)("on a real terminal", () => {
  const typing = (space: Workspace, typed: readonly [string, ...string[]]) =>
    onTerminal(["init"], { cwd: space.folder, env: { ...space.env, ...UNSET }, typed });

  it("the key is never shown, and in no file", async () => {
    const key = "phx_this_is_typed";
    const space = await messy({ keys: [{ key }] });
    const { code, shown } = await typing(space, [
      "",
      `${space.emulator.url}\n`,
      `${key}\n`,
      "\n",
      "\n",
      "\n",
      "\n",
      "\n",
    ]);
    expect(code, shown).toBe(0);
    expect(shown).toContain("Nothing differs");
    for (let length = 6; length <= key.length; length++) expect(shown).not.toContain(key.slice(0, length));
    for (const file of await filesOf(space))
      expect(await readFile(join(space.folder, file), "utf8")).not.toContain(key);
  });

  it.each([
    ["Ctrl-C", "\u0003", 130],
    ["Ctrl-D", "\u0004", 1],
  ])("%s ends the question for the key, and what was typed of it is not shown", async (_name, end, code) => {
    const space = await messy();
    const result = await typing(space, ["", `${space.emulator.url}\n`, end === "\u0003" ? `half_a_key${end}` : end]);
    expect(result.code, result.shown).toBe(code);
    expect(result.shown).not.toContain("half_a_key");
    expect(existsSync(join(space.folder, "analytics"))).toBe(false);
  });
});
