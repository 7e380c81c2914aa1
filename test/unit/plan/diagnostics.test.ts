import { describe, expect, it } from "vitest";
import type { Lifecycle, Resource } from "../../../src/model/resource.ts";
import { declare, live, plan } from "./world.ts";

const WEB = "acme/projects/web/insights";
const INVITE = { id: "i1", target_email: "bob@acme.com", level: 1, is_expired: false };
const MEMBER = { id: "m1", level: 15, user: { uuid: "u1", email: "ada@acme.com" } };
const ROW = { id: 7, short_id: "abcdefgh", name: "Signups" };

/** What is reported of a resource about which nothing can be said. */
describe("what cannot be decided is reported with its place and a way out", () => {
  const at = { file: "a.yaml", line: 3, column: 5 };
  const place = (address: string) => ({ address, severity: "error", ...at });

  it.each<[string, Resource, Parameters<typeof plan>[1], object]>([
    [
      "two objects of one name",
      declare(`${WEB}/s`, { name: "Signups" }, { position: at }),
      live({}, { "insights.list": [ROW, { ...ROW, id: 8 }] }),
      {
        ...place(`${WEB}/s`),
        code: "ambiguous",
        message: 'several live objects are called "Signups": ids 7, 8',
        hint: "Pin the one that is meant with `id`.",
      },
    ],
    [
      "two objects of the former name",
      declare(`${WEB}/s`, { name: "New" }, { position: at, lifecycle: { renamed_from: "Signups" } }),
      live({}, { "insights.list": [ROW, { ...ROW, id: 8 }] }),
      {
        ...place(`${WEB}/s`),
        code: "ambiguous",
        message: 'several live objects are called "Signups": ids 7, 8',
        hint: "Pin the one that is meant with `id`.",
      },
    ],
    [
      "both names of a rename",
      declare(`${WEB}/s`, { name: "New" }, { position: at, lifecycle: { renamed_from: "Signups" } }),
      live({}, { "insights.list": [ROW, { ...ROW, id: 8, name: "New" }] }),
      {
        ...place(`${WEB}/s`),
        code: "rename_conflict",
        message: 'both the new name and "Signups" are there: ids 8, 7',
        hint: "Remove lifecycle.renamed_from, or one of the objects.",
      },
    ],
    [
      "a pinned object that another one has taken the place of",
      declare("acme/domains/d", { domain: "d.com" }, { position: at, pin: { field: "id", value: "x" } }),
      live({ "domains.list": [{ id: "y", domain: "d.com" }] }),
      {
        ...place("acme/domains/d"),
        code: "pin_missing",
        message: "there is no domain with the id x",
        hint: "What is called so now has the id y: pin that one if it took its place, or take the pin out.",
      },
    ],
    [
      "a pinned object that is not there",
      declare("acme/domains/d", { domain: "d.com" }, { position: at, pin: { field: "id", value: "x" } }),
      live({ "domains.list": [{ id: "y", domain: "e.com" }] }),
      {
        ...place("acme/domains/d"),
        code: "pin_missing",
        message: "there is no domain with the id x",
        hint: "Correct the pinned id, or take it out to have a new object created.",
      },
    ],
    [
      "somebody who has not joined",
      declare("acme/members/eve@acme.com", { level: 8 }, { position: at }),
      live({ "members.list": [MEMBER] }),
      {
        ...place("acme/members/eve@acme.com"),
        code: "not_there",
        message: "eve@acme.com is not a member, and a member is never created",
        hint: "Declare a membership instead: it invites whoever is not there.",
      },
    ],
  ])("%s", (_name, resource, snapshot, diagnostic) => {
    const made = plan([resource], snapshot);
    expect(made.diagnostics).toEqual([diagnostic]);
    expect(made.changes).toEqual([
      {
        address: resource.address,
        kind: resource.kind,
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
    expect(made.diagnostics).toEqual([
      {
        severity: "warning",
        code: "invite_expired",
        address: "acme/memberships/bob@acme.com",
        message: "acme/memberships/bob@acme.com: the invite has expired; lifecycle.renew: true sends a new one",
        ...at,
      },
    ]);
  });

  it("an expired invite that is renewed, forgotten or removed is none", () => {
    const of = (lifecycle: Lifecycle) =>
      plan(
        [declare("acme/memberships/bob@acme.com", { level: 1 }, { lifecycle })],
        live({ "members.list": [], "invites.list": [{ ...INVITE, is_expired: true }] }),
      ).diagnostics.map(({ code }) => code);
    expect(of({ renew: true })).toEqual([]);
    expect(of({ state: "absent" })).toEqual([]);
  });

  it("somebody who is absent as declared, or left alone, is no mistake", () => {
    for (const lifecycle of [{ state: "absent" }, { forget: true }] as const) {
      const made = plan([declare("acme/members/eve@acme.com", {}, { lifecycle })], live({ "members.list": [MEMBER] }));
      expect(made.diagnostics).toEqual([]);
      expect(made.changes.map(({ action }) => action)).toEqual(["no_op"]);
    }
  });
});
