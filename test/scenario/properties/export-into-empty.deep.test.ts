/**
 * The result of an export without ids in an empty organization, compared with its origin.
 *
 * Terms: the copy is the organization that the export was applied to. A group is a set of objects that cannot be distinguished
 * without ids: they have one kind, one natural key and one scope. The list of an organization also shows the batch exports of its
 * projects.
 * What may differ between the original and its copy, and why:
 * - objects that are not alone in their group are not in the copy, nor are those without a natural key (insights without a name):
 *   reported;
 * - members are invited again, so that they are members once they have accepted; who is a member is not invited as well;
 * - an invite that has expired is not in the copy, nor another one for its address;
 * - a blank text is null where the interface takes both for the same, and a batch export without a model is one of events;
 * - a secret is what the environment of the apply gives, at the places where the seeds put secrets; one that is shown masked
 *   may be missing, since nothing is known of it;
 * - dashboards have other numbers elsewhere, and the time of the last pause is the service's own: neither is exported;
 * - settings that the type of a destination does not take are not exported;
 * - settings of destinations that are numbers and booleans may have changed into them from text.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dialect, Emulator, Seed } from "../../../src/emulator/index.ts";
import { kindSchema } from "../../../src/kinds/fields.ts";
import { isObject, type Json, type JsonObject } from "../../../src/model/json/json.ts";
import { instantClock } from "../../fault/support.ts";
import { outcomesOf, planOf } from "../../support/cli.ts";
import { MASK, portableSeeds, SECRET_SETTINGS } from "../../support/organizations.ts";
import { contentsOf, kindsOf, type Content } from "./contents.ts";
import { must, mustBeEmpty, runs, seconds, withWorld } from "./world.ts";
import { budget, isWhole } from "../../support/budget.ts";

describe("an export without ids, applied to an empty organization", () => {
  it(
    "reproduces every readable writable field of random organizations, and the plan after it is empty",
    { timeout: seconds(1800) },
    async () => {
      const seen = new Set<string>();
      const property = fc.asyncProperty(portableSeeds, async (seed) => {
        const { text, original } = await exported(seed, "document");
        await withWorld({ seed: emptied(seed) }, async (world) => {
          await world.write("driftline.yaml", text);
          await must(world, ["apply", "--yes"], secretsIn(text));
          acceptAll(world.emulator, original);
          const copy = everything(world.emulator);
          compare(original, copy);
          for (const { kind } of copy) seen.add(kind);
          await mustBeEmpty(world, []);
        });
      });
      await fc.assert(property, runs(budget(200)));
      if (isWhole) expect([...seen].toSorted()).toEqual(kindsOf("document").toSorted());
    },
  );

  it(
    "does so for everything that a deployed server accepts: none of it is left to update, and the rest has a reason",
    { timeout: seconds(1800) },
    async () => {
      const seen = new Set<string>();
      const property = fc.asyncProperty(portableSeeds, async (seed) => {
        const { text } = await exported(seed, "deployed");
        await withWorld({ seed: emptied(seed), dialect: "deployed" }, async (world) => {
          await world.write("driftline.yaml", text);
          const secrets = secretsIn(text);
          const args = ["apply", "--yes", "--format", "json", "--settle-after", "1"];
          const { changes } = outcomesOf(await world.run(args, secrets, { clock: instantClock() }));
          const taken = changes.filter(({ action, status }) => action === "no_op" || status === "applied");
          for (const { kind, status, error } of changes) {
            if (status === "applied") seen.add(kind);
            if (status === "failed") expect(error?.message).toMatch(/\S/);
          }
          const after = planOf(await world.run(["plan", "--format", "json"])).changes;
          const actions = new Map(after.map(({ address, action }) => [address, action]));
          for (const { address } of taken) expect([address, actions.get(address)]).toEqual([address, "no_op"]);
        });
      });
      await fc.assert(property, runs(budget(40)));
      if (isWhole)
        expect([...seen].toSorted()).toEqual(expect.arrayContaining(["batch_export", "domain", "insight", "invite"]));
    },
  );
});

async function exported(
  seed: Seed,
  dialect: Dialect,
): Promise<{ readonly text: string; readonly original: readonly Content[] }> {
  return withWorld({ seed, dialect }, async (world) => {
    const { stdout } = await must(world, ["export", "--no-ids"]);
    const expired = world.emulator.find("invite", (one) => String(one["created_at"]).startsWith("2020"));
    const emails = new Set(expired.map((one) => String(one["target_email"]).toLowerCase()));
    const original = everything(world.emulator).filter(({ kind, key }) => kind !== "invite" || !emails.has(key));
    return { text: stdout, original };
  });
}

/** The same organization and projects, by name, with nothing in them. */
function emptied({ organizations }: Seed): Seed {
  return {
    organizations: organizations.map(({ name, projects = [] }) => ({
      name,
      projects: projects.map((project, index) => ({ name: project.name, id: 50 + index })),
    })),
  };
}

