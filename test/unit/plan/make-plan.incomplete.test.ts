import { describe, expect, it } from "vitest";
import type { ValueObject } from "../../../src/model/json/json.ts";
import type { Lifecycle, Resource } from "../../../src/model/resource.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { declare, live, plan } from "./world.ts";

function ruleOf(resource: Resource, world: Parameters<typeof plan>[1]): string | null {
  const [change] = plan([resource], world).changes;
  return change?.blocked?.rule ?? null;
}

describe("a replace of a resource that declares little besides its pin", () => {
  const pin = { pin: { field: "id", value: "i-1" } };
  const rows = { "invites.list": [{ id: "i-1", target_email: "a@acme.com", level: 1, is_expired: true }] };
  const invite = (values: ValueObject, lifecycle: Lifecycle = {}): Resource =>
    declare("acme/invites/i", values, { ...pin, lifecycle });

  it("creates the new object with the values that the service shows of the old one", () => {
    const pending = { "invites.list": rows["invites.list"].map((row) => ({ ...row, is_expired: false })) };
    const [change] = plan([invite({ level: 8 })], live(pending)).changes;
    expect(change?.work?.body).toEqual({ target_email: "a@acme.com", level: 8 });
    expect(ruleOf(invite({}, { renew: true }), live(rows))).toBeNull();
  });

  it("is allowed if all required fields are declared", () => {
    const whole = { target_email: "a@acme.com", level: 8 };
    expect(ruleOf(invite(whole, { renew: true }), live(rows))).toBeNull();
  });

  it("is not needed to delete an object or to leave it unchanged", () => {
    expect(ruleOf(invite({}, { state: "absent" }), live(rows))).toBeNull();
    expect(ruleOf(invite({}), live(rows))).toBeNull();
  });

  it("is blocked if the service does not show a required field, and the block names the field", () => {
    const to = (type: string): ValueObject => ({ destination: { type, config: {} } });
    const exported = declare("acme/batch_exports/e", to("Postgres"), { pin: { field: "id", value: "e-1" } });
    const row = { id: "e-1", destination: { type: "S3", config: {} }, schema: null };
    const blocked = plan([exported], live({ "batch_exports.list": [row] })).changes[0]?.blocked;
    expect(blocked).toEqual({ rule: "incomplete", lift: expect.stringMatching(/\bname\b.*\binterval\b/) as string });
    expect(sentencesOf(blocked)).toMatchSnapshot();
  });
});
