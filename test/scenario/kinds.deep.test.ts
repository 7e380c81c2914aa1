import { afterAll, describe, expect, it } from "vitest";
import type { Emulator, StoredObject } from "../../src/emulator/index.ts";
import { isObject } from "../../src/emulator/json.ts";
import { declarableFields } from "../../src/kinds/fields.ts";
import { ALL_DIALECTS } from "../support/dialects.ts";
import { ACME, asStored, changesOf, configurationAt, isOf, placeOf, SECRETS } from "../support/interface/declare.ts";
import { allSpecimens } from "../support/interface/index.ts";
import { allFieldsOf, existsIn } from "../support/interface/specimen.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** The life of one resource: a specimen in one of its scopes. */
const lives = allSpecimens.flatMap(([kind, specimen]) =>
  specimen.scopes.map((scope) => ({ kind, specimen, scope, at: placeOf(specimen, scope, specimen.key) })),
);

function configAt(at: readonly string[], values: object, lifecycle: object): object {
  return configurationAt(at, Object.keys(lifecycle).length === 0 ? values : { ...values, lifecycle });
}

function writes(emulator: Emulator): readonly { readonly method: string; readonly body: unknown }[] {
  return emulator.requests.filter(({ method }) => method !== "GET").map(({ method, body }) => ({ method, body }));
}

async function succeed({ run }: Workspace, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(args, { env: SECRETS });
  expect({ code, said: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, said: "" });
}

