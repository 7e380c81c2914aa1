/** Suggestions of plan, drift, apply and show. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import type { PlanDocument } from "../../../src/model/plan.ts";
import {
  ACME,
  config,
  domains,
  NOOP,
  numbered,
  one,
  QUERY,
  seedOf,
  stored,
  VERIFIED,
  web,
} from "../../support/acme.ts";
import { LIVE, suggestion, suggestionsIn, world, type World } from "./world.ts";

/** A situation in which a command is suggested. The test runs the command, and proves that it does what it says. */
export interface Row {
  readonly name: string;
  /** The entries of the inventory that it covers. */
  readonly of: readonly string[];
  readonly test: () => Promise<void>;
}

const SUMMARY_APPLY = 'report/next-steps.ts: "apply"';
const PRUNE = 'plan/guard/guard.ts: "apply" { prune: true }';
const APPROVE = [
  'plan/guard/delete-limit.ts: "apply" { approve: PLAN_HASH }',
  'report/next-steps.ts: "apply" { approve: hash }',
  'report/next-steps.ts: "plan"',
];

const saml = { corp: { domain: "corp.acme.com", sso_enforcement: "google-oauth2" } };
export const differing = (hook?: Parameters<typeof world>[2]): Promise<World> =>
  world(config({ domains: saml }), { seed: seedOf({ domains: [{ domain: "corp.acme.com", ...VERIFIED }] }) }, hook);
const isDone = ({ emulator }: World): boolean => one(emulator.find("domain"))["sso_enforcement"] === "google-oauth2";

/** An object to be pruned, and one that stays: a prune that leaves nothing needs an approval. */
const stray = (): Promise<World> =>
  world(config({ exclusive: ["domains"], domains: domains(["kept.acme.com"]) }), {
    seed: seedOf({ domains: [{ domain: "kept.acme.com" }, { domain: "stray.acme.com" }] }),
  });
const many = (more: readonly string[] = []): Promise<World> =>
  world(config({ domains: { ...domains(numbered(21), { state: "absent" }), ...domains(more) } }), {
    seed: seedOf({ domains: numbered(21).map((domain) => ({ domain })) }),
  });

const EXPORT = { name: "Nightly", interval: "day", hogql_query: "SELECT 1", destination: { type: "HTTP", config: {} } };
/** Batch exports whose replacement would lose a query. */
async function losing(count: number): Promise<World> {
  const names = Array.from({ length: count }, (_, index) => `Nightly ${String(index)}`);
  const declared = names.map((name, index) => [`n${String(index)}`, { name, interval: "day", destination: NOOP }]);
  const made = await world(web({ batch_exports: Object.fromEntries(declared) as object }), { dialect: "deployed" });
  for (const name of names) made.emulator.insert("batch_export", { project: 2 }, { ...EXPORT, name });
  return made;
}

/** Insights with an alert each that are declared absent. */
async function alerting(count: number): Promise<World> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const absent = { lifecycle: { state: "absent" } };
  const declared = numbers.map((number) => [`n${String(number)}`, { name: `N ${String(number)}`, ...absent }]);
  const made = await world(web({ insights: Object.fromEntries(declared) as object }), {
    seed: seedOf(),
    dialect: "current",
  });
  for (const number of numbers) {
    const id = 10 + number;
    made.emulator.insert("insight", { project: 2 }, { id, name: `N ${String(number)}`, query: QUERY });
    made.emulator.insert("alert", { project: 2 }, { insight: id, name: "Low" });
  }
  return made;
}

async function planOf({ folder }: World, file = "plan.json"): Promise<PlanDocument> {
  return JSON.parse(await readFile(join(folder, file), "utf8")) as PlanDocument;
}

