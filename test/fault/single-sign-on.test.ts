/** The first single sign-on from one file, with every write cut once: nothing twice, and no enforcement before its provider. */
import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/emulator/index.ts";
import { ACME, today, VERIFIED, writes } from "../support/today.ts";
import type { Workspace } from "../support/workspace.ts";
import { applyNow, changesOf } from "./support.ts";

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const provider = (name: string, domain: string, more: object = {}): object => ({
  name,
  config_scope: "saml",
  saml_x509_cert: CERTIFICATE,
  organization_domain_ids: [domain],
  ...more,
});
const FILE = {
  domains: {
    corp: { domain: "acme.com", sso_enforcement: "saml" },
    labs: { domain: "labs.com", sso_enforcement: "saml" },
  },
  identity_provider_configs: {
    // By a key, and by a name.
    okta: provider("Okta", "corp"),
    entra: provider("Entra", "labs.com", { domain_scope: "selected" }),
  },
};

const FAULTS: readonly (readonly [string, Fault])[] = [
  ["is processed and not answered", { type: "process-then-drop" }],
  ["is dropped", { type: "drop-before" }],
  ["is refused", { type: "status", status: 403 }],
];
type Cut = readonly [name: string, method: string, nth: number, fault: Fault];
const cuts = (...counts: readonly (readonly [method: string, count: number])[]): readonly Cut[] =>
  counts.flatMap(([method, count]) =>
    Array.from({ length: count }, (_, index) =>
      FAULTS.map(([name, fault]): Cut => [name, method, index + 1, fault]),
    ).flat(),
  );

const enforcing = ({ emulator }: Workspace): readonly unknown[] =>
  emulator.find("domain", ({ sso_enforcement: sso }) => sso === "saml").map(({ id }) => id);

function cut({ emulator }: Workspace, [, method, nth, fault]: Cut): void {
  emulator.faults.add({ method, nth, times: 1, fault });
}

/** What has to hold at any time. */
function expectSafe(space: Workspace): void {
  const configs = space.emulator.find("identity_provider_config");
  const open = configs.flatMap(({ organization_domain_ids: ids }) => ids as unknown[]);
  for (const id of enforcing(space)) expect(open).toContain(id);
  for (const kind of ["domain", "identity_provider_config"] as const) {
    const names = space.emulator.find(kind).map(({ name, domain }) => name ?? domain);
    expect(new Set(names).size).toBe(names.length);
  }
  const paths = writes(space).map(({ method, path }) => `${method} ${path.split("/")[4] ?? ""}`);
  const enforced = paths.indexOf("PATCH domains");
  if (enforced !== -1) expect(paths.slice(0, enforced)).toContain("POST identity_provider_configs");
}

/** Applies until it ends with a code. */
async function applyUntil(space: Workspace, code: number): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const result = await applyNow(space);
    expectSafe(space);
    if (result.code === code) return;
  }
  expect.unreachable(`no apply has ended with ${String(code)}`);
}

describe("a first single sign-on", () => {
  it.each(cuts(["POST", 2], ["PATCH", 2]))("with two verified domains: a write %s (%s %i)", async (...row) => {
    const space = await today(FILE);
    for (const domain of ["acme.com", "labs.com"])
      space.emulator.insert("domain", { organization: ACME }, { domain, ...VERIFIED });
    cut(space, row);
    await applyUntil(space, 0);
    expect(enforcing(space)).toHaveLength(2);
    expect(changesOf(await applyNow(space))).toEqual([]);
  });

  it.each(cuts(["POST", 4], ["PATCH", 2]))("with two new domains: a write %s (%s %i)", async (...row) => {
    const space = await today(FILE);
    cut(space, row);
    await applyUntil(space, 14);
    // Each is made in the first apply, or in the one after what was cut.
    if (space.emulator.find("identity_provider_config").length < 2) await applyUntil(space, 14);
    expect(space.emulator.find("identity_provider_config")).toHaveLength(2);
    expect(enforcing(space)).toEqual([]);
    for (const { id } of space.emulator.find("domain")) space.emulator.edit("domain", String(id), VERIFIED);
    await applyUntil(space, 0);
    expect(enforcing(space)).toHaveLength(2);
    expect(changesOf(await applyNow(space))).toEqual([]);
  });

  it("makes everything in one apply if nothing is cut", async () => {
    const space = await today(FILE);
    expect((await applyNow(space)).code).toBe(14);
    expect(space.emulator.find("domain")).toHaveLength(2);
    expect(space.emulator.find("identity_provider_config")).toHaveLength(2);
    expect(writes(space).every(({ method }) => method === "POST")).toBe(true);
  });
});
