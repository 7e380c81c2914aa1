import { describe, expect, it } from "vitest";
import { readsForWarnings, reviewWarnings } from "../../../../src/engine/plan/review-warnings.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import { ACME, declare, live, plan, unreadable } from "../../plan/world.ts";

const codesOf = (diagnostics: readonly Diagnostic[]): readonly string[] => diagnostics.map(({ code }) => code);

describe("what a change would do to others", () => {
  const organization = declare("acme", { name: "Acme Inc", enforce_2fa: true });
  const owner = (has2fa: boolean) => ({
    id: "m",
    level: 15,
    is_2fa_enabled: has2fa,
    user: { uuid: "u", email: "ada@acme.com" },
  });
  const root = { "organizations.list": [{ ...ACME, enforce_2fa: false }] };

  it.each([
    [[owner(false)], ["people_without_2fa"]],
    [[owner(true)], []],
  ])("is seen in the lists of its organization: %j", (members, codes) => {
    const snapshot = live({ "members.list": members }, {}, root);
    const { changes } = plan([organization], snapshot);
    expect(codesOf(reviewWarnings(snapshot, changes))).toEqual(codes);
  });

  it("is only looked up where the plan has not read it", () => {
    const without = live({}, {}, root);
    const { changes } = plan([organization], without);
    expect(readsForWarnings(without, changes)).toEqual([{ scope: "acme", kind: "member", full: false }]);
    expect(readsForWarnings(live({ "members.list": [] }, {}, root), changes)).toEqual([]);
    expect(readsForWarnings(without, plan([declare("acme", { name: "Acme Inc" })], without).changes)).toEqual([]);
  });

  it("is not claimed if the list could not be read", () => {
    const snapshot = unreadable(live({ "members.list": [owner(false)] }, {}, root), "acme", "member");
    expect(reviewWarnings(snapshot, plan([organization], snapshot).changes)).toEqual([]);
  });
});
