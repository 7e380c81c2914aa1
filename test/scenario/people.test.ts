import { expect, it } from "vitest";
import type { Dialect } from "../../src/emulator/index.ts";
import { describeDialects } from "../support/dialects.ts";
import { planJson, applyJson } from "../support/acme.ts";
import { planOf } from "../support/cli.ts";
import { linesWith, normalized } from "../support/normalized.ts";
import {
  SELF,
  OLD,
  acme,
  config,
  member,
  invite,
  memberships,
  peopleOf,
  mails,
  writes,
  changesOf,
  expectAtRest,
} from "../support/people.ts";

/** A service of the document does not know the field that keeps it from sending an e-mail. */
const mailsOfReplace = (dialect: Dialect): number => (dialect === "document" ? 1 : 0);

describeDialects("a membership", (dialect) => {
  it("of a member is a PATCH of the level", async () => {
    const space = await acme(
      { members: [member("Ada@Acme.com", 1)] },
      memberships({ "ada@acme.com": { level: "admin" } }),
    );
    await space.apply();
    expect(peopleOf(space)).toMatchObject({ members: { "Ada@Acme.com": 8 }, invites: [] });
    expect(writes(space)).toEqual(["PATCH members"]);
    await expectAtRest(space);
  });

  it("of an unknown person is an invite, and the plan says that an e-mail is sent", async () => {
    const space = await acme({}, memberships({ "eve@acme.com": { level: "admin" } }));
    const [change] = changesOf(await planJson(space));
    expect(change).toMatchObject({ action: "create" });
    expect(normalized(change?.reason)).toMatchSnapshot();
    await space.apply();
    expect(peopleOf(space).invites).toEqual(["eve@acme.com 8"]);
    expect(mails(space)).toBe(1);
    await expectAtRest(space);
  });

  it("of a person who is invited already sends nothing, regardless of the case of the address", async () => {
    const space = await acme(
      { invites: [invite("Eve@Acme.com", { level: 8 })] },
      memberships({ "eve@acme.com": { level: "admin" } }),
    );
    await expectAtRest(space);
    expect(mails(space)).toBe(0);
  });

  it("whose invite was accepted is no drift", async () => {
    const space = await acme({}, memberships({ "eve@acme.com": { level: "admin" } }));
    await space.apply();
    const [sent] = space.emulator.find("invite");
    space.emulator.acceptInvite(String(sent?.id));
    await expectAtRest(space);
    expect(peopleOf(space)).toMatchObject({ members: { "eve@acme.com": 8 }, invites: [] });
  });

  it("of another level than the pending invite is a replace that says whether it sends an e-mail", async () => {
    const space = await acme(
      { invites: [invite("eve@acme.com")] },
      memberships({ "eve@acme.com": { level: "admin" } }),
    );
    const [change] = changesOf(await planJson(space));
    expect(change).toMatchObject({ action: "replace" });
    expect(normalized(change?.reason)).toMatchSnapshot();
    await space.apply();
    expect(peopleOf(space).invites).toEqual(["eve@acme.com 8"]);
    expect(writes(space)).toEqual(["DELETE invites", "POST invites"]);
    expect(mails(space)).toBe(mailsOfReplace(dialect));
    await expectAtRest(space);
  });

  it("with pending invites of several levels ends with one invite", async () => {
    const space = await acme(
      { invites: [invite("eve@acme.com"), invite("eve@acme.com", { level: 15 })] },
      memberships({ "eve@acme.com": { level: "admin" } }),
    );
    const [change] = changesOf(await planJson(space));
    expect(change?.fields).toEqual([{ path: "/level", prior: [1, 15], planned: 8 }]);
    await space.apply();
    expect(peopleOf(space).invites).toEqual(["eve@acme.com 8"]);
    expect(mails(space)).toBe(mailsOfReplace(dialect));
    await expectAtRest(space);
  });

  it("that is forgotten is neither changed nor pruned", async () => {
    const space = await acme(
      { members: [member("ada@acme.com", 8), member("bob@acme.com")] },
      {
        exclusive: ["memberships"],
        ...memberships({
          "ada@acme.com": { level: "member", lifecycle: { forget: true } },
          [SELF]: { level: "owner" },
        }),
      },
    );
    await space.apply(["--prune"]);
    expect(peopleOf(space).members).toEqual({ "ada@acme.com": 8, [SELF]: 15 });
  });

  it("that is absent removes the member and every invite of the address", async () => {
    const space = await acme(
      {
        members: [member("eve@acme.com"), member("ada@acme.com")],
        invites: [
          invite("eve@acme.com"),
          invite("Eve@acme.com", { level: 8, created_at: OLD }),
          invite("dan@acme.com"),
        ],
      },
      memberships({ "eve@acme.com": { lifecycle: { state: "absent" } } }),
    );
    await space.apply();
    expect(peopleOf(space)).toEqual({ members: { "ada@acme.com": 1, [SELF]: 15 }, invites: ["dan@acme.com 1"] });
    await expectAtRest(space);
  });

  it("that is absent removes the invites of a person who never joined", async () => {
    const space = await acme(
      { invites: [invite("eve@acme.com"), invite("EVE@acme.com")] },
      memberships({ "eve@acme.com": { lifecycle: { state: "absent" } } }),
    );
    await space.apply();
    expect(peopleOf(space).invites).toEqual([]);
    await expectAtRest(space);
  });

  it("whose invite has expired is reported, and an apply every night sends no e-mail", async () => {
    const space = await acme(
      { invites: [invite("eve@acme.com", { created_at: OLD })] },
      memberships({ "eve@acme.com": { level: "member" } }),
    );
    const planned = await planJson(space);
    expect(planOf(planned).diagnostics).toMatchObject([
      { severity: "warning", code: "invite_expired", address: "acme/memberships/eve@acme.com" },
    ]);
    expect(linesWith((await space.run(["drift"])).stderr, "warning invite_expired: ")).toMatchSnapshot();
    for (let night = 1; night <= 3; night += 1) await space.apply([], 13);
    expect(mails(space)).toBe(0);
  });

  it("whose invite has expired is a difference in plan and drift, which say how to renew it", async () => {
    const space = await acme(
      { invites: [invite("eve@acme.com", { created_at: OLD })] },
      memberships({ "eve@acme.com": { level: "member" }, "ada@acme.com": { lifecycle: { forget: true } } }),
    );
    const { code, document } = await space.drift();
    const planned = await space.run(["plan", "--format", "json", "--detailed-exitcode"]);
    expect([code, planned.code, (await planJson(space)).code]).toEqual([2, 2, 0]);
    for (const { changes, summary } of [document, planOf(planned)]) {
      expect(summary).toMatchObject({ replace: 1, blocked: 1 });
      expect(changes.find(({ blocked }) => blocked !== null)).toMatchObject({
        address: "acme/memberships/eve@acme.com",
        action: "replace",
        blocked: { rule: "expired", lift: expect.stringContaining("lifecycle.renew: true") as string },
      });
    }
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(2);
    await space.configure(config(memberships({ "eve@acme.com": { level: "member", lifecycle: { forget: true } } })));
    expect((await space.drift()).code).toBe(0);
  });

  it("whose invite has expired is invited again with lifecycle.renew, once", async () => {
    const space = await acme(
      { invites: [invite("eve@acme.com", { created_at: OLD })] },
      memberships({ "eve@acme.com": { level: "member", lifecycle: { renew: true } } }),
    );
    await space.apply();
    expect(peopleOf(space).invites).toEqual(["eve@acme.com 1"]);
    expect(space.emulator.find("invite")[0]?.["created_at"]).not.toBe(OLD);
    await expectAtRest(space);
    expect(mails(space)).toBe(1);
  });

  it("whose invite has expired stays expired at another level too: only renew sends", async () => {
    const space = await acme(
      { invites: [invite("eve@acme.com", { created_at: OLD })] },
      memberships({ "eve@acme.com": { level: "admin" } }),
    );
    await space.apply([], 13);
    expect(mails(space)).toBe(0);
  });
});

