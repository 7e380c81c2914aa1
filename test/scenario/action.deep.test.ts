/** action.yml: its shell is run with bash, against the emulator and a stub of GitHub's interface. */
import { existsSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { ACTION, AS_IT_IS, CONFIGURATION, MAIN, PINNED, repository, REQUEST } from "../support/action.ts";
import { bash, commitAll, missingPrograms, ROOT } from "../support/ci.ts";
import { HOST_TOKEN } from "../support/code-host.ts";
import { textOf } from "./docs/pages.ts";

const missing = missingPrograms("curl", "jq");
const OWN_BUILD = ["npm <ci> <--ignore-scripts>", "npm <run> <build>"];
/** A driftline that writes a line down. */
const noting = (command: string): string => `#!/bin/sh\n${command} >> seen; exit 0\n`;
describe("the form of action.yml", () => {
  const scripts = ACTION.runs.steps.flatMap(({ name = "", run }) => (run === undefined ? [] : [[name, run] as const]));

  it.each(scripts)("%s: bash can read it, and no expression stands in it", async (_name, script) => {
    expect(script).not.toContain("${{");
    expect(await bash(script, ROOT, { PATH: process.env["PATH"] ?? "" }, ["-n"])).toEqual({ code: 0, output: "" });
  });

  it("says what each input is for, and uses it", () => {
    const text = JSON.stringify(ACTION.runs);
    for (const [name, { description }] of Object.entries(ACTION.inputs)) {
      expect(description).toMatch(/\.$/);
      expect(text).toContain(`inputs.${name}`);
    }
  });

  it("has the inputs and outputs that docs/pipelines.md lists", () => {
    const [, section = ""] = textOf("docs/pipelines.md").split("\n## The action\n");
    const listed = [...section.replace(/\n## .*/s, "").matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
    expect(listed).toEqual([...Object.keys(ACTION.inputs), ...Object.keys(ACTION.outputs)]);
  });
});

describe.skipIf(missing !== undefined)(`the action (${missing ?? "with curl and jq"})`, () => {
  it("a pull request with changes: a comment, a report, and the plan for later", async () => {
    const { action, host, writes, configure } = await repository();
    const run = await action(REQUEST, { mode: "plan" });
    expect(run).toMatchObject({ code: 0, outputs: { "exit-code": "0", changes: "2" } });
    // No word of the configuration is a command, and nobody can know the word that ends this.
    const [, token = ""] = /^::stop-commands::([0-9a-f]{32})$/mu.exec(run.log) ?? [];
    expect(run.log).toMatch(new RegExp(`::stop-commands::${token}\\n[^]*acme/domains/corp[^]*\\n::${token}::\\n`, "u"));
    expect(host.comments).toHaveLength(1);
    expect(host.comments[0]?.body).toMatch(
      /^<!-- driftline: driftline -->\n### driftline plan: 1 to create, 1 to update; 1 warning\n/,
    );
    expect(host.comments[0]?.body).toContain("https://github.example/acme/analytics/actions/runs/1");
    expect(run.summary).toContain("acme/domains/corp");
    const [artifact] = host.artifacts;
    expect(artifact?.name).toBe("driftline-plan-head1");
    expect(await readFile(join(artifact?.folder ?? "", "report.html"), "utf8")).toMatch(/<\/html>\n$/);
    expect(existsSync(run.outputs["plan"] ?? "")).toBe(true);
    expect(writes()).toEqual([]);

    // The next push to the pull request updates the comment, even if nothing is left to do.
    await configure(AS_IT_IS);
    expect(await action({ ...REQUEST, head: "head2" }, { mode: "plan" })).toMatchObject({ outputs: { changes: "0" } });
    expect(host.comments.map(({ body }) => body.split("\n")[1])).toEqual(["### driftline plan: nothing differs"]);
  });

  it("a slow run of an older commit leaves the comment of the newer one", async () => {
    const { action, host } = await repository();
    host.pushed.add("0ld5ha1234");
    await action({ ...REQUEST, head: "new5ha5678" }, { mode: "plan" });
    const slow = await action({ ...REQUEST, head: "0ld5ha1234", run: 2 }, { mode: "plan" });
    expect(slow).toMatchObject({ code: 0, log: expect.stringMatching(/^::notice::.*0ld5ha1/m) as string });
    expect(host.comments.map(({ body }) => body)).toEqual([expect.stringContaining("plan of new5ha5.")]);
    expect(host.artifacts.map(({ name }) => name)).toEqual(["driftline-plan-new5ha5678", "driftline-plan-0ld5ha1234"]);
  });

  it("a pull request without changes: no comment", async () => {
    const { action, host } = await repository(AS_IT_IS);
    expect(await action(REQUEST, { mode: "plan" })).toMatchObject({ code: 0, outputs: { changes: "0" } });
    expect(host.comments).toEqual([]);
    expect(host.artifacts.map(({ name }) => name)).toEqual(["driftline-plan-head1"]);
  });

  it("a merge: exactly the plan of the pull request is applied", async () => {
    const { action, host, emulator, configure, folder, base } = await repository();
    await commitAll(folder, base);
    await action(REQUEST, { mode: "plan" });
    // Neither of these was made by a run of the commit that was reviewed.
    await configure(AS_IT_IS);
    const { outputs } = await action({ ...REQUEST, run: 8 }, { mode: "plan", name: "other" });
    const forged = { name: "driftline-plan-head1", folder: join(outputs["plan"] ?? "", ".."), run: 8 };
    host.artifacts.push(
      { ...forged, sha: "head0" },
      { ...forged, sha: "head1", from: 2 },
      { ...forged, sha: "head1", expired: true },
    );
    await configure(CONFIGURATION);
    const run = await action(MAIN, { mode: "apply" });
    expect(run).toMatchObject({ code: 0, outputs: { "exit-code": "0", changes: "2" } });
    expect(run.log).not.toContain("::warning::");
    expect(run.summary).toMatch(/### driftline apply: applied/);
    expect(emulator.find("domain", () => true)).toHaveLength(1);
    expect(host.artifacts.at(-1)?.name).toBe("driftline-apply-main2");
  });

  it("a stale plan: nothing is written, and a run by hand applies a new one", async () => {
    const { action, emulator, writes } = await repository();
    await action(REQUEST, { mode: "plan" });
    const id = String(emulator.find("organization")[0]?.id);
    emulator.edit("organization", id, { enforce_2fa: true });
    const stale = await action(MAIN, { mode: "apply" });
    expect(stale).toMatchObject({ code: 12, outputs: { "exit-code": "12" } });
    expect(stale.log).toMatch(/^::error::The configuration or the service has changed since the plan was made\. /m);
    expect(writes()).toEqual([]);
    await action({ ...MAIN, run: 3 }, { mode: "plan" });
    expect(await action({ ...MAIN, run: 3 }, { mode: "apply" })).toMatchObject({ code: 0, outputs: { changes: "1" } });
    expect(writes()).toEqual(["POST"]);
  });

  it("a merge without a plan: nothing is written, and it fails only if something differs", async () => {
    const { action, writes, configure, host } = await repository();
    const direct = { ...MAIN, sha: "direct4" };
    const run = await action(direct, { mode: "apply" });
    expect(run).toMatchObject({ code: 2, outputs: { "exit-code": "2", changes: "2" } });
    expect(run.log).toMatch(/^::error::No reviewed plan belongs to this commit, and something differs\. /m);
    await configure(AS_IT_IS);
    expect(await action(direct, { mode: "apply" })).toMatchObject({ code: 0 });
    expect(writes()).toEqual([]);
    expect(host.comments).toEqual([]);
  });

  it("a new id that an apply writes: the warning, the summary and a patch say what to commit", async () => {
    const { action, folder, base, emulator } = await repository(PINNED);
    await commitAll(folder, base);
    // An earlier step of the job has changed something else.
    await appendFile(join(folder, "driftline.yaml"), "# a step\n");
    await action(REQUEST, { mode: "plan", options: "--recreate\nacme/domains/corp" });
    const run = await action(MAIN, { mode: "apply" });
    expect(run).toMatchObject({ code: 0 });
    const id = String(emulator.find("domain", () => true)[0]?.id);
    expect(run.log).toMatch(/^::warning::.* driftline\.yaml\. Commit new-ids\.patch /m);
    expect(run.summary).toMatch(new RegExp(`^ {4}\\+ +id: ${id}$`, "m"));
    expect(run.summary).not.toContain("+# a step");
    const undone = await bash(
      `git apply --reverse "${join(run.outputs["plan"] ?? "", "../new-ids.patch")}"`,
      folder,
      base,
    );
    expect(undone).toEqual({ code: 0, output: "" });
    expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toBe(`${stringify(PINNED)}# a step\n`);
    expect((await action({ ...MAIN, run: 3 }, { mode: "plan" })).code).toBe(13);
  });

  it("a night with drift and one without", async () => {
    const { action, emulator, host } = await repository(AS_IT_IS);
    expect(await action(MAIN, { mode: "drift" })).toMatchObject({ code: 0, outputs: { changes: "0" } });
    emulator.edit("organization", String(emulator.find("organization")[0]?.id), { enforce_2fa: true });
    const run = await action(MAIN, { mode: "drift" });
    expect(run).toMatchObject({ code: 2, outputs: { "exit-code": "2", changes: "1" } });
    expect(run.log).toMatch(/^::error::Something was changed outside of the repository/m);
    expect(run.summary).toContain("### driftline drift: 1 drifted");
    expect(existsSync(join(host.artifacts.at(-1)?.folder ?? "", "report.html"))).toBe(true);
  });

  it("a night whose drift becomes a pull request", async () => {
    const { action, emulator, host, folder, base } = await repository(AS_IT_IS);
    await commitAll(folder, base);
    const remote = `git init --quiet --bare remote.git && git remote add origin remote.git && git push --quiet origin HEAD:main &&
      git -C remote.git symbolic-ref HEAD refs/heads/main`;
    expect(await bash(remote, folder, base)).toEqual({ code: 0, output: "" });
    emulator.edit("organization", String(emulator.find("organization")[0]?.id), { enforce_2fa: true });
    const run = await action(MAIN, { mode: "accept" }, { GITHUB_ACTIONS: "true" });
    expect(run).toMatchObject({ code: 0, outputs: { "exit-code": "0", changes: "1" } });
    expect(host.pulls).toMatchObject([{ head: { ref: "driftline/drift" }, base: "main", state: "open" }]);
    const shown = await bash("git -C remote.git show driftline/drift:driftline.yaml", folder, base);
    expect(shown.output).toContain("enforce_2fa: true");
    expect(await readFile(join(folder, "driftline.yaml"), "utf8")).toBe(stringify(AS_IT_IS));
  });

  it("a plan does not see the token", async () => {
    const { action, folder } = await repository(AS_IT_IS);
    const names = "node -p 'Boolean(process.env.GITHUB_TOKEN)' >> seen; exit 0";
    await writeFile(join(folder, "bin", "driftline"), `#!/bin/sh\n${names}\n`);
    await action(REQUEST, { mode: "plan" });
    await action(MAIN, { mode: "accept" });
    expect(await readFile(join(folder, "seen"), "utf8")).toBe("false\ntrue\n");
  });

  it.each(["plan", "apply", "drift", "accept", "validate"])("%s without a URL sends no key anywhere", async (mode) => {
    const { action, folder, configure, emulator } = await repository();
    await configure({ ...AS_IT_IS, service: { url: emulator.url } });
    await writeFile(join(folder, "bin", "driftline"), noting("echo ran"));
    const { code } = await action(MAIN, { mode }, { DRIFTLINE_URL: "" });
    expect([code, existsSync(join(folder, "seen"))]).toEqual(mode === "validate" ? [0, true] : [10, false]);
  });

  const FORK = { ...REQUEST, isFork: true };
  it.each([
    [REQUEST, { mode: "plan" }, "a-key", "true"],
    [REQUEST, { mode: "plan", "no-programs": "false" }, "a-key", ""],
    [REQUEST, { mode: "plan", "no-programs": "true" }, "a-key", "true"],
    [REQUEST, { mode: "validate" }, "a-key", "true"],
    [REQUEST, { mode: "validate" }, "", ""],
    [FORK, { mode: "validate" }, "", "true"],
    [FORK, { mode: "validate", "no-programs": "false" }, "", "true"],
    [FORK, { mode: "plan", "no-programs": "false" }, "a-key", "true"],
    [MAIN, { mode: "plan" }, "a-key", ""],
    [MAIN, { mode: "drift", "no-programs": "true" }, "a-key", "true"],
  ])(
    "programs are refused where a pull request could bring one: %o %o with the key %j",
    async (event, inputs, key, refused) => {
      const { action, folder } = await repository(AS_IT_IS);
      await writeFile(join(folder, "bin", "driftline"), noting(`echo "$DRIFTLINE_NO_PROGRAMS"`));
      await action(event, inputs, { DRIFTLINE_API_KEY: key });
      expect(await readFile(join(folder, "seen"), "utf8")).toBe(`${refused}\n`);
    },
  );

  it("only a night that accepts can push, with the token of the input and not with one that the checkout has kept", async () => {
    const { action, folder, base } = await repository(AS_IT_IS);
    await commitAll(folder, base);
    const name = "http.https://github.example/.extraheader";
    expect(await bash(`git config "${name}" kept`, folder, base)).toEqual({ code: 0, output: "" });
    await writeFile(
      join(folder, "bin", "driftline"),
      noting(`git config --get-urlmatch http.extraheader https://github.example/acme`),
    );
    await action(REQUEST, { mode: "plan" });
    await action(MAIN, { mode: "accept" });
    const header = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${HOST_TOKEN}`).toString("base64")}`;
    expect(await readFile(join(folder, "seen"), "utf8")).toBe(`kept\n${header}\n`);
  });

  it.each([
    ["refused", "wrong-key-4711", "answered 401"],
    ["missing", "", "no API key is given"],
  ])("a key that is %s: the comment and the summary say so, without the key", async (_name, key, message) => {
    const { action, host, writes } = await repository();
    const run = await action(REQUEST, { mode: "plan" }, { DRIFTLINE_API_KEY: key });
    expect(run).toMatchObject({ code: 11, outputs: { "exit-code": "11" } });
    expect(run.summary).toContain(message);
    if (key !== "") expect(`${run.summary}${run.log}${JSON.stringify(host.comments)}`).not.toContain(key);
    expect(host.comments.map(({ body }) => body)).toEqual([expect.stringContaining(message)]);
    expect(writes()).toEqual([]);
  });

  it.each([
    [
      "a version from the registry",
      { VERSION: "0.1.0" },
      ["npm <install> <--ignore-scripts> <--no-save> <--prefix> <temp/driftline-registry> <driftline@0.1.0>"],
      "temp/driftline-registry/node_modules/.bin",
    ],
    ["the one of the checkout", { OWN: "yes", USE_CHECKOUT: "true" }, [], "node_modules/.bin"],
    ["the one of the action, once in a job", {}, OWN_BUILD, "temp/driftline-action"],
    [
      "the one of the action, if nothing allows that of the checkout",
      { OWN: "yes" },
      OWN_BUILD,
      "temp/driftline-action",
    ],
  ])("installs %s, although the machine has another", async (_name, env, done, path) => {
    const { folder, base, calls } = await repository(AS_IT_IS);
    const setUp = `[ -z "$OWN" ] || { mkdir -p node_modules/.bin; cp bin/driftline node_modules/.bin; }\n`;
    const script = `${setUp}${ACTION.runs.steps[0]?.run ?? ""}`;
    const runner = { GITHUB_ACTION_PATH: ROOT, GITHUB_PATH: `${folder}/path`, RUNNER_TEMP: `${folder}/temp` };
    const world = { ...base, ...runner, VERSION: "", OWN: "", USE_CHECKOUT: "false", ...env };
    expect(await bash(script, folder, world)).toEqual({ code: 0, output: "" });
    const installed = async (): Promise<string> => (await calls()).replaceAll(`${folder}/`, "").trim();
    expect(await installed()).toBe(done.join("\n"));
    if (!("VERSION" in env)) {
      await bash(script, folder, world);
      expect(await installed()).toBe(done.join("\n"));
      const { code } = await bash(`"${path}/driftline" --version`, folder, base);
      expect(code).toBe(0);
    }
    const added = (await readFile(join(folder, "path"), "utf8")).trim().split("\n");
    expect(new Set(added.map((one) => relative(folder, one)))).toEqual(new Set([path]));
  });
});
