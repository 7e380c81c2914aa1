/** Anybody can write a saved plan with a correct hash: these are the results of `show` and `apply --plan`. */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../src/plan/document.ts";
import { against, expectSober, RAW } from "./hostile.ts";
import { ACME } from "./support.ts";

const CONFIG = {
  driftline: 1,
  organizations: { acme: { id: ACME, domains: { a: { domain: "a.acme.com" }, b: { domain: "b.acme.com" } } } },
};
const BAD =
  "\u001b[2J\u001b]0;owned\u0007\u202e\u0000\u009b31m\ud800</details>\n```\n# @team [x](http://evil) <img src=x> |";
const FORMATS = ["text", "json", "markdown", "html"];

type Plan = Record<string, unknown> & { readonly changes: Record<string, unknown>[] };

async function saved() {
  const space = await against(() => undefined, CONFIG);
  await space.run(["plan", "--out", "good.json"]);
  const good = JSON.parse((await space.run(["show", "good.json", "--format", "json"])).stdout) as Plan;
  const file = join(space.folder, "plan.json");
  return {
    ...space,
    good,
    write: (text: string) => writeFile(file, text),
    /** With a correct hash. */
    forge: (plan: Plan) => writeFile(file, JSON.stringify({ ...plan, hash: hashOf(plan) })),
  };
}

const first = (plan: Plan, change: object): Plan => ({
  ...plan,
  changes: plan.changes.map((one, index) => (index === 0 ? { ...one, ...change } : one)),
});

