/** An open invite is replaced only for a reason that will not come again every night. */
import { expect, it } from "vitest";
import { ignoredField, resentInvite } from "../../../../src/kinds/people/resend.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { ChangeWithWork } from "../../../../src/model/change.ts";
import type { JsonObject, ValueObject } from "../../../../src/model/json/json.ts";
import { liftOf } from "../../../support/lift.ts";
import { changeOf, checked, declare, live, plan } from "../../plan/world.ts";

const EVE = "acme/invites/eve";
const MADE = "2026-01-01T00:00:00Z";
const HOUR = 60 * 60_000;
const LEVEL = { level: 8 };
const PINNED = { pin: { field: "id", value: "i" } };
const MESSAGE = { message: "Welcome" };

interface Circumstances {
  /** The age of the invite in hours; undefined if the run does not know the time. */
  readonly age?: number | undefined;
  readonly renew?: boolean;
  readonly only?: readonly string[];
  /** What an earlier run declared, and the service ignored, of which fields. */
  readonly ignored?: ValueObject;
  readonly row?: JsonObject;
}

/** The block of an invite with declared values that the live one does not have. */
function blockOf(values: ValueObject, { age, renew = false, only = [], ignored = {}, row = {} }: Circumstances) {
  const invite = { id: "i", target_email: "eve@acme.com", level: 1, message: "Hello", created_at: MADE, ...row };
  const world = live({ "members.list": [], "invites.list": [invite] });
  const planned = (more: ValueObject) =>
    plan(
      [declare(EVE, { target_email: "eve@acme.com", ...more }, { ...PINNED, lifecycle: renew ? { renew } : {} })],
      world,
    );
  const before = changeOf(planned({ ...values, ...ignored }), EVE) as ChangeWithWork;
  const known = new Set(Object.keys(ignored).map((field) => ignoredField(world, before, field)));
  const memory = age === undefined ? undefined : { now: Date.parse(MADE) + age * HOUR, ignoredByService: known };
  const made = checked(planned(values), [resentInvite], worldOf(world), { ...(memory && { memory }), only });
  const { action, blocked } = changeOf(made.plan, EVE);
  expect(action).toBe("replace");
  return blocked;
}

it.each<[string, ValueObject, Circumstances, RegExp | null]>([
  ["message alone, without renew", MESSAGE, { age: 25 }, /lifecycle\.renew/u],
  ["message alone, with renew, within a day", MESSAGE, { age: 23, renew: true }, /a day old/u],
  ["message alone, with renew, after a day", MESSAGE, { age: 24, renew: true }, null],
  ["message alone, although it is asked for", MESSAGE, { age: 25, only: [EVE] }, /lifecycle\.renew/u],
  ["level within a day", LEVEL, { age: 23 }, /a day old.*driftline apply --only acme\/invites\/eve/u],
  ["level within a day, if it is asked for", LEVEL, { age: 23, only: [EVE] }, null],
  ["level within a day, if another one is asked for", LEVEL, { age: 23, only: ["acme/invites/x"] }, /a day old/u],
  ["level after a day", LEVEL, { age: 24 }, null],
  ["level and message after a day", { ...LEVEL, ...MESSAGE }, { age: 24 }, null],
  ["level, if the time is not known", LEVEL, {}, /a day old/u],
  ["level, if the service does not say when it was sent", LEVEL, { age: 50, row: { created_at: null } }, /a day old/u],
  ["level, if the service ignored it before", LEVEL, { age: 50, ignored: LEVEL }, /ignored level.*--only/u],
  [
    "level and message, if the service ignored both",
    { ...LEVEL, ...MESSAGE },
    { age: 50, ignored: { ...LEVEL, ...MESSAGE } },
    /ignored (level, message|message, level) before/u,
  ],
  ["level, if the service ignored it, and it is asked for", LEVEL, { age: 50, ignored: LEVEL, only: [EVE] }, null],
  ["level, if the service ignored another one", LEVEL, { age: 50, ignored: { level: 15 } }, null],
  ["level, if only the message was ignored", { ...LEVEL, ...MESSAGE }, { age: 50, ignored: MESSAGE }, null],
  ["level, if the rest is never shown", { ...LEVEL, send_email: false }, { age: 50, ignored: LEVEL }, /ignored level/u],
  ["address within a day", { target_email: "eve@acme.io" }, { age: 23 }, /a day old.*--only/u],
  ["message, if it has expired", MESSAGE, { age: 1, renew: true, row: { is_expired: true } }, null],
])("an invite is replaced for its %s: or not", (_name, values, circumstances, lift) => {
  const blocked = blockOf(values, circumstances);
  expect(blocked?.rule).toBe(lift === null ? undefined : "resend");
  if (lift !== null) expect(liftOf(blocked)).toMatch(lift);
});

it("a member who is to get another level is no invite", () => {
  const world = live({
    "members.list": [{ id: "m", level: 1, user: { uuid: "u", email: "eve@acme.com" } }],
    "invites.list": [],
  });
  const made = plan([declare("acme/memberships/eve@acme.com", { level: 8 })], world);
  expect(checked(made, [resentInvite], worldOf(world)).plan.changes).toMatchObject([
    { action: "update", blocked: null },
  ]);
});
