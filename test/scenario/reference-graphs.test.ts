/**
 * Random graphs of references: what was applied is as declared, the order of keys never matters, and no domain enforces SAML before
 * its provider.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { LoggedRequest } from "../../src/emulator/index.ts";
import { compareText } from "../../src/model/compare-text.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { budget } from "../support/budget.ts";
import { ACME, acme, changed, codes, today, VERIFIED, writes } from "../support/today.ts";

const NAMES = ["acme.com", "labs.com", "shop.com", "test.com"];
const PROJECTS = [
  { id: 2, name: "Web" },
  { id: 3, name: "Shop" },
];
const idOf = (index: number): string => `0190aa11-2b3c-4d5e-8f60-71829300000${String(index)}`;

/** Where a domain is, which of the providers names it, and how. */
const domains = fc.tuple(
  ...NAMES.map(() =>
    fc.record({
      place: fc.constantFrom("live", "declared", "both", "pinned"),
      provider: fc.integer({ min: 0, max: 3 }),
      form: fc.constantFrom("key", "name", "upper", "id"),
      enforces: fc.boolean(),
    }),
  ),
);
/** Which of the projects an invite names, how, and whether they are declared by name or by id. */
const projects = fc.array(
  fc.record({
    project: fc.constantFrom(0, 1),
    form: fc.constantFrom("key", "name", "id"),
    place: fc.constantFrom("live", "id", "name"),
  }),
  { maxLength: 3 },
);

type Graph = readonly [
  domains: typeof domains extends fc.Arbitrary<infer T> ? T : never,
  projects: typeof projects extends fc.Arbitrary<infer T> ? T : never,
];

function configurationOf([chosen, invited]: Graph): object {
  const declared = chosen.flatMap(({ place, enforces, provider }, index) => {
    const id = place === "pinned" && { id: idOf(index) };
    const enforced = enforces && provider !== 3 && { sso_enforcement: "saml" };
    return place === "live" ? [] : [[`d${String(index)}`, { domain: NAMES[index], ...id, ...enforced }]];
  });
  const nameOf = (index: number): string => {
    const { place, form } = chosen[index] ?? { place: "live", form: "name" };
    const name = NAMES[index] ?? "";
    if (form === "key" && place !== "live") return `d${String(index)}`;
    if (form === "id" && place !== "declared") return idOf(index);
    return form === "upper" ? name.toUpperCase() : name;
  };
  const providers = [0, 1, 2].map((provider) => {
    const ids = chosen.flatMap((one, index) => (one.provider === provider ? [nameOf(index)] : []));
    const saml = { config_scope: "saml", saml_x509_cert: "MIIB" };
    return [`p${String(provider)}`, { name: `Provider ${String(provider)}`, organization_domain_ids: ids, ...saml }];
  });
  const places = new Map(invited.map(({ project, place }) => [project, place]));
  const invites = invited.map(({ project, form }, index) => {
    const { id, name } = PROJECTS[project] ?? { id: 0, name: "" };
    const isKey = form === "key" && places.get(project) !== "live";
    const access = [{ id: isKey ? `k${String(id)}` : form === "id" ? id : name, level: "member" }];
    return [`i${String(index)}`, { target_email: `i${String(index)}@else.com`, private_project_access: access }];
  });
  const ofProjects = [...places].flatMap(([project, place]) => {
    const { id, name } = PROJECTS[project] ?? { id: 0, name: "" };
    return place === "live" ? [] : [[`k${String(id)}`, place === "id" ? { id: String(id) } : { name }]];
  });
  return {
    domains: Object.fromEntries(declared) as object,
    identity_provider_configs: Object.fromEntries(providers) as object,
    invites: Object.fromEntries(invites) as object,
    projects: Object.fromEntries(ofProjects) as object,
  };
}

/** The same with the keys of all mappings the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

/** What a plan says, without the lines of the file. */
const decided = ({ changes, hash, diagnostics }: PlanDocument): object => ({
  changes,
  hash,
  codes: codes({ diagnostics }),
});

/** A domain enforces SAML in a request of its own, after the one that lets its people in. */
function expectProvidersFirst(sent: readonly LoggedRequest[]): void {
  for (const [index, { method, path, body }] of sent.entries()) {
    if (!path.includes("/domains/") || !JSON.stringify(body).includes("saml")) continue;
    expect(method).toBe("PATCH");
    const [id = ""] = path.split("/").slice(5);
    expect(sent.slice(0, index).some((one) => JSON.stringify(one.body ?? null).includes(id))).toBe(true);
  }
}

it("the plan after an apply is empty, and the order of keys never matters", async () => {
  await fc.assert(
    fc.asyncProperty(domains, projects, async (...graph) => {
      const configuration = configurationOf(graph);
      const space = await today(configuration, {
        seed: { organizations: [{ id: ACME, name: "Acme Inc", projects: PROJECTS }] },
      });
      graph[0].forEach(({ place }, index) => {
        if (place !== "declared")
          space.emulator.insert(
            "domain",
            { organization: ACME },
            { id: idOf(index), domain: NAMES[index] ?? "", ...VERIFIED },
          );
      });
      const plan = await space.plan();
      await space.configure(reversed(acme(configuration)));
      expect(decided(await space.plan())).toEqual(decided(plan));
      const isWaiting = graph[0].some(
        ({ place, enforces, provider }) => place === "declared" && enforces && provider !== 3,
      );
      await space.apply([], isWaiting ? 14 : 0);
      for (const { id } of space.emulator.find("domain")) space.emulator.edit("domain", String(id), VERIFIED);
      if (isWaiting) await space.apply();
      expect(changed(await space.plan())).toEqual([]);
      expectProvidersFirst(writes(space));
      const named = space.emulator
        .find("identity_provider_config")
        .flatMap((one) => one["organization_domain_ids"] as string[]);
      const wanted = graph[0].flatMap(({ provider }, index) => (provider === 3 ? [] : [NAMES[index]]));
      const nameOf = new Map(space.emulator.find("domain").map(({ id, domain }) => [id, domain]));
      const sorted = (names: readonly unknown[]): string[] => names.map(String).toSorted(compareText);
      expect(sorted(named.map((id) => nameOf.get(id)))).toEqual(sorted(wanted));
    }),
    { numRuns: budget(100) },
  );
});
