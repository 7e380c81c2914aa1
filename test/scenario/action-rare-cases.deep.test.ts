/** What action.yml does in rarer cases than those of action.deep.test.ts. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AS_IT_IS, MAIN, repository, REQUEST } from "../support/action.ts";
import { missingPrograms } from "../support/ci.ts";

const missing = missingPrograms("curl", "jq");

describe.skipIf(missing !== undefined)(`the action (${missing ?? "with curl and jq"})`, () => {
  it("a comment is found behind many others, and that of a person is not ours", async () => {
    const { action, host } = await repository();
    const marker = "<!-- driftline: driftline -->\n";
    for (let id = 1; id <= 250; id += 1)
      host.comments.push({ id, body: id === 120 ? marker : "Looks good.", user: { type: "User" } });
    await action(REQUEST, { mode: "plan" });
    await action(REQUEST, { mode: "plan" });
    expect(host.comments).toHaveLength(251);
    expect(host.comments[119]?.body).toBe(marker);
    await action(REQUEST, { mode: "plan", name: "europe" });
    expect(host.comments.map(({ body }) => body).slice(250)).toEqual([
      expect.stringContaining("driftline: driftline -->"),
      expect.stringContaining("driftline: europe -->"),
    ]);
  });

  it("a comment that was made although the request failed is updated by the next push, and is the only one", async () => {
    const { action, host } = await repository();
    host.failure = 502;
    expect((await action(REQUEST, { mode: "plan" })).code).not.toBe(0);
    expect(await action({ ...REQUEST, head: "head2", run: 2 }, { mode: "plan" })).toMatchObject({ code: 0 });
    expect(host.comments.map(({ body }) => body)).toEqual([expect.stringContaining("plan of head2.")]);
  });

  it("an invalid configuration: the comment has the messages as code", async () => {
    const { action, host } = await repository({ driftline: 1, organizations: { acme: { nam: "<b>`x`</b>" } } });
    expect(await action(REQUEST, { mode: "plan" })).toMatchObject({ code: 10, outputs: { changes: "" } });
    expect(host.comments[0]?.body).toMatch(/### driftline plan: exit code 10\n\n {4}driftline\.yaml:\d+:\d+: error/);
    expect(await action(REQUEST, { mode: "validate" }, { DRIFTLINE_API_KEY: "" })).toMatchObject({ code: 10 });
  });

  it("more messages than fit into a comment: the first ones, and how many are left out", async () => {
    const wrong = Array.from({ length: 900 }, (_, index) => [`wrong-key-${String(index)}-${"x".repeat(60)}`, "ä"]);
    const { action, host } = await repository({ driftline: 1, organizations: { acme: Object.fromEntries(wrong) } });
    const { code, outputs } = await action(REQUEST, { mode: "plan" });
    expect(code).toBe(10);
    const log = await readFile(join(outputs["plan"] ?? "", "../log.txt"), "utf8");
    const body = host.comments[0]?.body ?? "";
    expect(log.length).toBeGreaterThan(70_000);
    expect(body.length).toBeLessThan(61_000);
    const shown = body.split("\n").filter((line) => line.startsWith("    "));
    const left = log.trimEnd().split("\n").length - shown.length;
    expect(log.startsWith(`${shown.map((line) => line.slice(4)).join("\n")}\n`)).toBe(true);
    expect(body).toContain(`\n\n${String(left)} more lines are left out: see log.txt in the artifact of this run.\n`);
  });

  it("more than a few removals are applied with the hash that was approved", async () => {
    const { action, emulator, configure } = await repository();
    const names = Array.from({ length: 21 }, (_, index) => `d${String(index)}`);
    const domains = (lifecycle: object): object =>
      Object.fromEntries(names.map((name) => [name, { domain: `${name}.acme.com`, ...lifecycle }]));
    const organization = (own: object): object => ({
      driftline: 1,
      organizations: { acme: { name: "Acme Inc", domains: own } },
    });
    await configure(organization(domains({})));
    await action(REQUEST, { mode: "plan" });
    expect(await action(MAIN, { mode: "apply" })).toMatchObject({ code: 0 });
    await configure(organization(domains({ lifecycle: { state: "absent" } })));
    const { outputs } = await action({ sha: "main5", run: 5 }, { mode: "plan" });
    expect(await action({ sha: "main5", run: 5 }, { mode: "apply" })).toMatchObject({ code: 13 });
    const { hash } = JSON.parse(await readFile(outputs["plan"] ?? "", "utf8")) as { readonly hash: string };
    expect(await action({ sha: "main5", run: 5 }, { mode: "apply", approve: hash })).toMatchObject({ code: 0 });
    expect(emulator.find("domain", () => true)).toHaveLength(0);
  });

  it("inputs are words, never commands, and the job names the service", async () => {
    const { action, folder, emulator, env } = await repository();
    await writeFile(join(folder, "a b.yaml"), JSON.stringify(AS_IT_IS));
    const odd = "$(touch hacked)\n`touch hacked`; touch hacked";
    expect(await action(REQUEST, { path: odd, options: odd, name: "$(touch hacked)" })).toMatchObject({ code: 10 });
    expect(existsSync(join(folder, "hacked"))).toBe(false);
    expect(await action(REQUEST, { path: "a b.yaml", options: "--only\nacme\n" })).toMatchObject({ code: 0 });
    // The plan names its service, and the job that applies it another one.
    const here = await action(REQUEST, { mode: "plan", url: emulator.url }, { DRIFTLINE_URL: "" });
    const elsewhere = { ...env, DRIFTLINE_URL: "http://127.0.0.1:9" };
    const plan = here.outputs["plan"] ?? "";
    expect(await action(MAIN, { mode: "apply", plan }, elsewhere)).toMatchObject({ code: 10 });
    expect(await action(REQUEST, { mode: "destroy" })).toMatchObject({ code: 10 });
  });

  it("a refused key stops a night and a merge, and nothing is written", async () => {
    const { action, writes } = await repository();
    for (const mode of ["drift", "apply"]) {
      const run = await action(MAIN, { mode }, { DRIFTLINE_API_KEY: "wrong-key-4711" });
      expect(run, mode).toMatchObject({ code: 11, outputs: { "exit-code": "11" } });
      expect(run.summary, mode).toContain("answered 401");
    }
    expect(writes()).toEqual([]);
  });
});
