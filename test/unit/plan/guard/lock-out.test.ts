import { describe, expect, it } from "vitest";
import { lockOutBlock, type LockOut } from "../../../../src/plan/guard/lock-out.ts";
import { changeOf, declare, live, plan } from "../world.ts";

const CHANGE = changeOf(plan([declare("acme", { name: "Acme Inc", enforce_verified_domains: true })], live()), "acme");
const people = (...emails: readonly string[]): LockOut["people"] => emails.map((email) => ({ email }));

describe("a setting that locks people out", () => {
  it("is not blocked if it is known that nobody is outside", () => {
    expect(lockOutBlock(CHANGE, { people: [] }, undefined)).toBeNull();
  });

  it.each<[string, LockOut]>([
    ["somebody is outside", { people: people("ada@else.com") }],
    ["it is not known who is outside", { people: [], gap: "the members could not be read" }],
  ])("is blocked if %s, and can be allowed", (_name, found) => {
    expect(lockOutBlock(CHANGE, found, "me@acme.com")).toMatchObject({
      rule: "lock_out",
      command: ["driftline", "apply", "--allow-loss", "acme"],
    });
  });

  it("cannot be allowed if it locks out the key's own user, in any letter case", () => {
    const found = { people: people("bob@else.com", "me@else.com") };
    const own = lockOutBlock(CHANGE, found, "Me@Else.com");
    expect(own?.rule).toBe("own_user");
    expect(own?.command).toBeUndefined();
    expect(own?.remedy).toMatchSnapshot("sentence");
    expect(lockOutBlock(CHANGE, found, "me@acme.com")?.rule).toBe("lock_out");
  });

  it("names the people in their natural order, says who is an owner, and counts those beyond eight", () => {
    const some = lockOutBlock(
      CHANGE,
      { people: [...people("p10@b.c", "p2@b.c"), { email: "a@b.c", isOwner: true }] },
      "",
    );
    expect(some?.remedy).toMatch(/a@b\.c \(owner\), p2@b\.c, p10@b\.c, or/u);
    const many = people(...Array.from({ length: 9 }, (_, index) => `p${String(index + 1)}@b.c`));
    const remedyOf = (found: LockOut): string => lockOutBlock(CHANGE, found, undefined)?.remedy ?? "";
    expect(remedyOf({ people: many })).not.toContain("p9@b.c");
    expect(remedyOf({ people: many.slice(0, 8) })).toContain("p8@b.c");
    expect([
      remedyOf({ people: many }),
      remedyOf({ people: [], gap: "G" }),
      remedyOf({ people: many.slice(0, 2), gap: "G" }),
    ]).toMatchSnapshot("sentences");
  });
});
