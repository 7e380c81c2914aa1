import { describe, expect, it } from "vitest";
import { createCall, createPayload } from "../../../src/kinds/create-call.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { change, INSIGHTS, NO_OP, world } from "../apply/support.ts";

const creates: readonly (readonly [KindName, string, JsonObject, key: string])[] = [
  ["organization", "", { name: "Beta" }, "Beta"],
  ["domain", "acme", { domain: "a.com" }, "a.com"],
  ["invite", "acme", { target_email: "eve@acme.com", level: 1 }, "eve@acme.com"],
  ["membership", "acme", { level: 1 }, "eve@acme.com"],
  ["batch_export", "acme", { name: "E", interval: "hour", destination: NO_OP, paused: false }, "E"],
  ["batch_export", INSIGHTS.scope, { name: "E", interval: "hour", destination: NO_OP, paused: false }, "E"],
  ["batch_export", "acme", { name: "E", interval: "hour", destination: NO_OP }, "E"],
  ["pipeline_destination", "acme", { name: "Sink" }, "Sink"],
  ["insight", INSIGHTS.scope, { name: "Signups" }, "Signups"],
];

describe("the payload of a create", () => {
  it.each(creates)("of %s in %j is the one that the journal records", async (name, scope, values, key) => {
    const kind = kinds[name];
    const given = world();
    await given.apply(change(name, values, { scope, name: key }));
    const call = createCall(kind, scope, values, kind.identity.declaredKeys(values, key)[0] ?? "");
    expect(given.journal.made.map(({ payload }) => payload)).toEqual([createPayload(call ?? {})]);
  });

  // Journals of earlier releases hold these hashes.
  it("never changes for the same body", () => {
    const call = createCall(kinds.batch_export, "acme", { name: "E", paused: false }, "E");
    expect(call?.body).toEqual({ name: "E", paused: true });
    expect(createPayload(call ?? {})).toBe("sha256:e7001a3f15f55bc5da0daf5825893720081dd3f41aaf6e4152efaac80f194c17");
  });

  it("leaves out a null in a field that no read shows, and keeps any other", () => {
    const values = { name: "E", start_at: null, hogql_query: null };
    const call = createCall(kinds.batch_export, "acme", values, "E");
    expect(call?.body).toEqual({ name: "E", start_at: null, paused: true });
    expect(createCall(kinds.batch_export, "acme", { hogql_query: "SELECT 1" }, "E")?.body).toHaveProperty(
      "hogql_query",
    );
  });

  it("does not exist for a kind that cannot be created", () => {
    expect(createCall(kinds.member, "acme", { level: 1 }, "eve@acme.com")).toBeUndefined();
  });
});
