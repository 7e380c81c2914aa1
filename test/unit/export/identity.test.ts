import { describe, expect, it } from "vitest";
import { exportConfiguration } from "../../../src/export/export.ts";
import { keysAt, acme, at, batchExport, exported, live, plugin, uuid } from "./helpers.ts";

describe("identity", () => {
  it("is pinned, with the id as the first field", () => {
    const found = exported(
      acme({ domain: [live("domain", uuid(3), { domain: "acme.com" })] }, [{ id: "2", name: "Web", lists: {} }]),
    );
    expect(Object.keys(found).slice(0, 2)).toEqual(["id", "name"]);
    expect(at(found, "domains")).toEqual({ "acme-com": { id: uuid(3), domain: "acme.com" } });
    expect(at(found, "projects")).toEqual({ web: { id: "2", name: "Web" } });
  });

  it("is the name if ids are off", () => {
    const found = exported(acme({}, [{ id: "2", name: "2024", lists: {} }]), false);
    expect(found).toEqual({ name: "Acme Inc", projects: { "project-2024": { name: "2024" } } });
  });

  it("has unique logical names that are never empty", () => {
    const objects = ["Über uns", "über-uns", "日本", "中国"].map((name, index) => batchExport(index + 1, name));
    const names = keysAt(exported(acme({ batch_export: objects })), "batch_exports");
    expect(names.toSorted()).toEqual(["uber-uns", "uber-uns-2", "中国", "日本"]);
  });

  it("of two objects with one name: both are exported with ids, none without, because a plan could not distinguish them", () => {
    const organization = acme({ batch_export: [batchExport(2, "x"), batchExport(1, "x")] });
    expect(at(exported(organization), "batch_exports")).toMatchObject({ x: { id: uuid(1) }, "x-2": { id: uuid(2) } });
    const { files, diagnostics } = exportConfiguration([organization], { ids: false });
    expect(files[0]?.text).not.toContain("batch_exports");
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "ambiguous_key", address: "acme-inc" }]);
    for (const id of [uuid(1), uuid(2)]) expect(diagnostics[0]?.message).toContain(id);
  });

  it("of an insight without a name: its id, and without ids it is left out", () => {
    const organization = acme({}, [
      { id: "2", name: "Web", lists: { insight: [live("insight", "5", { name: null, saved: false })] } },
    ]);
    expect(at(exported(organization), "projects", "web", "insights")).toEqual({ insight: { id: 5, saved: false } });
    const { files, diagnostics } = exportConfiguration([organization], { ids: false });
    expect(files[0]?.text).not.toContain("insights");
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "no_natural_key" }]);
  });

  it("of two projects with one name: both are exported with ids, none without", () => {
    const organization = acme(
      {},
      ["2", "3"].map((id) => ({ id, name: "Web", lists: {} })),
    );
    expect(at(exported(organization), "projects")).toEqual({
      web: { id: "2", name: "Web" },
      "web-2": { id: "3", name: "Web" },
    });
    expect(exported(organization, false)).not.toHaveProperty("projects");
    const { diagnostics } = exportConfiguration([organization], { ids: false });
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "ambiguous_key", address: "acme-inc" }]);
  });

  it("of a batch export that a project lists is in the project", () => {
    const one = batchExport(1, "x");
    const found = exported(
      acme({ batch_export: [one, batchExport(2, "y")] }, [{ id: "2", name: "Web", lists: { batch_export: [one] } }]),
    );
    expect(keysAt(found, "batch_exports")).toEqual(["y"]);
    expect(keysAt(found, "projects", "web", "batch_exports")).toEqual(["x"]);
  });

  it("of two plugins with the same id: the second is found by its name", () => {
    const lists = {
      pipeline_destination: [plugin("pipeline_destination", "1", { name: "a" })],
      pipeline_import_app: [plugin("pipeline_import_app", "1", { name: "b" })],
    };
    expect(exported(acme(lists))).toMatchObject({
      pipeline_destinations: { a: { id: 1 } },
      pipeline_import_apps: { b: { name: "b" } },
    });
    expect(at(exported(acme(lists)), "pipeline_import_apps", "b")).not.toHaveProperty("id");
  });

  it("of deleted objects and placeholders is not exported", () => {
    const gone = [live("insight", "1", { name: "x" }, { state: "deleted" })];
    const found = exported(
      acme({ invite: [live("invite", uuid(1), {}, { state: "placeholder", keys: ["a@b.co"] })] }, [
        { id: "2", name: "Web", lists: { insight: gone } },
      ]),
    );
    expect(found).toEqual({ id: uuid(1), name: "Acme Inc", projects: { web: { id: "2", name: "Web" } } });
  });
});