async function expectEmpty({ plan }: Workspace, ...paths: readonly string[]): Promise<void> {
  const document = await plan(...paths);
  expect(document.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(document.changes.filter(({ action }) => action !== "no_op")).toEqual([]);
}

/** The id in plans: members are known by their user's. */
const idOf = ({ id, user }: StoredObject): string => String(isObject(user) ? user["uuid"] : id);

const YESTERDAY = new Date(Date.now() - 25 * 60 * 60_000).toISOString();

const steps: string[][] = [];

const cases = ALL_DIALECTS.flatMap((dialect) =>
  lives
    .filter(({ scope, specimen }) => existsIn(specimen, dialect, scope))
    .map((life) => [life.at.join("/"), dialect, life] as const),
);

describe.each(cases)("the life of %s on a server that speaks %s", (_name, dialect, { kind, specimen: of, at }) => {
  it(
    "is created, changed field by field, edited by others, put right or accepted, exported, imported, and removed",
    { timeout: 120_000 },
    async () => {
      const space = await workspace({
        dialect,
        ...(dialect === "current" ? { switches: { deletion_seconds: 0 } } : {}),
      });
      const { emulator, configure, drift } = space;
      const { integrations, afterCreate, ...current } = (dialect === "current" ? of.current : undefined) ?? {};
      const specimen = { ...of, ...current };
      for (const [id, held] of Object.entries(integrations ?? {}))
        emulator.insert("integration", { project: 2 }, { id: Number(id), kind: held });
      for (const [one, values] of specimen.near ?? []) emulator.insert(one, { organization: ACME }, values);
      const { create, created, edit } = specimen;
      const isOurs = isOf(specimen);
      const changes = changesOf(specimen);
      const isOrganization = kind === "organization";
      const applied = async (args: readonly string[] = []) => {
        emulator.clearRequests();
        const result = await space.run(["apply", "--yes", "--format", "json", ...args], { env: SECRETS });
        expect(result.stderr + String(result.code)).toMatch(/0$/);
        return result;
      };
      const stored = (): StoredObject => {
        const [found, more] = emulator.find(created, isOurs);
        expect(more).toBeUndefined();
        if (found === undefined) throw new Error("it is not there");
        return found;
      };
      const founding = specimen.asksToCreate === true ? { create: true } : {};
      // Only an invite of another day is replaced for what the service shows of it.
      const renewal = kind === "invite" ? { renew: true } : {};
      const onAnotherDay = () => {
        for (const { id } of emulator.find("invite", isOurs)) emulator.edit("invite", id, { created_at: YESTERDAY });
      };

      let values = create;
      if (specimen.adopted !== true) expect(emulator.find(created, isOurs)).toEqual([]);
      await configure(configAt(at, values, founding));
      await applied();
      for (const [field, value] of Object.entries(values))
        expect(stored()).toMatchObject({ [field]: asStored(field, value) });
      if (afterCreate !== undefined) emulator.edit(created, stored().id, afterCreate);
      await expectEmpty(space);

      let changed = 0;
      for (const [field, value] of Object.entries(changes)) {
        const { instead, beside = [], notDeployed } = specimen.fields[field] ?? {};
        if (dialect !== "document" && notDeployed !== undefined) continue;
        changed += 1;
        const before = String(values["name"] ?? "");
        values = { ...values, [field]: value };
        const key = field === "name" || field === "domain" || field === "target_email";
        const from = key && kind !== "invite" ? { renamed_from: String(create[field] ?? before) } : {};
        // Type and name make one key: both together are what it was before.
        if (field === "plugin_type") Object.assign(from, { renamed_from: `source ${before}` });
        await configure(configAt(at, values, { ...founding, ...from, ...renewal }));
        if (kind === "invite" && key)
          emulator.find("invite", isOurs).forEach(({ id }) => emulator.remove("invite", String(id)));
        onAnotherDay();
        await applied();
        // Services add to free-form values: what was declared is in there.
        expect(stored()).toMatchObject({ [field]: asStored(field, value) });
        const sent = writes(emulator);
        const others = Object.fromEntries(beside.map((other) => [other, expect.anything()]));
        if (instead === undefined)
          expect(sent).toEqual([{ method: "PATCH", body: { [field]: asStored(field, value), ...others } }]);
        if (instead === "overlay")
          expect(sent.map(({ method, body }) => [method, Object.keys(body as object).toSorted()])).toEqual([
            ["PATCH", [field, ...beside].toSorted()],
          ]);
        if (instead === "transition") expect(sent.map(({ method }) => method)).toEqual(["POST"]);
        if (instead === "replace") expect(sent.at(-1)?.method).toBe("POST");
        await configure(configAt(at, values, founding));
        await expectEmpty(space);
      }
      const fields = declarableFields(kind).filter((field) => !["id", "short_id"].includes(field));
      expect(Object.keys(allFieldsOf(of)).toSorted()).toEqual(fields.toSorted());

      emulator.edit(created, stored()["id"], { [edit.field]: edit.value });
      const seen = await drift();
      expect(seen.code).toBe(2);
      const drifted = seen.document.changes.filter(({ action }) => action !== "no_op");
      expect(drifted.flatMap((change) => change.fields.map(({ path }) => path))).toEqual([`/${edit.field}`]);
      onAnotherDay();
      await applied();
      expect(stored()[edit.field]).toEqual(asStored(edit.field, values[edit.field] ?? null));
      await expectEmpty(space);

      emulator.edit(created, stored()["id"], { [edit.field]: edit.value });
      // Where people are declared, an owner and an admin whom nothing declares are left.
      const left = of.keyedByEmail === true && kind !== "invite" ? 2 : 0;
      expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(left);
      await expectEmpty(space);
      await succeed(space, "export", "--out", "live");
      await expectEmpty(space, "live");
      if (!isOrganization) {
        await configure(configurationAt(at.slice(0, -2), {}));
        // Import chooses how a person is declared: a member by a membership, and an open invite by itself.
        const isPerson = of.keyedByEmail === true;
        await succeed(
          space,
          "import",
          "--yes",
          ...(isPerson ? ["--all"] : ["--only", `${at.join("/")}=${String(stored().id)}`]),
        );
        await expectEmpty(space);
        const { changes: imported } = await space.plan();
        expect(imported.map(({ id }) => id)).toContain(idOf(stored()));
      }

      await configure(configAt(at, isOrganization ? { name: values["name"] } : values, { state: "absent" }));
      await applied(isOrganization ? ["--confirm-organization", String(values["name"])] : []);
      expect(emulator.find(created, isOurs)).toEqual([]);
      await expectEmpty(space);
      expect(emulator.requests.filter(({ status }) => (status ?? 0) >= 400 && status !== 404)).toEqual([]);
      steps.push([
        dialect,
        kind,
        at.join("/"),
        specimen.adopted === true ? "adopted" : "created",
        `${String(changed)} fields changed`,
        "drift put right",
        "drift accepted",
        isOrganization ? "exported" : "exported and imported",
        "removed",
      ]);
    },
  );
});

afterAll(() => {
  const widths = (steps[0] ?? []).map((_cell, column) => Math.max(...steps.map((row) => row[column]?.length ?? 0)));
  console.log(steps.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n"));
});
