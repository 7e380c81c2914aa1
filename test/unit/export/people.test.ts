import { describe, expect, it } from "vitest";
import { exportConfiguration } from "../../../src/export/export.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { objectOf, acme, at, exported, live, member, readText, uuid } from "./helpers.ts";

describe("people", () => {
  it("are exported as memberships by e-mail, with words for levels", () => {
    const members = [member(1, "Zoe@acme.com", 15), member(2, "ada@acme.com", 8), member(3, "bob@acme.com", 1)];
    const found = exported(acme({ member: members }));
    expect(Object.entries(objectOf(at(found, "memberships")))).toEqual([
      ["ada@acme.com", { level: "admin" }],
      ["bob@acme.com", { level: "member" }],
      ["zoe@acme.com", { level: "owner" }],
    ]);
    expect(found).not.toHaveProperty("members");
  });

  it("with a level that has no name keep the number, with a warning", () => {
    const { files, diagnostics } = exportConfiguration([acme({ member: [member(1, "a@acme.com", 3)] })], { ids: true });
    expect(files[0]?.text).toContain("a@acme.com: { level: 3 }\n");
    expect(diagnostics).toMatchObject([{ code: "not_declarable", address: "acme-inc/memberships/a@acme.com" }]);
  });

  it.each(["root@localhost", "a/b@acme.com"])("with an address that cannot be declared are left out: %s", (email) => {
    const { files, diagnostics } = exportConfiguration([acme({ member: [member(1, email, 8)] })], { ids: true });
    expect(files[0]?.text).not.toContain(email);
    expect(diagnostics).toMatchObject([{ code: "not_declarable" }]);
  });

  it("who share an address are left out with a warning", () => {
    const organization = acme({ member: [member(1, "Ada@acme.com", 8), member(2, "ada@acme.com", 1)] });
    const { files, diagnostics } = exportConfiguration([organization], { ids: true });
    expect(files[0]?.text).not.toContain("memberships");
    expect(diagnostics).toMatchObject([{ code: "not_declarable" }]);
    for (const part of [uuid(1), uuid(2), "ada@acme.com"]) expect(diagnostics[0]?.message).toContain(part);
    expect(sentencesOf(diagnostics)).toMatchSnapshot();
  });

  it("who are invited get a pinned invite, unless they are members", () => {
    const invites = ["carol@acme.com", "ada@acme.com"].map((target_email, index) =>
      live("invite", uuid(index), { target_email, level: 8, first_name: "C", message: null }),
    );
    const found = exported(acme({ member: [member(1, "ada@acme.com", 1)], invite: invites }));
    expect(at(found, "invites")).toEqual({
      "carol-acme-com": { id: uuid(0), target_email: "carol@acme.com", level: "admin", first_name: "C" },
    });
  });

  it("with several invites are exported once, as the newest", () => {
    const invites = ["2030-01-01", "2030-01-02", "2030-01-01"].map((createdAt, index) =>
      live("invite", uuid(index), { target_email: "c@acme.com", level: 1 }, { createdAt }),
    );
    const { files, diagnostics } = exportConfiguration([acme({ invite: invites })], { ids: true });
    expect(at(readText(files[0]?.text ?? ""), "organizations", "acme-inc", "invites")).toMatchObject({
      "c-acme-com": { id: uuid(1) },
    });
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "several_invites" }]);
    for (const part of ["c@acme.com", "3", uuid(0), uuid(2)]) expect(diagnostics[0]?.message).toContain(part);
    expect(sentencesOf(diagnostics)).toMatchSnapshot();
  });

  it("with several invites are left out without ids, because a plan could not distinguish the invites", () => {
    const invites = [false, true].map((expired, index) =>
      live("invite", uuid(index), { target_email: "c@acme.com", level: 1 }, expired ? { state: "expired" } : {}),
    );
    const { files, diagnostics } = exportConfiguration([acme({ invite: invites })], { ids: false });
    expect(files[0]?.text).not.toContain("c@acme.com");
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "several_invites" }]);
  });

  it("whose invites have expired are counted and left out, because the next plan would warn about them", () => {
    const invites = ["c@acme.com", "d@acme.com", "d@acme.com"].map((target_email, index) =>
      live("invite", uuid(index), { target_email, level: 1 }, index > 0 ? { state: "expired" } : {}),
    );
    const { files, diagnostics, summary } = exportConfiguration([acme({ invite: invites })], { ids: true });
    expect(files[0]?.text).toContain("c@acme.com");
    expect(files[0]?.text).not.toContain("d@acme.com");
    expect(diagnostics).toEqual([]);
    expect(summary).toMatchObject({ expiredInvites: 2 });
  });
});
