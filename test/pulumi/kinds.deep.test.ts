import { specimens } from "../support/interface/index.ts";
import type { Specimen } from "../support/interface/specimen.ts";
import { describe, expect, it } from "vitest";
import { pulumiProperties } from "../../src/generated/pulumi.ts";
import type { Emulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { isWhole } from "../support/budget.ts";
import { engine, sdks } from "./support/engine.ts";
import { ACME, currentLives, livesOn } from "./support/lives.ts";
import { all, changedBetween, editAll, expectStored, programOf, writes, type Lives } from "./support/living.ts";
import { createYamlStack } from "./support/packaged-stack.ts";
import { createStack, type Program } from "./support/stack.ts";
import { besideKeyChecks } from "./support/key-checks.ts";

const newer: Lives = Object.entries(currentLives);
const { bin, missing } = engine();
const newest = sdks().find(({ name }) => name === "newest");

it("has a change for every input of every kind, but for those that only today's service takes", () => {
  const every = [...all, ...newer];
  for (const [, life] of every) {
    const changed = [...Object.keys(life.changes), ...Object.keys(life.not ?? {})];
    const { later = {} }: Specimen = specimens[life.kind];
    const inputs = Object.entries(pulumiProperties[life.kind].inputs).filter(
      ([, field]) => !Object.hasOwn(later, field),
    );
    expect(changed.toSorted(), life.type).toEqual(inputs.map(([property]) => property).toSorted());
  }
  expect(new Set(every.map(([, { kind }]) => kind))).toEqual(new Set(Object.keys(pulumiProperties)));
});

/** Inserts what the fields of these kinds name. */
function insertNear(emulator: Emulator): void {
  for (const [, { kind }] of newer) {
    const { near = [] }: Specimen = specimens[kind];
    for (const [one, values] of near) emulator.insert(one, { organization: ACME }, values);
  }
}

/** More fields than a kind has. */
const EVERY = 20;
/** The first and the last field of each step. In yaml.deep.test.ts each field is changed alone. */
const STEPS = [
  [0, 1],
  [1, 4],
  [4, EVERY],
] as const;

describe.skipIf(missing !== undefined)("every kind on the real engine", () => {
  it("is created, changed in three steps, put right, and destroyed", async () => {
    const stack = await createStack(bin);
    const { emulator, declare, run, steps } = stack;
    const up = async (...args: readonly string[]): Promise<string> => {
      emulator.clearRequests();
      return run("up", "--yes", "--skip-preview", ...args);
    };

    await declare(programOf(0));
    emulator.clearRequests();
    expect((await steps("preview")).map(({ op }) => op)).toEqual(all.map(() => "create"));
    expect(writes(emulator)).toEqual([]);
    await up();
    expectStored(emulator, 0);
    await up("--expect-no-changes");
    expect(besideKeyChecks(emulator)).toEqual([]);

    for (const [before, after] of STEPS) {
      await declare(programOf(after));
      emulator.clearRequests();
      const planned = await steps("preview");
      expect(writes(emulator)).toEqual([]);
      for (const [name, life] of all) {
        const fields = changedBetween(life, before, after);
        const own = planned.filter((step) => step.name === name);
        const op = fields.some((field) => life.replaces?.includes(field) === true) ? "replace" : "update";
        expect(
          own.map((step) => step.op),
          `${name} ${fields.join()}`,
        ).toEqual(fields.length === 0 ? [] : [op]);
        const paths = own.flatMap((step) => step.paths.map((path) => path.split(/[.[]/)[0]));
        expect(new Set(paths), name).toEqual(new Set(fields));
      }
      await up();
      expectStored(emulator, after);
    }
    await up("--expect-no-changes");
    expect(besideKeyChecks(emulator)).toEqual([]);

    editAll(emulator);
    emulator.clearRequests();
    const drift = await steps("refresh", "--preview-only");
    expect(writes(emulator)).toEqual([]);
    const differing = drift.map(({ name, paths }) => [name, paths]);
    expect(Object.fromEntries(differing) as object).toEqual(
      Object.fromEntries(all.map(([name, { edit }]) => [name, [edit.property]])),
    );
    expect((await stack.pulumi(["refresh", "--preview-only", "--expect-no-changes"])).code).toBe(7);
    await up("--refresh");
    expectStored(emulator, EVERY);
    expect(await steps("refresh", "--preview-only")).toEqual([]);

    await declare(programOf(EVERY, { beta: { confirmDelete: "Beta Corp" } }));
    await up();
    expect(writes(emulator)).toEqual([]);
    const members = emulator.find("member", () => true).length;
    await run("destroy", "--yes", "--skip-preview");
    for (const [, life] of all) expect(emulator.find(life.stored, life.find), life.type).toEqual([]);
    expect(emulator.find("insight", (one) => one["name"] === "Sign-ups")).toMatchObject([{ deleted: true }]);
    // Bob, and the user who had created the deleted organization.
    expect(members - emulator.find("member", () => true).length).toBe(2);
    expect(emulator.requests.filter(({ status }) => (status ?? 0) >= 400 && status !== 404)).toEqual([]);
  });
});

describe.skipIf(missing !== undefined || newest === undefined || "missing" in newest)(
  "every kind by the newest SDK",
  () => {
    it.for(["deployed", "current"] as const)(
      "is as it was declared after each up, and goes (%s)",
      { timeout: 600_000 },
      async (dialect, { skip }) => {
        skip(dialect === "deployed" && !isWhole, "with all repetitions only, as the second pair of describeEngine");
        if (newest === undefined || "missing" in newest) return;
        const isCurrent = dialect === "current";
        const these: Lives = [...Object.entries(livesOn(dialect)), ...(isCurrent ? newer : [])];
        const switches = isCurrent ? { switches: { deletion_seconds: 0 } } : {};
        const stack = await createStack(bin, { dialect, ...switches }, "index.js", newest);
        const { emulator, declare, run, steps } = stack;
        if (isCurrent) insertNear(emulator);
        for (const [id, held] of these.flatMap(([, { integrations }]) => Object.entries(integrations)))
          if (isCurrent) emulator.insert("integration", { project: 2 }, { id: Number(id), kind: held });
        // Today's service does not change the model of an export. Its query is never shown, and would be lost with the old one.
        const replaced = these.filter(([, { replaces }]) => isCurrent && replaces?.includes("model") === true);
        const allowed = Object.fromEntries(replaced.map(([name]) => [name, { hogqlQuery: "" }]));
        // A few rounds are enough: the test above shows that each field is compared and sent.
        for (const rounds of [0, 4, EVERY]) {
          await declare(programOf(rounds, rounds === 0 ? {} : allowed, these));
          await run("up", "--yes", "--skip-preview");
          expectStored(emulator, rounds, these);
          emulator.clearRequests();
          expect(await steps("preview", "--refresh")).toEqual([]);
          expect(writes(emulator)).toEqual([]);
          for (const { id } of emulator.find("domain", () => true))
            emulator.edit("domain", String(id), { verified_at: "2026-01-01T00:00:00Z", is_verified: true });
        }
        editAll(emulator, these);
        expect(
          Object.fromEntries((await steps("refresh", "--preview-only")).map(({ name, paths }) => [name, paths])),
        ).toEqual(Object.fromEntries(these.map(([name, { edit }]) => [name, [edit.property]])));
        // Such a server does not remove a plugin that is everybody's.
        const local = these
          .filter(([, { changes }]) => "isGlobal" in changes)
          .map(([name]) => [name, { isGlobal: false }] as const);
        const more: Readonly<Record<string, JsonObject>> = {
          ...allowed,
          ...Object.fromEntries(local),
          beta: { confirmDelete: "Beta Corp" },
        };
        await declare(programOf(EVERY, more, these));
        await run("up", "--yes", "--skip-preview", "--refresh");
        expect(await steps("preview", "--refresh")).toEqual([]);
        await run("destroy", "--yes", "--skip-preview");
        for (const [, life] of these) expect(emulator.find(life.stored, life.find), life.type).toEqual([]);
      },
    );
  },
);

describe.skipIf(missing !== undefined)("every kind that only today's service has", () => {
  it("is created, changed field by field, put right, and destroyed", async () => {
    const { emulator, declare, run, steps } = await createYamlStack(bin, { dialect: "current" });
    insertNear(emulator);
    // Neither has this service a field of an old one: it is said, never sent, and no difference below.
    emulator.insert("domain", { organization: ACME }, { domain: "other.com" });
    const lacking: Program = {
      lacking: { type: "Domain", args: { organizationId: ACME, domain: "lacking.com", samlEntityId: "urn:acme" } },
    };
    const rounds = Math.max(...newer.map(([, { changes }]) => Object.keys(changes).length));
    for (let round = 0; round <= rounds; round += 1) {
      await declare({ ...programOf(round, {}, newer), ...lacking });
      expect(await run("up", "--yes", "--skip-preview")).toContain("does not have saml_entity_id");
      expectStored(emulator, round, newer);
    }
    editAll(emulator, newer);
    expect(
      Object.fromEntries((await steps("refresh", "--preview-only")).map(({ name, paths }) => [name, paths])),
    ).toEqual(Object.fromEntries(newer.map(([name, { edit }]) => [name, [edit.property]])));
    await run("up", "--yes", "--skip-preview", "--refresh");
    expectStored(emulator, rounds, newer);
    const sent = emulator.requests.filter(({ method, path }) => method !== "GET" && path.includes("/domains/"));
    expect(sent).not.toEqual([]);
    expect(sent.filter(({ body }) => JSON.stringify(body ?? null).includes("saml_entity_id"))).toEqual([]);
    await run("destroy", "--yes", "--skip-preview");
    for (const [, life] of newer) expect(emulator.find(life.stored, life.find), life.type).toEqual([]);
  });
});