const SECRET_VALUE = /^value of [A-Z][A-Z0-9_]*$/;

/** A value for each secret that the text names. A `$` before makes it literal. */
function secretsIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/(?<!\$)\$\{secret:([A-Z][A-Z0-9_]*)\}/g)].map(([, name = ""]) => [name, `value of ${name}`]),
  );
}

function everything(emulator: Emulator): readonly Content[] {
  const [organization] = emulator.find("organization");
  return contentsOf(emulator, String(organization?.id));
}

function acceptAll(emulator: Emulator, original: readonly Content[]): void {
  const members = new Set(original.filter(({ kind }) => kind === "member").map(({ key }) => key));
  for (const invite of emulator.find("invite")) {
    if (members.has(String(invite["target_email"]).toLowerCase())) emulator.acceptInvite(String(invite.id));
  }
}

function compare(original: readonly Content[], copy: readonly Content[]): void {
  const members = new Set(original.filter(({ kind }) => kind === "member").map(({ key }) => key));
  const expected = original.filter(({ kind, key }) => key !== "" && !(kind === "invite" && members.has(key)));
  const found = [...groups(expected)].filter(([, group]) => isDistinct(group, expected));
  expect([...groups(copy).keys()].toSorted()).toEqual(found.map(([name]) => name).toSorted());
  for (const [name, group] of found) {
    const made = groups(copy).get(name) ?? [];
    expect(made.length).toBe(1);
    const [own] = made;
    const candidates = group.map((content) => normal(content, own));
    expect(candidates).toContainEqual(normal(own, own));
  }
}

/** Whether an object can be found by its natural key. */
function isDistinct([first, ...others]: readonly Content[], all: readonly Content[]): boolean {
  const isInOwnList = ({ kind, key, scope }: Content): boolean =>
    first?.kind === "batch_export" && first.scope === "" && kind === first.kind && key === first.key && scope !== "";
  return others.length === 0 && !all.some(isInOwnList);
}

/** Plugins of all groups share one space of names. */
function groups(contents: readonly Content[]): ReadonlyMap<string, readonly Content[]> {
  const found = new Map<string, Content[]>();
  for (const content of contents) {
    const name = JSON.stringify([content.kind, content.scope, content.key]);
    found.set(name, [...(found.get(name) ?? []), content]);
  }
  return found;
}

/** An object as its copy may show it: `like` decides where a secret stands. */
function normal(content: Content | undefined, like: Content | undefined): Json {
  const { target_email, dashboards: _dashboards, last_paused_at: _pausedAt, ...fields } = content?.fields ?? {};
  const email = typeof target_email === "string" ? { target_email: target_email.toLowerCase() } : {};
  const texts = Object.entries({ ...fields, ...email }).map(([field, value]): [string, Json] => [
    field,
    typeof value === "string" && value.trim() === "" ? null : value,
  ]);
  const isExport = content?.kind === "batch_export";
  const model = isExport && content.fields["model"] === null ? { model: "events" } : {};
  const shown = { ...Object.fromEntries(texts), ...model };
  return alike(isExport ? withTakenSettings(shown) : shown, like?.fields ?? null, "", isExport);
}

function withTakenSettings(fields: JsonObject): JsonObject {
  const destination = fields["destination"] ?? null;
  if (!isObject(destination) || !isObject(destination["config"] ?? null)) return fields;
  const type = kindSchema("batch_export").definitions?.[String(destination["type"])];
  if (type?.properties === undefined) return fields;
  const taken = new Set([...Object.keys(type.properties), "include_events", "exclude_events"]);
  const config = Object.entries(destination["config"] as JsonObject).filter(([key]) => taken.has(key));
  return { ...fields, destination: { ...destination, config: Object.fromEntries(config) } };
}

function alike(value: Json, like: Json, key: string, isExport: boolean): Json {
  if (SECRET_SETTINGS.has(key) && typeof value === "string" && typeof like === "string" && SECRET_VALUE.test(like))
    return "a secret";
  if (Array.isArray(value))
    return value.map((item: Json, index) =>
      alike(item, Array.isArray(like) ? ((like as readonly Json[])[index] ?? null) : null, "", isExport),
    );
  if (typeof value === "object" && value !== null) {
    const beside =
      typeof like === "object" && like !== null && !Array.isArray(like) ? (like as Readonly<Record<string, Json>>) : {};
    const shown = Object.entries(value).filter(
      ([name, item]) => !(SECRET_SETTINGS.has(name) && item === MASK && !Object.hasOwn(beside, name)),
    );
    return Object.fromEntries(shown.map(([name, item]) => [name, alike(item, beside[name] ?? null, name, isExport)]));
  }
  if (isExport && ["port", "has_self_signed_cert"].includes(key)) return String(value).toLowerCase();
  return value;
}
