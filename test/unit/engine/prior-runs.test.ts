/** What earlier runs left, as a plan takes it up. */
import { describe, expect, it } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import type { OpenIntent } from "../../../src/apply/journal/intents.ts";
import { addRecentCreates, resumeReplaces } from "../../../src/engine/prior-state.ts";
import { requireSameSource } from "../../../src/engine/saved-plan.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { PlanDocument } from "../../../src/model/plan.ts";
import { ACME, declare, graphOf, live, plan } from "../plan/world.ts";

const URL = "https://analytics.example";

describe("an object that an earlier run created", () => {
  it("is not read and added again if the list has it under another name", async () => {
    const snapshot = live({}, { "insights.list": [{ id: 7, short_id: "abcdefgh", name: "B" }] });
    const { changes } = plan([declare("acme/projects/web/insights/a", { name: "A" })], snapshot);
    const client = { url: URL, request: () => Promise.reject(new Error("it is listed")) } as unknown as Client;
    const made = { id: "i", url: URL, kind: "insight", scope: { project_id: "2" }, key: "A", payload: "", at: 0 };
    expect(await addRecentCreates(client, snapshot, changes, [{ ...made, made: "7" }])).toBeUndefined();
  });
});

describe("an interrupted replace", () => {
  it("goes on with the values that the last try kept, as apply does", () => {
    const snapshot = live({ "invites.list": [] });
    const made = plan([declare("acme/invites/bob", { target_email: "bob@acme.com", message: "Hi" })], snapshot);
    const intent = (id: string, carried: JsonObject): OpenIntent => ({
      id,
      url: URL,
      kind: "invite",
      scope: { organization_id: ACME.id },
      key: "bob@acme.com",
      payload: "",
      known: [],
      at: 0,
      carried,
    });
    const [change] = resumeReplaces(
      made,
      [intent("1", { message: "Old" }), intent("2", { level: 8 })],
      snapshot,
    ).changes;
    expect(change?.work?.body).toEqual({ target_email: "bob@acme.com", message: "Hi", level: 8 });
  });
});

describe("a plan of another configuration", () => {
  it("does not name a resource because the plan removes a key from it that was never declared", () => {
    const address = "acme/projects/web/insights/a";
    const saved = {
      type: "driftline.plan",
      config_hash: "sha256:a",
      url: URL,
      options: { prune: false, only: [], rotate: [] },
      changes: [{ address, action: "update", fields: [{ path: "/query/extra", prior: 1, planned: null }] }],
    } as unknown as PlanDocument;
    const graph = graphOf([declare(address, { query: { kind: "TrendsQuery" } }, { position: { file: "a.yaml" } })]);
    const check = (): void => requireSameSource(saved, "p.json", "sha256:b", URL, { graph, files: ["b.yaml"] });
    expect(check).toThrow(expect.objectContaining({ diagnostics: [expect.objectContaining({ code: "stale_plan" })] }));
    expect(check).toThrow("b.yaml");
    expect(check).not.toThrow(address);
  });
});
