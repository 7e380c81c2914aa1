/** What a service of today no longer has is left alone, and only those who declare it are told. */
import { describe, expect, it } from "vitest";
import type { DoctorDocument } from "../../src/cli/commands/doctor/report.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { messyOrganization } from "../support/messy.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";
const DECLARED = {
  driftline: 1,
  organizations: {
    acme: {
      name: "Acme Inc",
      domains: { corp: { domain: "acme.com" } },
      pipeline_destinations: { s3: { name: "S3", plugin_type: "source" } },
      exclusive: ["pipeline_destinations", "domains"],
    },
  },
};

function today(): Promise<Workspace> {
  return workspace({ dialect: "current", switches: { plugins_gone: true } });
}

const told = ({ diagnostics }: Pick<PlanDocument, "diagnostics">) =>
  diagnostics.map(({ code, severity, address }) => [code, severity, address]);

const WARNING = [["not_on_service", "warning", "acme/pipeline_destinations/s3"]];

describe("on a service without plugins", () => {
  it("a declared plugin is a warning of plan, drift and apply, and nothing is sent for it", async () => {
    const { configure, plan, drift, apply, run, emulator } = await today();
    await configure(DECLARED);
    const planned = await plan();
    expect(told(planned)).toEqual(WARNING);
    expect(planned.changes.filter(({ action }) => action !== "no_op").map(({ address }) => address)).toEqual([
      "acme/domains/corp",
    ]);
    await apply();
    expect(emulator.requests.filter(({ method }) => method !== "GET").map(({ path }) => path)).toEqual([
      `/api/organizations/${ACME}/domains/`,
    ]);
    const { code, document } = await drift();
    expect([code, told(document)]).toEqual([0, WARNING]);
    expect((await run(["doctor"])).code).toBe(0);
  });

  it("a plugin alone under a pinned organization is told from a mistyped id, with one request", async () => {
    const { configure, run, emulator } = await today();
    const { pipeline_destinations } = DECLARED.organizations.acme;
    await configure({ driftline: 1, organizations: { acme: { id: ACME, pipeline_destinations } } });
    expect((await run(["plan"])).code).toBe(0);
    expect(emulator.requests.filter(({ path }) => path === `/api/organizations/${ACME}/`)).toHaveLength(1);
    await configure({ driftline: 1, organizations: { acme: { id: ACME.replace(/a$/u, "b"), pipeline_destinations } } });
    expect((await run(["plan"])).code).not.toBe(0);
  });

  it("doctor does not blame the key", async () => {
    const { configure, run } = await today();
    for (const declared of [DECLARED, { driftline: 1, organizations: { acme: { name: "Acme Inc" } } }]) {
      await configure(declared);
      const { stdout } = await run(["doctor", "--format", "json"]);
      const { findings } = JSON.parse(stdout) as DoctorDocument;
      expect(findings.filter(({ status }) => status === "error")).toEqual([]);
      expect(findings.flatMap(({ fix }) => fix ?? []).join()).not.toMatch(/key|scope/u);
    }
  });

  it("a messy organization is exported without a word about it", async () => {
    const { run } = await workspace({
      dialect: "current",
      seed: messyOrganization(),
      switches: { plugins_gone: true },
    });
    const { code, stdout, stderr } = await run(["export"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/warning|error/) as string });
    expect(stdout).not.toContain("pipeline_");
    expect(stdout.match(/batch_exports:/gu)?.length).toBeGreaterThan(0);
  });
});

it("a batch export under the organization is left out where only projects have them, with the way out", async () => {
  const { configure, plan } = await workspace({ dialect: "current" });
  const batch_exports = { nightly: { name: "Nightly", interval: "day", destination: { type: "NoOp", config: {} } } };
  await configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", batch_exports } } });
  const { changes, diagnostics } = await plan();
  expect(changes.filter(({ action }) => action !== "no_op")).toEqual([]);
  expect(told({ diagnostics })).toEqual([["not_on_service", "warning", "acme/batch_exports/nightly"]]);
});