describeDialects("an invite", () => {
  const carol = (more: object = {}): object => ({ invites: { carol: { target_email: "carol@acme.com", ...more } } });

  it("is sent once", async () => {
    const space = await acme({}, carol({ level: "member", message: "Welcome" }));
    await space.apply();
    await expectAtRest(space);
    expect(mails(space)).toBe(1);
  });

  it("whose address belongs to a member by now is no_op, regardless of its other fields", async () => {
    const space = await acme(
      { members: [member("Carol@acme.com", 15)] },
      carol({ level: "member", message: "Welcome" }),
    );
    expect(changesOf(await planJson(space))).toMatchObject([{ action: "no_op" }]);
    await expectAtRest(space);
  });

  it("that is pinned and was accepted is no_op", async () => {
    const space = await acme({ invites: [invite("carol@acme.com")] }, carol());
    const [sent] = space.emulator.find("invite");
    const id = String(sent?.id);
    space.emulator.acceptInvite(id);
    await space.configure(config(carol({ id })));
    await expectAtRest(space);
  });

  it("that is changed is deleted and sent anew, as an invite cannot be changed", async () => {
    const space = await acme(
      { invites: [invite("carol@acme.com", { message: "Hello" })] },
      carol({ message: "Welcome", lifecycle: { renew: true } }),
    );
    const [change] = changesOf(await planJson(space));
    expect(normalized(change?.reason)).toMatchSnapshot();
    expect(change?.fields).toEqual([{ path: "/message", prior: "Hello", planned: "Welcome" }]);
    await space.apply();
    expect(space.emulator.find("invite").map((one) => one["message"])).toEqual(["Welcome"]);
    await expectAtRest(space);
  });

  it("that has expired is reported and renewed only with lifecycle.renew", async () => {
    const space = await acme({ invites: [invite("carol@acme.com", { created_at: OLD })] }, carol());
    expect(planOf(await planJson(space)).diagnostics).toMatchObject([{ code: "invite_expired" }]);
    await expectAtRest(space);
    expect(mails(space)).toBe(0);
    await space.configure(config(carol({ lifecycle: { renew: true } })));
    await space.apply();
    await expectAtRest(space);
    expect(mails(space)).toBe(1);
    expect(peopleOf(space).invites).toEqual(["carol@acme.com 1"]);
  });

  it("that is absent is withdrawn, a member with the address is left alone", async () => {
    const space = await acme(
      { invites: [invite("carol@acme.com")], members: [member("dan@acme.com")] },
      {
        invites: {
          carol: { target_email: "carol@acme.com", lifecycle: { state: "absent" } },
          dan: { target_email: "dan@acme.com", lifecycle: { state: "absent" } },
        },
      },
    );
    await space.apply();
    expect(peopleOf(space)).toEqual({ members: { "dan@acme.com": 1, [SELF]: 15 }, invites: [] });
  });
});

