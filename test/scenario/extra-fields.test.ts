/** Fields that driftline has no name for, over their whole life: declared, drifted, accepted, exported, carried over. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ACME, NOOP, one, config, seedOf } from "../support/acme.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/domains/corp";
const DOMAIN = { domain: "acme.com", extra_fields: { new_setting: { a: 1 } } };

async function withDomain(fields: object = DOMAIN): Promise<Workspace> {
  const space = await workspace({ seed: seedOf() });
  space.emulator.setLaterFields("domains", { new_setting: { write: "kept" }, hook_token: { write: "kept" } });
  await space.configure(config({ domains: { corp: fields } }));
  return space;
}

/** Writes fields of the only domain, as another client does. */
async function edit({ emulator }: Workspace, fields: object): Promise<void> {
  const { id } = one(emulator.find("domain"));
  const path = `/api/organizations/${ACME}/domains/${String(id)}/`;
  const headers = { authorization: `Bearer ${emulator.key}`, "content-type": "application/json" };
  const { status } = await fetch(emulator.url + path, { method: "PATCH", headers, body: JSON.stringify(fields) });
  expect(status).toBe(200);
}

describeDialects(
  "an extra field",
  () => {
    it("is sent with a create, and then nothing differs", async () => {
      const space = await withDomain();
      await space.apply();
      const { body } = space.emulator.requests.find(({ method }) => method === "POST") ?? {};
      expect(body).toMatchObject({ new_setting: { a: 1 } });
      expect((await space.plan()).summary).toMatchObject({ no_op: 2, update: 0 });
    });

    it("differs by its own name, and is accepted where it is declared", async () => {
      const space = await withDomain();
      await space.apply();
      await edit(space, { new_setting: { a: 2 } });
      const { document } = await space.drift();
      expect(document.changes.find(({ address }) => address === ADDRESS)?.fields).toEqual([
        { path: "/new_setting/a", prior: 2, planned: 1 },
      ]);
      await space.run(["drift", "--accept", "--yes"]);
      expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toMatch(
        /extra_fields:\s+new_setting:\s+a: 2/u,
      );
      expect((await space.plan()).summary).toMatchObject({ no_op: 2, update: 0 });
    });

    it("is changed in place, and left alone once it is not declared", async () => {
      const space = await withDomain();
      await space.apply();
      await space.configure(config({ domains: { corp: { ...DOMAIN, extra_fields: { new_setting: "x" } } } }));
      await space.apply();
      await space.configure(config({ domains: { corp: { domain: "acme.com" } } }));
      expect((await space.plan()).summary).toMatchObject({ no_op: 2 });
      const { stdout } = await space.run(["export", "--all-fields"]);
      expect(stdout).toContain("extra_fields: { new_setting: x }");
      await space.configure(stdout);
      expect(await space.run(["plan"])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Nothing differs/u) as string,
      });
      expect((await space.run(["export"])).stdout).not.toContain("extra_fields");
    });

    it("is named by the outcome if the service ignores it", async () => {
      const space = await withDomain({ ...DOMAIN, extra_fields: { unheard: 1 } });
      const { changes } = await space.apply([], 14);
      const outcome = changes.find(({ address }) => address === ADDRESS);
      expect(outcome).toMatchObject({ status: "unverified", error: { paths: ["/unheard"] } });
      expect(outcome?.error?.hint).toMatchInlineSnapshot(
        `"The service may not know what stands in extra_fields. Check the name, or remove it."`,
      );
      const { diagnostics, summary } = await space.plan();
      expect([summary.update, diagnostics.map(({ code }) => code)]).toEqual([1, ["field_not_shown"]]);
    });

    it("is shown nowhere if it sounds like a secret", async () => {
      const space = await withDomain({ ...DOMAIN, extra_fields: { hook_token: "${env:HOOK}" } });
      const env = { HOOK: "hush-0123456789" };
      const shown = [await space.run(["plan"], { env }), await space.run(["apply", "--yes"], { env })];
      await edit(space, { hook_token: "hush-9876543210" });
      shown.push(await space.run(["drift", "--format", "json"], { env }));
      shown.push(await space.run(["drift", "--accept", "--yes"], { env }), await space.run(["export", "--all-fields"]));
      expect(JSON.stringify(shown)).not.toMatch(/hush-\d/u);
      expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toContain("${env:HOOK}");
    });
  },
  ALL_DIALECTS,
);

describeDialects(
  "an extra field of an export",
  () => {
    it("survives the replace of an export, which names one that the service refuses", async () => {
      const space = await workspace({ seed: seedOf() });
      const { emulator } = space;
      emulator.setLaterFields("batch_exports", { new_setting: { write: "kept" }, other: { write: "refused" } });
      const nightly = {
        name: "Nightly",
        interval: "day",
        destination: { type: "HTTP", config: { url: "https://eu.i.posthog.com/batch/", token: "t-0123456789" } },
      };
      const exports = (fields: object) =>
        config({ projects: { web: { id: "2", batch_exports: { nightly: { ...nightly, ...fields } } } } });
      await space.configure(exports({ extra_fields: { new_setting: { b: [1] } } }));
      await space.apply();
      await space.configure(exports({ destination: NOOP }));
      emulator.setLaterFields("batch_exports", {
        new_setting: { write: "kept" },
        other: { value: 5, write: "refused" },
      });
      const before = one(emulator.find("batch_export")).id;
      const { changes } = await space.apply([], 1);
      expect(changes.find(({ action }) => action === "replace")?.error?.message).toContain("(other)");
      expect(one(emulator.find("batch_export")).id).toBe(before);
      emulator.setLaterFields("batch_exports", { new_setting: { write: "kept" } });
      emulator.clearRequests();
      await space.apply();
      const { body } = emulator.requests.find(({ method }) => method === "POST") ?? {};
      expect(body).toMatchObject({ new_setting: { b: [1] }, destination: { type: "NoOp" } });
      expect(one(emulator.find("batch_export")).id).not.toBe(before);
    });
  },
  ["deployed", "current"],
);
