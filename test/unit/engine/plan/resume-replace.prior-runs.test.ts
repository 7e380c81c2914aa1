/** What earlier runs left, as a plan takes it up. */
import { describe, expect, it } from "vitest";
import type { OpenIntent } from "../../../../src/apply/journal/intents.ts";
import { resumeReplaces } from "../../../../src/engine/plan/resume-replace.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { ACME, declare, live, plan } from "../../plan/world.ts";

const URL = "https://analytics.example";

describe("an interrupted replace", () => {
  it("goes on with the values that the last try kept, as apply does", () => {
    const world = live({ "invites.list": [] });
    const made = plan([declare("acme/invites/bob", { target_email: "bob@acme.com", message: "Hi" })], world);
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
    const [change] = resumeReplaces(made, [intent("1", { message: "Old" }), intent("2", { level: 8 })], world).changes;
    expect(change?.work?.body).toEqual({ target_email: "bob@acme.com", message: "Hi", level: 8 });
  });
});