describe("an invalid saved plan", () => {
  it.each<[string, (plan: Plan) => Plan]>([
    ["a change that is null", (plan) => ({ ...plan, changes: [null as never] })],
    ["a change that is a text", (plan) => ({ ...plan, changes: ["x" as never] })],
    ["no fields", (plan) => first(plan, { fields: undefined })],
    ["a field without a path", (plan) => first(plan, { fields: [{ prior: 1, planned: 2 }] })],
    ["a path that is a number", (plan) => first(plan, { fields: [{ path: 1, prior: 1, planned: 2 }] })],
    ["an unknown action", (plan) => first(plan, { action: "destroy" })],
    ["an action named like a member of every object", (plan) => first(plan, { action: "constructor" })],
    ["a kind that does not exist", (plan) => first(plan, { kind: "__proto__" })],
    ["a reason that is an object", (plan) => first(plan, { reason: {} })],
    ["a block without a rule", (plan) => first(plan, { blocked: {} })],
    [
      "a rule named like a member of every object",
      (plan) => first(plan, { blocked: { rule: "constructor", lift: "" } }),
    ],
    ["an invalid code", (plan) => ({ ...plan, diagnostics: [{ severity: "error", code: BAD, message: "" }] })],
    ["no options", (plan) => ({ ...plan, options: null })],
    ["invalid addresses", (plan) => ({ ...plan, options: { prune: false, only: [1], rotate: [] } })],
    ["no summary", (plan) => ({ ...plan, summary: undefined })],
    ["a summary of other changes", (plan) => ({ ...plan, summary: { ...(plan["summary"] as object), create: 0 } })],
    ["invalid unmanaged objects", (plan) => ({ ...plan, unmanaged: [{}] })],
    ["invalid diagnostics", (plan) => ({ ...plan, diagnostics: [7] })],
    ["a URL that is a list", (plan) => ({ ...plan, url: [] })],
    ["one change twice", (plan) => ({ ...plan, changes: [...plan.changes, ...plan.changes] })],
    ["another version", (plan) => ({ ...plan, schema_version: 2 })],
    ["another type", (plan) => ({ ...plan, type: "driftline.outcomes" })],
    ["another hash", (plan) => ({ ...plan, hash: "sha256:0", url: "http://evil" })],
  ])("with %s is refused before anything is sent", async (name, change) => {
    const { good, forge, write, run, service } = await saved();
    const plan = change(good);
    await (name === "another hash" ? write(JSON.stringify(plan)) : forge(plan));
    service.trick = () => ({ status: 500 });
    const sent = service.heard.length;
    for (const format of FORMATS) expectSober(await run(["show", "plan.json", "--format", format]), 10);
    expectSober(await run(["apply", "--yes", "--plan", "plan.json"]), 10);
    expect(service.heard).toHaveLength(sent);
  });

  it.each<[string, string]>([
    ["nothing", ""],
    ["no JSON", "\u001b[2J{"],
    ["a number", "1e400"],
    ["JSON deeper than any plan", `{"type":"driftline.plan","changes":${"[".repeat(1_000_000)}`],
    ["deep and complete JSON", `{"type":"driftline.plan","changes":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["prototype keys", '{"__proto__":{"type":"driftline.plan","schema_version":1,"changes":[]}}'],
  ])("a file with %s is refused", async (_name, text) => {
    const { write, run } = await saved();
    await write(text);
    for (const format of FORMATS) expectSober(await run(["show", "plan.json", "--format", format]), 10);
    expectSober(await run(["apply", "--yes", "--plan", "plan.json"]), 10);
  });

  it("an endless file, a folder and a missing file are refused", async () => {
    const { run, folder } = await saved();
    await symlink("/dev/zero", join(folder, "endless.json"));
    for (const file of ["endless.json", ".", "missing\u001b[2J.json"]) expectSober(await run(["show", file]), 10);
  });
});

describe("a saved plan with a correct hash", () => {
  it("is shown with its content escaped", async () => {
    const { good, forge, run } = await saved();
    const change = {
      address: `acme/domains/${BAD}`,
      reason: BAD,
      id: BAD,
      fields: [
        { path: `/${BAD}`, prior: BAD, planned: { [BAD]: [BAD], __proto__: 1, constructor: null } },
        { path: "/long", prior: `${BAD}\n`.repeat(30), planned: BAD },
      ],
      blocked: { rule: "prune", lift: BAD },
    };
    const diagnostics = [{ severity: "error", code: "bad", message: BAD, hint: BAD, file: BAD, line: 1, address: BAD }];
    const unmanaged = [{ kind: "domain", scope: BAD, id: BAD, key: BAD }];
    const summary = { ...(good["summary"] as object), blocked: 1, unmanaged: 1 };
    const options = { prune: false, only: [BAD], rotate: [BAD] };
    const forged = { ...first(good, change), diagnostics, unmanaged, summary, options, url: BAD, tool_version: BAD };
    await forge(forged);
    for (const format of FORMATS) {
      const result = await run(["show", "plan.json", "--unmanaged", "--format", format]);
      expectSober(result, 0);
      expect(result.stdout).toContain("owned");
      const unfenced = result.stdout.replaceAll(/^(`{3,})diff\n[^]*?\n\1$/gm, "");
      if (format === "html") expect(result.stdout).not.toMatch(/<(?:img|script>(?!\n))/);
      if (format === "markdown") expect(unfenced).not.toMatch(/<img|@team|\[x\]\(|http:\/\/evil|`{3}/);
    }
    const json = JSON.parse((await run(["show", "plan.json", "--format", "json"])).stdout) as Plan;
    expect(json.changes[0]?.["reason"]).toBe(BAD);
  });

  it("applies only the changes that are planned now", async () => {
    const { good, forge, run, service } = await saved();
    const changed: readonly Plan[] = [
      { ...good, changes: good.changes.map((one) => ({ ...one, address: `${String(one["address"])}x` })) },
      { ...good, changes: good.changes.map((one) => ({ ...one, id: ACME, fields: [] })) },
      { ...good, changes: good.changes.map((one) => ({ ...one, kind: "organization" })) },
      { ...good, config_hash: "sha256:0" },
      { ...good, url: "http://evil.example" },
    ];
    for (const plan of changed) {
      await forge(plan);
      const result = await run(["apply", "--yes", "--plan", "plan.json"]);
      expectSober(result, 12);
    }
    expect(service.writes()).toEqual([]);
  });

  it("is saved without invisible characters", async () => {
    const { configure, run, folder } = await saved();
    await configure({
      ...CONFIG,
      organizations: {
        acme: {
          id: ACME,
          batch_exports: { e: { name: BAD, interval: "hour", destination: { type: "NoOp", config: {} } } },
        },
      },
    });
    await run(["plan", "--out", "odd.json"]);
    expect(await readFile(join(folder, "odd.json"), "utf8")).not.toMatch(RAW);
    expectSober(await run(["show", "odd.json"]), 0);
    expectSober(await run(["apply", "--yes", "--plan", "odd.json"]), 0);
  });
});