export const PLAN_ROWS: readonly Row[] = [
  {
    name: "a domain of an organization that is not there, without it: apply the organization as well",
    of: ['plan/guard/parent-rule.ts: "apply" { only: organization }'],
    test: async () => {
      const beta = { name: "Beta", lifecycle: { create: true }, domains: { corp: { domain: "beta.com" } } };
      const made = await world({ driftline: 1, organizations: { beta } }, { seed: seedOf() });
      const planned = await made.run(["plan", ...made.args, "--only", "beta/domains/corp"]);
      expect(await made.follow(suggestion(planned, /^driftline apply.*--only beta$/))).toMatchObject({ code: 0 });
      expect(made.emulator.find("domain")).toHaveLength(1);
    },
  },
  {
    name: "plan: apply it",
    of: [SUMMARY_APPLY],
    test: async () => {
      const made = await differing();
      const line = suggestion(await made.run(["plan", ...made.args]), /^driftline apply/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(isDone(made)).toBe(true);
    },
  },
  {
    name: "plan with limits: apply with the same limits",
    of: [SUMMARY_APPLY],
    test: async () => {
      const made = await world(config({ domains: domains(["a.acme.com", "b.acme.com"]) }), { seed: seedOf() });
      const limits = [
        "--only",
        "acme/domains/a-acme-com",
        "--max-requests-per-minute",
        "100000",
        "--profile",
        "document",
      ];
      const line = suggestion(await made.run(["plan", ...made.args, ...limits]), /^driftline apply/);
      for (const limit of limits) expect(line).toContain(limit);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(stored(made, "domain", "domain")).toEqual(["a.acme.com"]);
    },
  },
  {
    name: "drift: apply",
    of: [SUMMARY_APPLY],
    test: async () => {
      const made = await differing();
      const line = suggestion(await made.run(["drift", ...made.args]), /^driftline apply/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(isDone(made)).toBe(true);
    },
  },
  {
    name: "plan --out: apply exactly this",
    of: [SUMMARY_APPLY],
    test: async () => {
      const made = await differing();
      const line = suggestion(await made.run(["plan", ...made.args, "--out", "a plan.json"]), /^driftline apply/);
      expect(line).toBe("driftline apply --plan 'a plan.json'");
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(isDone(made)).toBe(true);
    },
  },
  {
    name: "show of a plan: apply it; of a drift: apply anew",
    of: [SUMMARY_APPLY],
    test: async () => {
      const made = await differing();
      await made.run(["plan", ...made.args, "--out", "plan.json"]);
      const { stdout } = await made.run(["drift", ...made.args, "--format", "json"]);
      await writeFile(join(made.folder, "drift.json"), stdout);
      const anew = suggestion(await made.run(["show", "drift.json"]), /^driftline apply/);
      expect(anew).not.toContain("--plan");
      expect(suggestion(await made.run(["show", "plan.json"]), /^driftline apply/)).toBe(
        "driftline apply --plan plan.json",
      );
      expect(await made.follow(anew)).toMatchObject({ code: 0 });
      expect(isDone(made)).toBe(true);
    },
  },
  {
    name: "a variable that is a secret: its value has to be put in",
    of: [SUMMARY_APPLY],
    test: async () => {
      const made = await differing();
      const args = [...made.args, "--var", "api_key=bright-morning"];
      const result = await made.run(["plan", ...args]);
      expect(result.stdout).not.toContain("bright-morning");
      const line = suggestion(result, /--var api_key=VALUE/).replace("VALUE", "bright-morning");
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(isDone(made)).toBe(true);
    },
  },
  {
    name: "prune: plan, drift and outcomes lead to apply --prune",
    of: [PRUNE],
    test: async () => {
      for (const command of ["plan", "drift", "apply"]) {
        const made = await stray();
        const line = suggestion(await made.run([command, ...made.args]), /^driftline apply .*--prune/);
        expect(await made.follow(line)).toMatchObject({ code: 0 });
        expect(stored(made, "domain", "domain")).toEqual(["kept.acme.com"]);
      }
    },
  },
  {
    name: "prune of a saved plan: plan again, then apply that",
    of: [PRUNE],
    test: async () => {
      const made = await stray();
      await made.run(["plan", ...made.args, "--out", "plan.json"]);
      const line = suggestion(await made.run(["show", "plan.json"]), /--prune/);
      expect(line).toMatch(/^driftline plan .*--out plan.json$/);
      const again = await made.follow(line);
      expect((await planOf(made)).options.prune).toBe(true);
      expect(await made.follow(suggestion(again, /^driftline apply --plan/))).toMatchObject({ code: 0 });
      expect(stored(made, "domain", "domain")).toEqual(["kept.acme.com"]);
    },
  },
  {
    name: "many removals: each suggestion of a plan approves it",
    of: APPROVE,
    test: async () => {
      const result = await many().then((made) => made.run(["plan", ...made.args]));
      expect(new Set(suggestionsIn(result)).size).toBe(1);
      const made = await many();
      const line = suggestion(await made.run(["plan", ...made.args]), /--approve sha256:/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(made.emulator.find("domain")).toEqual([]);
    },
  },
  {
    name: "many removals in a drift: the plan, which can be approved",
    of: [...APPROVE, 'plan/document.ts: "plan"'],
    test: async () => {
      const made = await many();
      const shown = await made.run(["drift", ...made.args]);
      expect(suggestionsIn(shown).join("\n")).not.toContain("--approve");
      const planned = await made.follow(suggestion(shown, /^driftline plan/));
      expect(await made.follow(suggestion(planned, /--approve sha256:/))).toMatchObject({ code: 0 });
      expect(made.emulator.find("domain")).toEqual([]);
    },
  },
  {
    name: "removals that an apply holds back, with the rest written or alone: approve the plan, or the saved one",
    of: [...APPROVE, 'engine/apply/outcomes-document.ts: "plan"'],
    test: async () => {
      for (const more of [[], ["new.acme.com"]])
        for (const out of [[], ["--out", "plan.json"]]) {
          const made = await many(more);
          if (out.length > 0) await made.run(["plan", ...made.args, ...out]);
          const held = await made.run(["apply", ...(out.length > 0 ? ["--plan", "plan.json"] : made.args)]);
          expect(held.code).toBe(more.length > 0 ? 14 : 13);
          expect(stored(made, "domain", "domain")).toHaveLength(21 + more.length);
          // What was written is not in the plan any more, so the approval is that of a new one.
          const next = more.length > 0 ? await made.follow(suggestion(held, /^driftline plan/)) : held;
          expect(await made.follow(suggestion(next, /--approve sha256:/))).toMatchObject({ code: 0 });
          expect(stored(made, "domain", "domain")).toEqual(more);
        }
    },
  },
  {
    name: "the hash of another plan: approve this one",
    of: ['engine/apply/approval.ts: "apply" { approve: document.hash }'],
    test: async () => {
      const made = await many();
      const refused = await made.run(["apply", ...made.args, "--approve", `sha256:${"0".repeat(64)}`]);
      expect(refused.code).toBe(13);
      expect(await made.follow(suggestion({ ...refused, stdout: "" }, /--approve sha256:/))).toMatchObject({ code: 0 });
      expect(made.emulator.find("domain")).toEqual([]);
    },
  },
  {
    name: "a replace that loses values: allow the loss, and approve it if there are many",
    of: ['plan/guard/replace-rules.ts: "apply" { allowLoss: address }'],
    test: async () => {
      for (const count of [1, 6]) {
        const made = await losing(count);
        const line = suggestion(
          await made.run(["plan", ...made.args]),
          /--allow-loss acme\/projects\/web\/batch_exports\/n0/,
        );
        expect(line.includes("--approve")).toBe(count > 1);
        expect(await made.follow(line)).toMatchObject({ code: count > 1 ? 14 : 0 });
        const [replaced] = made.emulator.find("batch_export", (found) => found["name"] === "Nightly 0");
        expect(replaced).toMatchObject({ destination: NOOP });
      }
    },
  },
  {
    name: "a removal that destroys alerts: allow the loss, and approve it if there are many removals",
    of: ['kinds/insight/destroyed-alerts.ts: "apply" { allowLoss: change.address }'],
    test: async () => {
      for (const count of [1, 21]) {
        const made = await alerting(count);
        const line = suggestion(
          await made.run(["plan", ...made.args]),
          /--allow-loss acme\/projects\/web\/insights\/n0/,
        );
        expect(line.includes("--approve")).toBe(count > 1);
        expect(await made.follow(line)).toMatchObject({ code: count > 1 ? 14 : 0 });
        expect(made.emulator.find("alert")).toHaveLength(count - 1);
      }
    },
  },
  {
    name: "a prune of a part of the files: look at the plan, and approve it",
    of: ['engine/addresses.ts: "plan"', 'engine/addresses.ts: "apply" { approve: hash }'],
    test: async () => {
      const made = await stray();
      const other = { driftline: 1, organizations: { acme: { domains: domains(["stray.acme.com"]) } } };
      await writeFile(join(made.folder, LIVE, "other.yaml"), stringify(other));
      const [, ...rest] = made.args;
      const refused = await made.run(["apply", `./${LIVE}/acme.yaml`, ...rest, "--prune"]);
      expect(refused.code).toBe(13);
      const planned = await made.follow(suggestion(refused, /^driftline plan/));
      expect(await made.follow(suggestion(planned, /--approve sha256:/))).toMatchObject({ code: 0 });
      expect(stored(made, "domain", "domain")).toEqual(["kept.acme.com"]);
    },
  },
  {
    name: "a domain that waits for its verification: verify it",
    of: ['kinds/domain/verification.ts: "call" { yes: true } "domains.verify" ...ids'],
    test: async () => {
      const made = await world(config({ domains: saml }), {
        seed: seedOf({ domains: [{ domain: "corp.acme.com" }] }),
        dialect: "deployed",
        resolves: () => true,
      });
      const line = suggestion(await made.run(["plan", ...made.args]), /^driftline call .*domains\.verify/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(await made.run(["apply", ...made.args])).toMatchObject({ code: 0 });
      expect(isDone(made)).toBe(true);
    },
  },
  {
    name: "a domain that takes the name of one with which people sign in: allow both changes",
    of: ['plan/guard/held-names.ts: "apply" { allowLoss: [change.address, taker.address] }'],
    test: async () => {
      const [first, second] = ["0190aa11-0000-4000-8000-0000000000a1", "0190aa11-0000-4000-8000-0000000000b2"];
      const gone = { id: second, lifecycle: { state: "absent" } };
      const made = await world(config({ domains: { a: { id: first, domain: "b.com" }, b: gone } }), {
        seed: seedOf({
          domains: [
            { id: first, domain: "a.com" },
            { id: second, domain: "b.com", ...VERIFIED, sso_enforcement: "github" },
          ],
        }),
      });
      const line = suggestion(await made.run(["plan", ...made.args]), /--allow-loss acme\/domains\/[ab]/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(made.emulator.find("domain")).toMatchObject([{ id: first, domain: "b.com" }]);
    },
  },
  {
    name: "an invite of today with another level: replace it at once",
    of: ['kinds/people/resend.ts: "apply" { only: [address] }'],
    test: async () => {
      const eve = { target_email: "eve@acme.com", level: "admin" };
      const made = await world(config({ invites: { eve } }), { seed: seedOf(), dialect: "current" });
      const live = { target_email: "eve@acme.com", level: 1, created_at: new Date().toISOString() };
      made.emulator.insert("invite", { organization: ACME }, live);
      const line = suggestion(await made.run(["plan", ...made.args]), /^driftline apply .*--only acme\/invites\/eve/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(made.emulator.find("invite")).toMatchObject([{ level: 8 }]);
    },
  },
  {
    name: "two runs created one object: remove the younger one",
    of: ['apply/creates/look-errors.ts: "call" {} call.operation ...words ...body'],
    test: async () => {
      const nightly = { name: "Nightly", interval: "day", destination: NOOP, paused: true };
      const created_at = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
      let another: (() => unknown) | undefined;
      const made = await world(
        web({ batch_exports: { nightly } }),
        { seed: seedOf(), dialect: "deployed" },
        ({ method }) => {
          if (method === "POST") another?.();
          another = method === "POST" ? undefined : another;
          return undefined;
        },
      );
      another = () => made.emulator.insert("batch_export", { project: 2 }, { ...nightly, created_at });
      const applied = await made.run(["apply", ...made.args]);
      expect(applied.code).toBe(14);
      const line = suggestion(applied, /^driftline call project_batch_exports\.delete/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(one(made.emulator.find("batch_export"))["created_at"]).not.toBe(created_at);
      expect(await made.run(["plan", ...made.args, "--detailed-exitcode"])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "people would be locked out: allow it",
    of: [
      'kinds/organization/lock-out.ts: "apply" { allowLoss: address }',
      'kinds/domain/closed-entrance.ts: "apply" { allowLoss: address }',
    ],
    test: async () => {
      const made = await world(
        { driftline: 1, organizations: { acme: { id: ACME, enforce_verified_domains: true } } },
        {
          seed: seedOf({
            members: [{ email: "ada@elsewhere.com", level: 1 }],
            domains: [{ domain: "example.com", ...VERIFIED }],
          }),
          dialect: "current",
        },
      );
      const line = suggestion(await made.run(["plan", ...made.args]), /--allow-loss acme/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(made.emulator.find("organization")[0]).toMatchObject({ enforce_verified_domains: true });
    },
  },
  {
    name: "filters on a service that takes queries only: write the live query into the file",
    of: [
      'kinds/insight/checks.ts: "drift" { accept: true, only: address }',
      'plan/guard/guard.ts: "drift" { accept: true, only: address }',
    ],
    test: async () => {
      const made = await world(web({ insights: { n: { id: 5, name: "N", filters: { insight: "FUNNELS" } } } }), {
        seed: seedOf(),
        dialect: "current",
      });
      made.emulator.insert("insight", { project: 2 }, { id: 5, name: "N", query: QUERY });
      const line = suggestion(await made.run(["plan", ...made.args]), /^driftline drift .*--accept/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(await made.run(["plan", ...made.args, "--detailed-exitcode"])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "a dashboard that is gone: take over what is live",
    of: ['apply/outcomes.ts: "drift" { accept: true, only: address }'],
    test: async () => {
      const made = await world(web({ insights: { n: { id: 5, name: "N", query: QUERY, dashboards: [4] } } }), {
        seed: seedOf(),
        dialect: "current",
      });
      made.emulator.insert("insight", { project: 2 }, { id: 5, name: "N", query: QUERY });
      const failed = await made.run(["apply", ...made.args, "--yes"]);
      expect(failed.code).toBe(1);
      expect(await made.follow(suggestion(failed, /^driftline drift .*--accept/))).toMatchObject({ code: 0 });
      expect(await made.run(["plan", ...made.args, "--detailed-exitcode"])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "an organization is deleted: confirm its name",
    of: ['kinds/organization/checks.ts: "apply" { confirmOrganization: nameToConfirm(change) ?? "" }'],
    test: async () => {
      const name = "Ada's `Beta` $HOME";
      const beta = { beta: { name, lifecycle: { state: "absent" } } };
      const made = await world(
        { driftline: 1, organizations: beta },
        { seed: { organizations: [{ name: "Acme Inc" }, { name }] } },
      );
      const line = suggestion(await made.run(["plan", ...made.args]), /--confirm-organization/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(stored(made, "organization")).toEqual(["Acme Inc"]);
    },
  },
  {
    name: "apply without a terminal: --yes",
    of: ['cli/commands/apply.ts: "apply" { yes: true, approve }'],
    test: async () => {
      const limited = await many();
      const approval = suggestion(await limited.run(["plan", ...limited.args]), /--approve sha256:/);
      const hash = /sha256:\S+/.exec(approval)?.[0] ?? "";
      const unasked = await limited.run(["apply", "--approve", hash, "--pin", ...limited.args], { interactive: false });
      const approved = suggestion(unasked, /--yes/);
      expect(approved).toMatch(/ --pin /);
      expect(await limited.follow(approved)).toMatchObject({ code: 0 });
      const made = await differing();
      await made.run(["plan", ...made.args, "--out", "plan.json"]);
      for (const given of [["--plan", "plan.json"], made.args]) {
        const refused = await made.run(["apply", ...given], { interactive: false });
        expect(refused.code).toBe(10);
        expect(await made.follow(suggestion(refused, /--yes$/))).toMatchObject({ code: 0 });
        expect(isDone(made)).toBe(true);
      }
    },
  },
  {
    name: "a failed change: apply again, even if the plan was saved",
    of: ['report/outcome-view.ts: "apply"'],
    test: async () => {
      for (const isSaved of [false, true]) {
        const made = await differing();
        if (isSaved) await made.run(["plan", ...made.args, "--out", "plan.json"]);
        made.emulator.faults.add({ method: "PATCH", path: /domains/, fault: { type: "status", status: 400 } });
        const failed = await made.run(["apply", ...(isSaved ? ["--plan", "plan.json"] : made.args)]);
        made.emulator.faults.clear();
        const line = suggestion(failed, /^driftline apply/);
        expect(line).not.toContain("--plan");
        expect(await made.follow(line)).toMatchObject({ code: 0 });
        expect(isDone(made)).toBe(true);
      }
    },
  },
  {
    name: "a skipped change: plan again",
    of: ['report/outcome-view.ts: "plan"'],
    test: async () => {
      const made = await stray();
      const planned = await made.follow(suggestion(await made.run(["apply", ...made.args]), /^driftline plan/));
      expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining("1 to delete (blocked)") as string });
    },
  },
  {
    name: "more skipped changes than are listed: plan",
    of: ['report/text/outcomes.ts: "plan"'],
    test: async () => {
      const made = await many();
      const { stdout } = await made.run(["apply", ...made.args]);
      const list = stdout.slice(stdout.indexOf(" more\n"));
      expect(await made.follow(suggestion({ stdout: list, stderr: "" }, /^driftline plan/))).toMatchObject({ code: 0 });
    },
  },
  {
    name: "stopped at once with a request in flight: plan, and between two: apply",
    of: ['report/outcome-view.ts: "plan"', 'report/outcome-view.ts: "apply"'],
    test: async () => {
      // The answer shows the old value, so the object is read again: that is the moment between two requests.
      const ignored = { id: "d1", domain: "corp.acme.com", sso_enforcement: "" };
      for (const isInFlight of [true, false]) {
        let report: (() => void) | undefined;
        let isWritten = false;
        const made = await differing(({ method }) => {
          if (method === "PATCH" ? isInFlight : isWritten) report?.();
          const isIgnored = method === "PATCH" && !isInFlight && !isWritten;
          isWritten ||= method === "PATCH";
          return isIgnored ? { status: 200, body: ignored } : undefined;
        });
        const stopped = await made.run(["apply", ...made.args], { onStop: (next) => (report = next ?? report) });
        const line = suggestion(stopped, isInFlight ? /^driftline plan/ : /^driftline apply/);
        expect(await made.follow(line)).toMatchObject({ code: 0 });
      }
    },
  },
  {
    name: "interrupted: apply what is left",
    of: ['report/outcome-view.ts: "apply"'],
    test: async () => {
      const names = numbered(30);
      const interruption = new AbortController();
      const made = await world(config({ domains: domains(names) }), { seed: seedOf() }, ({ method }) => {
        if (method === "POST") interruption.abort();
        return undefined;
      });
      const early = await made.run(["apply", ...made.args], { signal: AbortSignal.abort() });
      expect(early.code).toBe(130);
      expect(suggestion(early, /^driftline apply/)).toBe(suggestion(early, /./));
      const stopped = await made.run(["apply", ...made.args], { signal: interruption.signal });
      expect(stopped.code).toBe(130);
      expect(stored(made, "domain", "domain").length).toBeLessThan(names.length);
      expect(await made.follow(suggestion(stopped, /^driftline apply/))).toMatchObject({ code: 0 });
      expect(new Set(stored(made, "domain", "domain"))).toEqual(new Set(names));
    },
  },
  {
    name: "something changed during the question: the new plan",
    of: ['engine/apply/stale-plan.ts: "apply"'],
    test: async () => {
      const made = await differing();
      const id = String(one(made.emulator.find("domain")).id);
      const ask = (): Promise<string> => {
        made.emulator.edit("domain", id, { sso_enforcement: "github" });
        return Promise.resolve("yes");
      };
      const stale = await made.run(["apply", ...made.args], { ask });
      expect(stale.code).toBe(12);
      expect(isDone(made)).toBe(false);
      expect(await made.follow(suggestion(stale, /^driftline apply/))).toMatchObject({ code: 0 });
      expect(isDone(made)).toBe(true);
    },
  },
  {
    name: "a saved plan that is stale, edited or of another version: plan again into the same file",
    of: ['engine/apply/saved-plan.ts: "plan" { out: file }'],
    test: async () => {
      const edits: readonly ((made: World) => Promise<void> | void)[] = [
        (made) =>
          void made.emulator.edit("domain", String(one(made.emulator.find("domain")).id), {
            sso_enforcement: "github",
          }),
        (made) => made.configure(config({ domains: saml, enforce_2fa: true })),
        async (made) =>
          writeFile(join(made.folder, "plan.json"), JSON.stringify({ ...(await planOf(made)), schema_version: 9 })),
        async (made) => writeFile(join(made.folder, "plan.json"), JSON.stringify({ ...(await planOf(made)), url: "" })),
      ];
      for (const [index, edit] of edits.entries()) {
        const made = await differing();
        await made.run(["plan", ...made.args, "--out", "plan.json"]);
        await edit(made);
        const refused = await made.run(["apply", "--plan", "plan.json"]);
        expect(refused.code).toBe(index < 2 ? 12 : 10);
        const line = suggestion(refused, /^driftline plan .*--out plan.json/);
        // A plan that cannot be read does not say how it was made.
        const args =
          index < 2
            ? line
            : `${line} ${made.args.map((arg) => `'${arg.replaceAll("'", String.raw`'\''`)}'`).join(" ")}`;
        expect(await made.follow(args)).toMatchObject({ code: 0 });
        expect(await made.run(["apply", "--plan", "plan.json"])).toMatchObject({ code: 0 });
        expect(isDone(made)).toBe(true);
      }
    },
  },
  {
    name: "a saved plan without the numbers that show was asked for: plan again, with them",
    of: ['cli/commands/show.ts: "plan" { effect: true, out: file }'],
    test: async () => {
      const made = await differing();
      await made.run(["plan", ...made.args, "--out", "plan.json"]);
      const shown = await made.run(["show", "plan.json", "--effect"]);
      expect(shown.code).toBe(10);
      const line = suggestion(
        shown,
        /^driftline plan .*--effect --out plan.json|^driftline plan .*--out plan.json --effect/,
      );
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(await made.run(["show", "plan.json", "--effect"])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "no saved plan: how to save one",
    of: ['engine/apply/saved-plan.ts: "plan" { out: "plan.json" }'],
    test: async () => {
      const made = await differing();
      const missing = await made.run(["apply", "--plan", "plan.json", ...made.args]);
      expect(missing.code).toBe(10);
      // The configuration was not read, so the variable may be a secret.
      const line = suggestion(missing, /--var the_id=VALUE/).replace("VALUE", ACME);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect((await planOf(made)).type).toBe("driftline.plan");
    },
  },
  {
    name: "options that contradict a saved plan, or a secret that it lacks: apply it as it is",
    of: ['cli/steps/saved-plan.ts: "apply"'],
    test: async () => {
      const made = await differing();
      await made.run(["plan", ...made.args, "--var", "api_key=bright-morning", "--out", "plan.json"]);
      const refused = await made.run(["apply", "--plan", "plan.json", "--prune"]);
      expect(refused.code).toBe(10);
      const asIs = suggestion(refused, /^driftline apply/);
      expect(asIs).toBe("driftline apply --plan plan.json --var api_key=VALUE");
      const demanded = await made.run(["apply", "--plan", "plan.json"]);
      expect(suggestion(demanded, /^driftline apply/)).toBe(asIs);
      expect(await made.follow(asIs.replace("VALUE", "bright-morning"))).toMatchObject({ code: 0 });
      expect(isDone(made)).toBe(true);
    },
  },
];