describeDialects("people", () => {
  it.each([
    [
      "membership and member",
      { memberships: { "ada@acme.com": { level: "admin" } }, members: { "Ada@Acme.com": { level: "admin" } } },
    ],
    [
      "membership and invite",
      { memberships: { "ada@acme.com": { level: "admin" } }, invites: { ada: { target_email: "ADA@acme.com" } } },
    ],
    [
      "member and invite",
      { members: { "ada@acme.com": { level: "admin" } }, invites: { ada: { target_email: "ada@acme.com" } } },
    ],
    ["two invites", { invites: { a: { target_email: "ada@acme.com" }, b: { target_email: "Ada@acme.com" } } }],
    ["two memberships", { memberships: { "ada@acme.com": { level: "admin" }, "Ada@acme.com": { level: "member" } } }],
  ])("one lower-cased e-mail may be declared once: %s is 10", async (_name, declared) => {
    const space = await acme({}, declared);
    expect((await applyJson(space)).code).toBe(10);
    expect(space.emulator.requests).toEqual([]);
  });

  it("a declared member who does not exist is missing: no one is created or invited", async () => {
    const space = await acme({}, { members: { "eve@acme.com": { level: "admin" } } });
    expect((await applyJson(space)).code).toBe(13);
    expect(writes(space)).toEqual([]);
  });

  it("exclusive memberships cover members and invites, the key's own user not", async () => {
    const space = await acme(
      {
        members: [member("ada@acme.com"), member("bob@acme.com")],
        invites: [invite("eve@acme.com"), invite("old@acme.com", { created_at: OLD })],
      },
      { exclusive: ["memberships"], ...memberships({ "ada@acme.com": { level: "member" } }) },
    );
    expect((await space.drift()).code).toBe(2);
    expect((await applyJson(space)).code).toBe(13);
    expect(writes(space)).toEqual([]);
    expect((await applyJson(space, "--prune")).code).toBe(14);
    expect(peopleOf(space)).toEqual({ members: { "ada@acme.com": 1, [SELF]: 15 }, invites: [] });
  });

  it("exclusive invites are pruned beside memberships, exclusive memberships beside members", async () => {
    const live = { members: [member("ada@acme.com")], invites: [invite("eve@acme.com"), invite("zoe@acme.com")] };
    const space = await acme(live, {
      exclusive: ["invites"],
      invites: { zoe: { target_email: "zoe@acme.com" } },
      ...memberships({ "ada@acme.com": { level: "member" } }),
    });
    expect((await space.drift()).code).toBe(2);
    await space.apply(["--prune"]);
    expect(peopleOf(space)).toEqual({ members: { "ada@acme.com": 1, [SELF]: 15 }, invites: ["zoe@acme.com 1"] });
    const others = await acme(live, {
      exclusive: ["memberships"],
      members: { "ada@acme.com": { level: "member" }, [SELF]: { level: "owner" } },
    });
    await others.apply(["--prune"]);
    expect(peopleOf(others)).toEqual({ members: { "ada@acme.com": 1, [SELF]: 15 }, invites: [] });
  });

  it("exclusive memberships do not prune a person who is declared as a member or as an invite", async () => {
    const declared = {
      exclusive: ["memberships"],
      members: { "ada@acme.com": { level: "member" }, [SELF]: { level: "owner" } },
      invites: { eve: { target_email: "eve@acme.com" } },
    };
    const space = await acme({ members: [member("ada@acme.com")], invites: [invite("eve@acme.com")] }, declared);
    expect(planOf(await planJson(space, "--prune")).summary).toMatchObject({ delete: 0, unmanaged: 0 });
  });
});
