/** What an apply leaves for an audit: when, from which commit, by which key, and what was removed. */
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { outcomesOf } from "../support/cli.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ORGANIZATION = {
  name: "Acme Inc",
  enforce_2fa: true,
  memberships: { "bob@acme.com": { lifecycle: { state: "absent" } } },
};
const CONFIG = { driftline: 1, organizations: { acme: ORGANIZATION } };

function hashOf({ DRIFTLINE_API_KEY: key = "" }: Workspace["env"]): string {
  return createHash("sha256").update(key).digest("hex");
}

it("without service.self the key is named by the end of its hash, and is nowhere itself", async () => {
  const { run, configure, env, folder } = await workspace();
  await configure(CONFIG);
  const hash = hashOf(env);
  const result = await run(["apply", "--yes", "--json", "--format", "html=report.html"]);
  const { record, statuses } = outcomesOf(result);
  expect(record).toMatchObject({ key_hash_end: hash.slice(-4) });
  expect(Object.keys(record)).toEqual(["started_at", "ended_at", "key_hash_end"]);
  expect(statuses).toMatchObject({ applied: 2, unchanged: 0 });
  const page = await readFile(join(folder, "report.html"), "utf8");
  expect(page).toContain(`SHA-256 ends in ${hash.slice(-4)}`);
  for (const text of [result.stdout, page]) {
    expect(text).not.toContain(env["DRIFTLINE_API_KEY"]);
    expect(text).not.toContain(hash.slice(-8));
  }
});

it("each change that was sent has its time and what it removed", async () => {
  const { run, configure } = await workspace();
  await configure(CONFIG);
  const { record, changes } = outcomesOf(await run(["apply", "--yes", "--json"]));
  const [update, removal] = changes;
  expect([update?.fields[0]?.prior, removal?.removes?.length]).toEqual([null, 3]);
  for (const { ended_at: at = "" } of changes) {
    expect(at >= record.started_at).toBe(true);
    expect(at <= record.ended_at).toBe(true);
  }
  expect(record.interrupted).toBeUndefined();
  const again = outcomesOf(await run(["apply", "--yes", "--json"]));
  expect(again.changes.map((change) => change.ended_at)).toEqual([undefined, undefined]);
  expect(again.statuses).toMatchObject({ applied: 0, unchanged: 2 });
});

it("as text and as Markdown it says by whom, with the fields and what was removed", async () => {
  const { run, configure, folder, env } = await workspace();
  await configure(CONFIG);
  await run(["apply", "--yes", "--format", "text=record.txt", "--format", "markdown=record.md"]);
  for (const file of ["record.txt", "record.md"]) {
    const text = await readFile(join(folder, file), "utf8");
    for (const part of ["Began", "Ended", hashOf(env).slice(-4), "enforce_2fa", "bob@acme.com", "joined"])
      expect(text.replaceAll("&#64;", "@"), file).toContain(part);
  }
});

it("service.self names another owner only as a claim, beside the key, and git names the commit", async () => {
  const { run, configure, folder, env } = await workspace();
  // The key is that of owner@example.com. Nothing shows that, because both are owners.
  const owners = { "ada@acme.com": { level: "owner" } };
  await configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", memberships: owners } } });
  await run(["apply", "--yes"]);
  await configure({ ...CONFIG, service: { self: "Ada@acme.com" } });
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@acme.com", ...args], { cwd: folder }).toString();
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "feat: two factors");
  const formats = ["text", "markdown", "html"];
  const end = hashOf(env).slice(-4);
  const { record } = outcomesOf(
    await run(["apply", "--yes", "--json", ...formats.flatMap((one) => ["--format", `${one}=${one}`])]),
  );
  expect(record).toMatchObject({
    key_hash_end: end,
    declared_user: "ada@acme.com",
    commit: expect.stringMatching(/^[0-9a-f]+ feat: two factors \(by .+\)$/u),
  });
  expect(Object.keys(record)).not.toContain("user");
  for (const file of formats) {
    const text = (await readFile(join(folder, file), "utf8")).replaceAll("&#64;", "@");
    expect(text, file).toContain(`SHA-256 ends in ${end} (declared as ada@acme.com)`);
  }
});

it("service.self names nobody who is not the key's user", async () => {
  const { run, configure } = await workspace();
  await configure({ ...CONFIG, service: { self: "ceo@acme.com" } });
  const { record, diagnostics } = outcomesOf(await run(["apply", "--yes", "--json"]));
  expect(Object.keys(record)).toEqual(["started_at", "ended_at", "key_hash_end"]);
  const said = diagnostics.filter(({ code }) => code === "self_mismatch");
  expect(said.map(({ line }) => typeof line)).toEqual(["number"]);
});

it.each([
  [
    {
      GITHUB_ACTIONS: "true",
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_REPOSITORY: "acme/analytics",
      GITHUB_RUN_ID: "7",
      GITHUB_ACTOR: "eve",
      GITHUB_TRIGGERING_ACTOR: "bob",
    },
    { url: "https://github.example/acme/analytics/actions/runs/7", started_by: "bob" },
  ],
  [
    { GITLAB_CI: "true", CI_JOB_URL: "https://gitlab.example/a/-/jobs/7" },
    { url: "https://gitlab.example/a/-/jobs/7" },
  ],
])("the run of a pipeline is named (%#)", async (env, pipeline) => {
  const { run, configure, folder } = await workspace();
  await configure(CONFIG);
  const result = await run(["apply", "--yes", "--json", "--format", "text=record.txt"], { env });
  expect(outcomesOf(result).record.pipeline).toEqual(pipeline);
  expect(await readFile(join(folder, "record.txt"), "utf8")).toContain(pipeline.url);
});
