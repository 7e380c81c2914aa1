import { describe, expect, it } from "vitest";
import type { OpenIntent } from "../../../../src/apply/journal/intents.ts";
import { resumeReplaces } from "../../../../src/engine/plan/resume-replace.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { SENSITIVE } from "../../../../src/model/secret-values.ts";
import { intentOf } from "../../apply/support.ts";
import { ACME, declare, live, plan } from "../../plan/world.ts";

const EVE = declare("acme/invites/eve", { target_email: "eve@acme.com", message: "Hi" });
const EMPTY = live({ "invites.list": [] }, { "project_batch_exports.list": [] });

const interrupted = (carried: JsonObject | undefined, more: Partial<OpenIntent> = {}): OpenIntent =>
  intentOf({ kind: "invite", scope: { organization_id: ACME.id }, key: "eve@acme.com", carried, ...more });

describe("a create after an interrupted replace", () => {
  it("keeps what is not declared, shows it, and can tell it from the rest", () => {
    const [change] = resumeReplaces(plan([EVE], EMPTY), [interrupted({ level: 8, message: "Old" })], EMPTY).changes;
    expect(change?.work).toMatchObject({
      body: { target_email: "eve@acme.com", message: "Hi", level: 8 },
      carried: { level: 8 },
    });
    expect(change?.fields.at(-1)).toEqual({ path: "/level", prior: null, planned: 8 });
  });

  it("does not show a secret that it keeps", () => {
    const e = declare("acme/projects/web/batch_exports/e", { name: "E", interval: "hour" });
    const destination = { type: "HTTP", config: { token: "hush-hush" } };
    const intent = interrupted({ destination }, { kind: "batch_export", scope: { project_id: "2" }, key: "E" });
    const [change] = resumeReplaces(plan([e], EMPTY), [intent], EMPTY).changes;
    expect(change?.work?.body).toMatchObject({ destination });
    expect(change?.fields.at(-1)?.planned).toEqual({ type: "HTTP", config: { token: SENSITIVE } });
  });

  it("says whether the whole of it sends an e-mail", () => {
    const made = plan([EVE], EMPTY);
    const [loud] = made.changes;
    const [quiet] = resumeReplaces(made, [interrupted({ send_email: false })], EMPTY).changes;
    const [same] = resumeReplaces(made, [interrupted({ level: 8 })], EMPTY).changes;
    const note = (reason = ""): string => reason.split("; ").slice(0, -1).join("; ");
    expect([note(same?.reason) === loud?.reason, note(quiet?.reason) === loud?.reason]).toEqual([true, false]);
  });

  it.each<[string, Partial<OpenIntent>]>([
    ["the replace was of another object", { key: "bob@acme.com" }],
    ["it was in another scope", { scope: { organization_id: "b" } }],
    ["it was of another kind", { kind: "domain" }],
    ["nothing was carried", { carried: undefined }],
    ["all of it is declared by now", { carried: { message: "Old" } }],
  ])("stays as it is if %s", (_name, more) => {
    const made = plan([EVE], EMPTY);
    expect(resumeReplaces(made, [interrupted({ level: 8 }, more)], EMPTY)).toEqual(made);
  });

  it("is the only change that takes such values", () => {
    const listed = live({ "invites.list": [{ id: "i", target_email: "eve@acme.com", level: 1, message: "Old" }] });
    const made = plan([EVE], listed);
    expect(made.changes[0]?.action).toBe("replace");
    expect(resumeReplaces(made, [interrupted({ level: 8 })], listed)).toEqual(made);
  });
});
