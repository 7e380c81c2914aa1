import { describe, expect, it } from "vitest";
import { lockOut, lockOutBlock, type Outsiders } from "../../../../src/kinds/organization/lock-out.ts";

/** How the check blocks, by its own rule if it names no other. */
const blockOf = (found: Outsiders, self?: string) => {
  const { blocked } = lockOutBlock("acme", found, self);
  return blocked && { rule: lockOut.rule, ...blocked };
};
const people = (...emails: readonly string[]): Outsiders["people"] => emails.map((email) => ({ email }));

describe("a setting that locks people out", () => {
  it("is not blocked if it is known that nobody is outside", () => {
    expect(blockOf({ people: [] }, undefined)).toBeUndefined();
  });

  it.each<[string, Outsiders]>([
    ["somebody is outside", { people: people("ada@else.com") }],
    ["it is not known who is outside", { people: [], gap: "the members could not be read" }],
  ])("is blocked if %s, and can be allowed", (_name, found) => {
    expect(blockOf(found, "me@acme.com")).toMatchObject({
      rule: "lock_out",
      command: ["driftline", "apply", "--allow-loss", "acme"],
    });
  });

  it("cannot be allowed if it locks out the key's own user, in any letter case", () => {
    const found = { people: people("bob@else.com", "me@else.com") };
    const own = blockOf(found, "Me@Else.com");
    expect(own?.rule).toBe("own_user");
    expect(own?.command).toBeUndefined();
    expect(own?.remedy).toMatchSnapshot("sentence");
    expect(blockOf(found, "me@acme.com")?.rule).toBe("lock_out");
  });

  it("names the people in their natural order, says who is an owner, and counts those beyond eight", () => {
    const some = blockOf({ people: [...people("p10@b.c", "p2@b.c"), { email: "a@b.c", isOwner: true }] }, "");
    expect(some?.remedy).toMatch(/a@b\.c \(owner\), p2@b\.c, p10@b\.c, /u);
    const many = people(...Array.from({ length: 9 }, (_, index) => `p${String(index + 1)}@b.c`));
    const remedyOf = (found: Outsiders): string => blockOf(found, undefined)?.remedy ?? "";
    expect(remedyOf({ people: many })).not.toContain("p9@b.c");
    expect(remedyOf({ people: many.slice(0, 8) })).toContain("p8@b.c");
    expect([
      remedyOf({ people: many }),
      remedyOf({ people: [], gap: "G" }),
      remedyOf({ people: many.slice(0, 2), gap: "G" }),
    ]).toMatchSnapshot("sentences");
  });
});
