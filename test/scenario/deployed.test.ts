import { expect, it } from "vitest";
import type { EmulatorOptions, FaultRule } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { instantClock } from "../fault/support.ts";
import { ACME, applyJson, config, NOOP, outcomeOf, VERIFIED, web, writes } from "../support/acme.ts";
import { outcomesOf, planOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { linesWith } from "../support/normalized.ts";
import { hostileService, type Heard } from "../support/hostile-service.ts";
import { SEED, workspace } from "../support/workspace.ts";

const EXPORT = "{ name: Events, interval: hour, destination: { type: NoOp, config: {} } }";

describeDialects(
  "where servers differ from the document",
  () => {
    it("a batch export on the organization's route fails at once, and the hint says where to declare it", async () => {
      const space = await workspace();
      await space.configure(
        `driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    batch_exports:\n      events: ${EXPORT}\n`,
      );
      const document = await space.apply([], 1);
      const failed = document.changes.find(({ kind }) => kind === "batch_export");
      expect(failed).toMatchObject({
        status: "failed",
        error: { hint: expect.any(String) as string },
      });
      expect(failed?.error?.hint).toMatchSnapshot();
      expect(space.emulator.find("batch_export")).toEqual([]);
      expect(space.emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
    });

    it("a batch export on the organization's route causes a warning that names the project's, unless the profile includes it", async () => {
      const space = await workspace();
      await space.configure(
        `driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    batch_exports:\n      events: ${EXPORT}\n      old: { name: Old, lifecycle: { state: absent } }\n    projects:\n      web:\n        id: "2"\n        batch_exports:\n          events: ${EXPORT}\n`,
      );
      for (const command of ["validate", "plan"]) {
        const { stdout, stderr } = await space.run([command, "--format", "json"]);
        const { diagnostics } = JSON.parse(stdout) as Pick<PlanDocument, "diagnostics">;
        expect(diagnostics).toMatchObject([
          { severity: "warning", code: "route_fails", address: "acme/batch_exports/events", line: 6 },
        ]);
        expect(stderr.match(/warning route_fails/gu)).toHaveLength(1);
        expect(linesWith(stderr, "warning route_fails")).toMatchSnapshot(command);
        const other = await space.run([command, "--profile", "document"]);
        expect(other.stderr).not.toContain("route_fails");
      }
    });

    it("a setting of an unverified domain is blocked until its DNS record exists, and the outcome shows the record", async () => {
      const space = await workspace();
      await space.configure(
        "driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    domains:\n      corp: { domain: acme.com, sso_enforcement: google-oauth2 }\n",
      );
      const created = (await space.apply([], 14)).changes.find(({ kind }) => kind === "domain");
      const [domain] = space.emulator.find("domain");
      const hint = expect.stringContaining(
        `_posthog-challenge.acme.com "${String(domain?.["verification_challenge"])}"`,
      ) as string;
      expect(created).toMatchObject({ action: "create", status: "unverified", id: domain?.["id"], error: { hint } });
      const again = (await space.apply([], 14)).changes.find(({ kind }) => kind === "domain");
      expect(again).toMatchObject({
        action: "update",
        status: "skipped",
        blocked: { rule: "verification_required", lift: hint },
      });
      expect(space.emulator.requests.filter(({ method }) => method === "PATCH")).toHaveLength(0);
      space.emulator.edit("domain", String(domain?.["id"]), { is_verified: true, verified_at: "2026-01-01T00:00:00Z" });
      await space.apply();
      expect(space.emulator.find("domain")).toMatchObject([{ sso_enforcement: "google-oauth2" }]);
    });

    it("pausing by PATCH takes the place of an operation that is closed to scoped keys", async () => {
      const keys = [{ key: "scoped", scopes: ["*"] }];
      const space = await workspace({ keys });
      for (const paused of [false, true, false]) {
        await space.configure(
          web({ batch_exports: { events: { name: "Events", interval: "hour", paused, destination: NOOP } } }),
        );
        await space.apply();
        expect(space.emulator.find("batch_export")).toMatchObject([{ paused }]);
        expect((await space.plan()).changes.every(({ action }) => action === "no_op")).toBe(true);
      }
    });

    it("a page of insights that answers 500 is reported as the reason, not the unstable order after its retries", async () => {
      const insights = Array.from({ length: 250 }, (_, index) => ({ name: `Insight ${String(index)}` }));
      const seed = { organizations: [{ name: "Acme Inc", projects: [{ id: 2, name: "Web", insights }] }] };
      const space = await workspace({ seed, maxPageSize: 100 });
      const body = JSON.stringify({ type: "server_error", code: "error", detail: "A server error occurred." });
      const isInsights = ({ path }: Heard): boolean => path.endsWith("/insights");
      const service = await hostileService(space.emulator.url, (heard) =>
        isInsights(heard) && heard.query.get("offset") === "100" ? { status: 500, body } : undefined,
      );
      await space.configure(
        'driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    projects:\n      web:\n        id: "2"\n        insights:\n          s: { name: S }\n',
      );
      const result = await space.run(["plan", "--format", "json"], { env: { DRIFTLINE_URL: service.url } });
      const reason = planOf(result).changes.find(({ kind }) => kind === "insight")?.reason;
      expect(reason).toContain("answered 500");
      expect(service.heard.filter((heard) => isInsights(heard) && !heard.query.has("order"))).toEqual([]);
    });

    it("tags without the feature are ignored: unverified, never an endless quiet difference", async () => {
      const space = await workspace();
      space.emulator.faults.add({
        method: "PATCH",
        path: "/insights/",
        fault: { type: "ignore-field", field: "tags" },
      });
      space.emulator.faults.add({ method: "POST", path: "/insights/", fault: { type: "ignore-field", field: "tags" } });
      await space.configure(
        'driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    projects:\n      web:\n        id: "2"\n        insights:\n          s: { name: S, tags: [a] }\n',
      );
      for (const action of ["create", "update"]) {
        const result = await space.run(["apply", "--yes", "--format", "json"]);
        expect(result.code).toBe(14);
        const change = outcomesOf(result).changes.find(({ kind }) => kind === "insight");
        expect(change).toMatchObject({
          action,
          status: "unverified",
          error: { message: expect.stringContaining("/tags") as string },
        });
      }
    });

    it("a rotation on the organization's route has failed, with a known outcome, and the hint names the project's", async () => {
      const space = await workspace();
      const destination = { type: "HTTP", config: { url: "https://acme.com/hook", token: "${secret:TOKEN}" } };
      const batchExport = { name: "Events", interval: "hour", destination };
      space.emulator.insert("batch_export", { organization: ACME }, batchExport);
      await space.configure(config({ batch_exports: { events: batchExport } }));
      const rotate = ["apply", "--yes", "--format", "json", "--rotate", "acme/batch_exports/events"];
      const result = await space.run(rotate, { env: { TOKEN: "new" } });
      const outcome = outcomeOf(result, "acme/batch_exports/events");
      expect([result.code, outcome]).toMatchObject([
        1,
        { action: "update", status: "failed", error: { code: "error" } },
      ]);
      expect(outcome.error?.hint).toMatchSnapshot();
    });

    it.each<[string, number, readonly FaultRule[]]>([
      // Without a token in the destination such a server fails on every request.
      ["the server", 500, []],
      ["a gateway", 502, [{ method: "POST", fault: { type: "html-502" } }]],
    ])(
      "a create that %s answers twice with an error has failed, with that %i, and the wait is reported",
      async (...row) => {
        const [, status, faults] = row;
        const space = await workspace();
        for (const fault of faults) space.emulator.faults.add(fault);
        const destination = { type: "HTTP", config: { url: "https://acme.com/hook" } };
        await space.configure(web({ batch_exports: { e: { name: "Events", interval: "hour", destination } } }));
        const result = await space.run(["apply", "--yes", "--format", "json", "--settle-after", "6"], {
          runtime: { clock: instantClock() },
        });
        const outcome = outcomeOf(result, "acme/projects/web/batch_exports/e");
        expect([result.code, outcome.action, outcome.status]).toEqual([1, "create", "failed"]);
        expect(outcome.error?.message).toContain(`answered ${String(status)}`);
        expect(writes(space)).toEqual(["POST projects/2/batch_exports", "POST projects/2/batch_exports"]);
        expect(result.stderr).toContain("waiting until");
      },
    );

    it.each<[string, object, JsonObject, EmulatorOptions]>([
      [
        "a feature that the plan lacks",
        { domains: { x: { domain: "a.com", jit_provisioning_enabled: true } } },
        { domain: "a.com", ...VERIFIED },
        { planLimits: true },
      ],
      [
        "a domain that another organization has",
        { domains: { x: { domain: "taken.com" } } },
        { domain: "a.com" },
        {
          seed: {
            organizations: [
              ...SEED.organizations,
              { name: "Other", foreign: true, domains: [{ domain: "taken.com" }] },
            ],
          },
        },
      ],
    ])(
      "a write that is refused for %s applied nothing, and the hint has the cause",
      async (_name, declared, live, options) => {
        const space = await workspace(options);
        space.emulator.insert("domain", { organization: ACME }, live);
        await space.configure(config(declared));
        const outcome = (await space.apply([], 1)).changes.find(({ kind }) => kind === "domain");
        expect(outcome).toMatchObject({ status: "failed" });
        expect([outcome?.error?.code, outcome?.error?.hint]).toMatchSnapshot();
      },
    );

    it("a 404 does not ask to check an id, unless the caller gave one", async () => {
      const space = await workspace();
      await space.configure(config({ projects: { web: { name: "Web", insights: { s: { name: "S" } } } } }));
      space.emulator.faults.add({ path: "/insights", fault: { type: "status", status: 404 } });
      const given = await space.run(["call", "insights.get", "project_id=2", "id=99"]);
      expect([given.code, given.stderr]).toEqual([1, expect.stringContaining("Check the id.")]);
      const planned = await space.run(["plan"]);
      expect([planned.code, planned.stderr]).toEqual([1, expect.not.stringContaining("Check the id")]);
    });

    it("a write that needs a manual step was refused: failed, and not accepted", async () => {
      const space = await workspace();
      space.emulator.insert("domain", { organization: ACME }, { domain: "a.com", ...VERIFIED });
      await space.configure(config({ domains: { x: { domain: "a.com", sso_enforcement: "google-oauth2" } } }));
      const text = JSON.stringify({ type: "validation_error", code: "verification_required", detail: "Not verified." });
      space.emulator.faults.add({ method: "PATCH", fault: { type: "answer", status: 400, text } });
      const result = await applyJson(space);
      expect([result.code, outcomeOf(result, "acme/domains/x").status]).toEqual([1, "failed"]);
      expect(result.stdout + result.stderr).not.toContain("accepted");
    });
  },
  ["deployed"],
);
