/** What an apply leaves for an audit: when, from which commit, by whose key, and what was removed. */
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { outcomesOf } from "../support/cli.ts";
import { workspace } from "../support/workspace.ts";

const ORGANIZATION = {
  name: "Acme Inc",
  enforce_2fa: true,
  memberships: { "bob@acme.com": { lifecycle: { state: "absent" } } },
};
const CONFIG = { driftline: 1, organizations: { acme: ORGANIZATION } };

it("without service.self the key is named by the end of its hash, and is nowhere itself", async () => {
  const { run, configure, env, folder } = await workspace();
  await configure(CONFIG);
  const key = env["DRIFTLINE_API_KEY"] ?? "";
  const hash = createHash("sha256").update(key).digest("hex");
  const result = await run(["apply", "--yes", "--json", "--format", "html=report.html"]);
  const { record, statuses } = outcomesOf(result);
  expect(record).toMatchObject({ key_hash_end: hash.slice(-4) });
  expect(Object.keys(record)).toEqual(["started_at", "ended_at", "key_hash_end"]);
  expect(statuses).toMatchObject({ applied: 2, unchanged: 0 });
  const page = await readFile(join(folder, "report.html"), "utf8");
  expect(page).toContain(`SHA-256 ends in ${hash.slice(-4)}`);
  for (const text of [result.stdout, page]) {
    expect(text).not.toContain(key);
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
  const again = outcomesOf(await run(["apply", "--yes", "--json"]));
  expect(again.changes.map((change) => change.ended_at)).toEqual([undefined, undefined]);
  expect(again.statuses).toMatchObject({ applied: 0, unchanged: 2 });
});

it("service.self names the user, and git the commit", async () => {
  const { run, configure, folder } = await workspace();
  await configure({ ...CONFIG, service: { self: "owner@example.com" } });
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@acme.com", ...args], { cwd: folder }).toString();
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "feat: two factors");
  const { record } = outcomesOf(await run(["apply", "--yes", "--json"]));
  expect(record).toMatchObject({
    user: "owner@example.com",
    commit: expect.stringMatching(/^[0-9a-f]+ feat: two factors$/u),
  });
  expect(Object.keys(record)).not.toContain("key_hash_end");
});

it("service.self names nobody who is not the key's user", async () => {
  const { run, configure } = await workspace();
  await configure({ ...CONFIG, service: { self: "ceo@acme.com" } });
  const { record, diagnostics } = outcomesOf(await run(["apply", "--yes", "--json"]));
  expect(Object.keys(record)).toEqual(["started_at", "ended_at", "key_hash_end"]);
  const said = diagnostics.filter(({ code }) => code === "self_mismatch");
  expect(said.map(({ line }) => typeof line)).toEqual(["number"]);
});
