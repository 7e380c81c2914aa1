/** Writes that a service takes and ignores: every field of every kind, one at a time. */
import { describe, expect, it } from "vitest";
import type { EmulatedKind } from "../../src/emulator/index.ts";
import { declarableFields } from "../../src/kinds/fields.ts";
import { allKinds } from "../../src/kinds/registry.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { changeOf, outcomeOf, planJson } from "../support/acme.ts";
import { planOf } from "../support/cli.ts";
import { configurationAt, placeOf, withoutSecrets } from "../support/interface/declare.ts";
import { allSpecimens, specimens } from "../support/interface/index.ts";
import { allFieldsOf, type Specimen } from "../support/interface/specimen.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";
import { ACME, applyNow, configOf } from "./support.ts";

interface Row {
  readonly stored: EmulatedKind;
  /** The live object; left out if the seed has it already. */
  readonly live: JsonObject | undefined;
  readonly inner: (values: object) => object;
  readonly address: string;
  /** The write that is ignored. */
  readonly method: "POST" | "PATCH";
  /** What the service has to have for it. */
  readonly world: Pick<Specimen, "dialect" | "near">;
}

const acme = (inner: object): object => configOf({ acme: { id: ACME, ...inner } });
const web = (inner: object): object => acme({ projects: { web: { id: "2", ...inner } } });

/** A resource whose object already exists. The organization and the member are those of the seed. */
function rowOf(specimen: Specimen): Row {
  const { create, created, dialect, fields, keyedByEmail, live, near, scopes, seed, stored, watched } = specimen;
  const scope = scopes.at(-1) ?? "service";
  const isSeeded = keyedByEmail === true || scope === "service";
  const declared = isSeeded ? {} : withoutSecrets(create);
  const at = placeOf(specimen, scope, keyedByEmail === true ? "bob@acme.com" : scope === "service" ? "acme" : "x");
  return {
    stored: isSeeded ? (stored[0] ?? created) : created,
    live: isSeeded ? undefined : { ...declared, ...seed, ...live },
    inner: (values) => configurationAt(at, { ...declared, ...values }),
    address: at.join("/"),
    method: !isSeeded && fields[watched]?.instead === "replace" ? "POST" : "PATCH",
    world: { ...(dialect === undefined ? {} : { dialect }), near: near ?? [] },
  };
}

async function seeded({
  stored,
  live,
  world: { near = [], ...options },
}: Row): Promise<{ readonly space: Workspace; readonly pin: object }> {
  const space = await workspace(options);
  for (const [kind, values] of near) space.emulator.insert(kind, { organization: ACME }, values);
  if (live === undefined) return { space, pin: {} };
  const scope = ["insight", "batch_export"].includes(stored) ? { project: 2 } : { organization: ACME };
  const { id } = space.emulator.insert(stored, scope, live);
  // The field may be the natural key: the pin finds the object again.
  return { space, pin: { id } };
}

/** An invite is not sent again within a day because of these alone: test/scenario/resend.test.ts. */
const RESENT = new Set(["invite.first_name", "invite.message"]);
const cases = allSpecimens.flatMap(([name, specimen]) =>
  Object.entries(specimen.fields).flatMap(([field, { next, fixed, unnoticed }]) =>
    (fixed ?? unnoticed) === undefined && !RESENT.has(`${name}.${field}`)
      ? [[name, field, withoutSecrets(next)] as const]
      : [],
  ),
);

describe("a field that the service ignores", () => {
  it.each(allKinds.map(({ name }) => [name]))("of %s: each has a case or a reason", (name) => {
    expect(Object.keys(allFieldsOf(specimens[name])).toSorted()).toEqual([...declarableFields(name)].toSorted());
  });

  it.each(cases)(
    "%s.%s is unverified with its path: 14, and the next plan shows the difference again",
    async (name, field, value) => {
      const row = rowOf(specimens[name]);
      const { space, pin } = await seeded(row);
      const { method } = row;
      // An invite is not sent again because of such a difference alone, unless somebody asks for that.
      const asked = name === "invite" ? ["--only", row.address] : [];
      const declared = row.inner({ ...(method === "PATCH" && row.stored !== "member" ? pin : {}), [field]: value });
      await space.configure(declared);
      space.emulator.faults.add({ method, fault: { type: "ignore-field", field } });
      const result = await applyNow(space, asked);
      expect(result.code, result.stdout).toBe(14);
      const outcome = outcomeOf(result, row.address);
      expect(outcome).toMatchObject({ status: "unverified", error: { code: "ignored_by_service" } });
      expect(outcome.error?.message).toContain(` did not set ${field}`);
      expect(outcome.error?.hint).toContain("lifecycle.ignore");
      const again = await planJson(space, "--detailed-exitcode");
      expect(again.code).toBe(2);
      const change = changeOf(again, row.address);
      expect(change.fields.every(({ path }) => path.startsWith(`/${field}`))).toBe(true);
      expect(["update", "replace"]).toContain(change.action);
      space.emulator.faults.clear();
      expect((await applyNow(space, asked)).code).toBe(0);
      expect(changeOf(await planJson(space), row.address).action).toBe("no_op");
    },
  );

  it("causes no diagnostic if lifecycle.ignore covers it", async () => {
    const row = rowOf(specimens.insight);
    const { space } = await seeded(row);
    await space.configure(row.inner({ tags: ["a"] }));
    space.emulator.faults.add({ method: "PATCH", fault: { type: "ignore-field", field: "tags" } });
    expect((await applyNow(space)).code).toBe(14);
    await space.configure(row.inner({ tags: ["a"], lifecycle: { ignore: ["tags"] } }));
    const result = await planJson(space, "--detailed-exitcode");
    expect([result.code, planOf(result).diagnostics]).toEqual([0, []]);
  });
});

describe("a service without the feature of its plan", () => {
  it("ignores tags: unverified at once, with the way out", async () => {
    const space = await workspace({ dialect: "deployed", planLimits: true, seed: SEED });
    await space.configure(web({ insights: { x: { name: "I", tags: ["growth"] } } }));
    const result = await applyNow(space);
    expect(result.code).toBe(14);
    expect(outcomeOf(result, "acme/projects/web/insights/x")).toMatchObject({
      action: "create",
      status: "unverified",
      error: { code: "ignored_by_service", hint: expect.stringContaining("lifecycle.ignore") as string },
    });
    const again = await planJson(space);
    expect(changeOf(again, "acme/projects/web/insights/x").fields.map(({ path }) => path)).toEqual(["/tags"]);
  });

  it("refuses just-in-time provisioning: failed, with what the service says", async () => {
    const space = await workspace({ dialect: "deployed", planLimits: true, seed: SEED });
    space.emulator.insert("domain", { organization: ACME }, { domain: "a.com", is_verified: true });
    await space.configure(acme({ domains: { x: { domain: "a.com", jit_provisioning_enabled: true } } }));
    const result = await applyNow(space);
    expect(result.code).toBe(1);
    expect(outcomeOf(result, "acme/domains/x")).toMatchObject({
      status: "failed",
      error: { code: "feature_not_available" },
    });
  });
});
