import { expect, it } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { ACME, config, NOOP, outcomeOf, VERIFIED, web } from "../support/acme.ts";
import { describeDialects } from "../support/dialects.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { linesWith } from "../support/normalized.ts";
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
      expect(failed).toMatchObject({ status: "failed", error: { hint: expect.any(String) as string } });
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
  },
  ["deployed"],
);
