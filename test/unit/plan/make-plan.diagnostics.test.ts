import { describe, expect, it } from "vitest";
import type { Lifecycle, Resource } from "../../../src/model/resource.ts";
import { dataOf, sentencesOf } from "../../support/sentences.ts";
import { declare, live, plan } from "./world.ts";

const WEB = "acme/projects/web/insights";
const INVITE = { id: "i1", target_email: "bob@acme.com", level: 1, is_expired: false };
const MEMBER = { id: "m1", level: 15, user: { uuid: "u1", email: "ada@acme.com" } };
const ROW = { id: 7, short_id: "abcdefgh", name: "Signups" };

/** The diagnostics of a resource whose action cannot be decided. */
describe("an action that cannot be decided is reported with its place and a way out", () => {
  const at = { file: "a.yaml", line: 3, column: 5 };
  const place = (address: string) => ({ address, severity: "error", ...at });

  it.each<[string, Resource, Parameters<typeof plan>[1], object, readonly string[]]>([
    [
      "two objects with one name",
      declare(`${WEB}/s`, { name: "Signups" }, { position: at }),
      live({}, { "insights.list": [ROW, { ...ROW, id: 8 }] }),
      { ...place(`${WEB}/s`), code: "ambiguous" },
      ["Signups", "7, 8", "id"],
    ],
    [
      "two objects with the former name",
      declare(`${WEB}/s`, { name: "New" }, { position: at, lifecycle: { renamed_from: "Signups" } }),
      live({}, { "insights.list": [ROW, { ...ROW, id: 8 }] }),
      { ...place(`${WEB}/s`), code: "ambiguous" },
      ["Signups", "7, 8", "id"],
    ],
    [
      "objects with both names of a rename",
      declare(`${WEB}/s`, { name: "New" }, { position: at, lifecycle: { renamed_from: "Signups" } }),
      live({}, { "insights.list": [ROW, { ...ROW, id: 8, name: "New" }] }),
      { ...place(`${WEB}/s`), code: "rename_conflict" },
      ["Signups", "8, 7", "lifecycle.renamed_from"],
    ],
  ])("%s", (_name, resource, world, diagnostic, says) => {
    const made = plan([resource], world);
    expect(dataOf(made.diagnostics)).toEqual([diagnostic]);
    const sentences = sentencesOf(made.diagnostics);
    for (const part of says) expect(sentences.join(" ")).toContain(part);
    expect(sentences).toMatchSnapshot();
    expect(made.changes).toEqual([
      {
        address: resource.address,
        kind: resource.kind,
        name: resource.values["name"],
        action: "unknown",
        reason: made.diagnostics[0]?.message,
        id: resource.pin?.value ?? null,
        blocked: null,
        fields: [],
        fingerprint: null,
        work: null,
      },
    ]);
  });

  it("an expired invite is a warning", () => {
    const made = plan(
      [declare("acme/memberships/bob@acme.com", { level: 1 }, { position: at })],
      live({ "members.list": [], "invites.list": [{ ...INVITE, is_expired: true }] }),
    );
    expect(dataOf(made.diagnostics)).toEqual([
      { severity: "warning", code: "invite_expired", address: "acme/memberships/bob@acme.com", ...at },
    ]);
    expect(made.diagnostics[0]).not.toHaveProperty("hint");
    expect(sentencesOf(made.diagnostics)).toMatchSnapshot();
  });

  it("an expired invite that is renewed, forgotten or removed causes no warning", () => {
    const of = (lifecycle: Lifecycle) =>
      plan(
        [declare("acme/memberships/bob@acme.com", { level: 1 }, { lifecycle })],
        live({ "members.list": [], "invites.list": [{ ...INVITE, is_expired: true }] }),
      ).diagnostics.map(({ code }) => code);
    expect(of({ renew: true })).toEqual([]);
    expect(of({ forget: true })).toEqual([]);
    expect(of({ state: "absent" })).toEqual([]);
  });

  it("a person who is absent as declared, or forgotten, causes no diagnostic", () => {
    for (const lifecycle of [{ state: "absent" }, { forget: true }] as const) {
      const made = plan([declare("acme/members/eve@acme.com", {}, { lifecycle })], live({ "members.list": [MEMBER] }));
      expect(made.diagnostics).toEqual([]);
      expect(made.changes.map(({ action }) => action)).toEqual(["no_op"]);
    }
  });
});
