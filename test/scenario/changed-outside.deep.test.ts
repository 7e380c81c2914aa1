/**
 * What somebody does in the web interface to objects that a configuration declares: renamed, renamed and edited, or deleted,
 * with a pin and without. Nothing is ever made twice.
 */
import { liftInJson } from "../support/lift.ts";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { EmulatedKind } from "../../src/emulator/index.ts";
import { ACME, NOOP, QUERY, applyJson, changeOf, config, one, planJson, seedOf, web } from "../support/acme.ts";
import { planOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

interface Subject {
  readonly kind: EmulatedKind;
  readonly address: string;
  readonly declare: (resource: object) => object;
  readonly values: Readonly<Record<string, unknown>>;
  /** Undefined for a kind whose name never changes. */
  readonly renamed?: object;
  readonly edited: object;
  /** The path that deletes it, below `/api/`. */
  readonly path: (id: string) => string;
  /** The declared values are enough to recognize it under another name. */
  readonly isRecognized?: true;
  /** Its name alone is enough to recognize it after it was edited. */
  readonly isLikely?: true;
}

const plugin = (kind: "pipeline_destination" | "pipeline_frontend_app" | "pipeline_import_app"): Subject => ({
  kind,
  address: `acme/${kind}s/it`,
  declare: (declared) => config({ [`${kind}s`]: { it: declared } }),
  values: { name: "Sink", plugin_type: "source", description: "declared" },
  renamed: { name: "Renamed" },
  edited: { description: "live" },
  path: (id) => `organizations/${ACME}/${kind}s/${id}/`,
});

const SUBJECTS: readonly Subject[] = [
  {
    kind: "insight",
    address: "acme/projects/web/insights/it",
    declare: (declared) => web({ insights: { it: declared } }),
    values: { name: "Signups", query: QUERY, description: "declared" },
    renamed: { name: "Renamed" },
    edited: { description: "live" },
    path: (id) => `projects/2/insights/${id}/`,
    isRecognized: true,
    isLikely: true,
  },
  {
    kind: "batch_export",
    address: "acme/projects/web/batch_exports/it",
    declare: (declared) => web({ batch_exports: { it: declared } }),
    values: { name: "Nightly", interval: "day", destination: NOOP },
    renamed: { name: "Renamed" },
    edited: { interval: "hour" },
    path: (id) => `projects/2/batch_exports/${id}/`,
    isRecognized: true,
  },
  {
    kind: "domain",
    address: "acme/domains/it",
    declare: (declared) => config({ domains: { it: declared } }),
    values: { domain: "acme.com", saml_entity_id: "urn:declared" },
    edited: { saml_entity_id: "urn:live" },
    path: (id) => `organizations/${ACME}/domains/${id}/`,
  },
  {
    kind: "invite",
    address: "acme/invites/it",
    declare: (declared) => config({ invites: { it: declared } }),
    values: { target_email: "eve@acme.com", level: "member" },
    edited: {},
    path: (id) => `organizations/${ACME}/invites/${id}/`,
  },
  plugin("pipeline_destination"),
  plugin("pipeline_frontend_app"),
  plugin("pipeline_import_app"),
];

interface Applied extends Workspace {
  readonly id: string;
  readonly edit: (fields: object) => void;
  /** Objects of the kind that are not deleted. */
  readonly count: () => number;
}

/** The subject as it was applied, with its id pinned or not. */
async function applied({ kind, values, declare }: Subject, isPinned: boolean): Promise<Applied> {
  const space = await workspace({ seed: seedOf() });
  await space.configure(declare(values));
  await space.apply();
  const { id } = one(space.emulator.find(kind));
  // It was created long ago, so no run waits for a list that may lag behind its create.
  await rm(join(space.folder, "state"), { recursive: true });
  if (isPinned) await space.configure(declare({ id, ...values }));
  expect((await space.drift()).code).toBe(0);
  return {
    ...space,
    id: String(id),
    edit: (fields) => void space.emulator.edit(kind, id, fields as never),
    count: () => space.emulator.find(kind, (object) => object["deleted"] !== true).length,
  };
}

async function deleteOutside({ emulator }: Workspace, subject: Subject, id: string): Promise<void> {
  if (subject.kind === "insight") return void emulator.edit("insight", Number(id), { deleted: true });
  const remove = async (path: string): Promise<boolean> => {
    const headers = { Authorization: `Bearer ${emulator.key}` };
    return (await fetch(`${emulator.url}/api/${path}`, { method: "DELETE", headers })).ok;
  };
  // Deployed servers show a plugin without capabilities only as a frontend app.
  const elsewhere = subject.path(id).replace(/pipeline_\w+/, "pipeline_frontend_apps");
  expect((await remove(subject.path(id))) || (await remove(elsewhere))).toBe(true);
}

const rows = SUBJECTS.map((subject) => [subject.kind, subject] as const);
const nameable = rows.filter(([, { renamed }]) => renamed !== undefined);

describeDialects("with a pin", () => {
  it.each(nameable)("a %s that was renamed and edited is drift, which apply puts right", async (_kind, subject) => {
    const space = await applied(subject, true);
    for (const change of [{ ...subject.renamed }, { ...subject.renamed, ...subject.edited }]) {
      space.edit(change);
      const { code, document } = await space.drift();
      const found = document.changes.find(({ address }) => address === subject.address);
      expect([code, found]).toEqual([2, expect.objectContaining({ action: "update", id: space.id, blocked: null })]);
      await space.apply();
      expect(one(space.emulator.find(subject.kind))).toMatchObject({ name: subject.values["name"] });
      expect((await space.drift()).code).toBe(0);
    }
  });

  it.each(rows)("a %s that was deleted is missing, and comes back once", async (kind, subject) => {
    const space = await applied(subject, true);
    await deleteOutside(space, subject, space.id);
    expect((await space.drift()).code).toBe(2);
    if (kind === "insight") {
      expect(changeOf(await planJson(space), subject.address)).toMatchObject({ action: "restore", id: space.id });
      await space.apply();
      expect(String(one(space.emulator.find(kind)).id)).toBe(space.id);
    } else {
      expect((await planJson(space)).code).toBe(13);
      expect((await applyJson(space)).code).toBe(13);
      expect(space.count()).toBe(0);
      await space.apply(["--recreate", subject.address]);
    }
    await space.apply();
    expect([space.count(), (await space.drift()).code]).toEqual([1, 0]);
  });
});

describeDialects("without a pin", () => {
  it.each(nameable)("a %s that was renamed is recognized if its values cannot be chance", async (_kind, subject) => {
    const space = await applied(subject, false);
    space.edit({ ...subject.renamed });
    expect((await space.drift()).code).toBe(2);
    const planned = await planJson(space);
    const { action, blocked } = changeOf(planned, subject.address);
    if (subject.isRecognized === true) {
      expect([planned.code, action, blocked?.rule]).toEqual([13, "create", "forgotten_rename"]);
      expect(liftInJson(blocked)).toContain(`id: ${space.id}`);
      expect((await applyJson(space)).code).toBe(13);
      expect(space.count()).toBe(1);
    } else expect([planned.code, action, blocked]).toEqual([0, "create", null]);
    // The way out that every kind has: a pin.
    await space.configure(subject.declare({ id: one(space.emulator.find(subject.kind)).id, ...subject.values }));
    await space.apply();
    expect([space.count(), (await space.drift()).code]).toEqual([1, 0]);
  });

  it.each(nameable)("a %s that was renamed and edited is created again, with a warning", async (_kind, subject) => {
    const space = await applied(subject, false);
    space.edit({ ...subject.renamed, ...subject.edited });
    const planned = await planJson(space);
    expect([planned.code, changeOf(planned, subject.address).action]).toEqual([0, "create"]);
    const codes = planOf(planned).diagnostics.map(({ code }) => code);
    expect(codes.includes("probable_rename")).toBe(subject.isLikely === true);
    const pins = planOf(planned).diagnostics.filter(({ hint }) =>
      hint?.includes(`driftline pin --only ${subject.address}=${space.id}`),
    );
    expect(pins).toHaveLength(subject.isLikely === true ? 1 : 0);
    await space.apply();
    await space.apply();
    expect([space.count(), (await space.drift()).code]).toEqual([2, 0]);
  });

  it.each(rows)("a %s that was deleted is created once", async (_kind, subject) => {
    const space = await applied(subject, false);
    await deleteOutside(space, subject, space.id);
    expect((await space.drift()).code).toBe(2);
    expect(changeOf(await planJson(space), subject.address).action).toBe("create");
    await space.apply();
    await space.apply();
    expect([space.count(), (await space.drift()).code]).toEqual([1, 0]);
  });
});
