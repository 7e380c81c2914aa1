/** A create that the service refuses because somebody else was faster. */
import { describe, expect, it } from "vitest";
import type { ApplyContext } from "../../../../src/apply/run-state.ts";
import type { Change } from "../../../../src/model/change.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { apiError, change, world } from "../support.ts";

const EVE = "eve@acme.com";
const UNIQUE = { kind: "invalid", status: 400, code: "unique", tookEffect: "no" } as const;

interface Case {
  readonly error?: Parameters<typeof apiError>[1];
  readonly row?: JsonObject;
  readonly otherRuns?: ApplyContext["otherRuns"];
}

interface Joining extends Pick<Case, "otherRuns"> {
  readonly level?: number;
  readonly status?: number;
}

/** The create of the domain a.com is refused, and meanwhile the list shows another row. */
async function refused({ error = UNIQUE, row = { domain: "a.com" }, otherRuns = "look after" }: Case) {
  const given = world({ otherRuns });
  given.on("domains.create", () => {
    given.add("domains", row);
    return Promise.reject(apiError("domains.create", error));
  });
  const [outcome] = await given.apply(change("domain", { domain: "a.com" }));
  return { given, outcome };
}

describe("a name that the service calls taken", () => {
  it("is that of another run, which was faster: its object is the one of the resource", async () => {
    const { given, outcome } = await refused({});
    expect(outcome).toMatchObject({ status: "yielded", id: "domains-1", error: null });
    expect(given.journal.open()).toEqual([]);
    expect(given.journal.made).toEqual([]);
  });

  it.each<[string, Case]>([
    ["no object has that name", { row: { domain: "b.com" } }],
    ["the object is removed", { row: { domain: "a.com", deleted: true } }],
    ["the service refuses something else", { error: { ...UNIQUE, code: "invalid_input" } }],
    ["it was no refusal of the values", { error: { ...UNIQUE, status: 409 } }],
    ["the caller has looked right before", { otherRuns: (_list, read) => read() }],
  ])("stays an error if %s", async (_name, given) => {
    const { outcome } = await refused(given);
    expect(outcome).toMatchObject({ status: "failed", id: null });
  });

  it("stays an error if another change of the plan has the object", async () => {
    const given = world({ otherRuns: "look after" });
    given.add("domains", { domain: "a.com" });
    const [live] = given.live("domain");
    given.on("domains.create", () => Promise.reject(apiError("domains.create", UNIQUE)));
    const kept = change("domain", { domain: "a.com" }, { live, name: "other" });
    const [, outcome] = await given.apply(kept, change("domain", { domain: "a.com" }));
    expect(outcome).toMatchObject({ status: "failed", error: { code: "unique" } });
  });
});

describe("an invite that the service refuses, because its person has joined meanwhile", () => {
  const invite = change("invite", { target_email: EVE, level: 1 }, { name: EVE });
  const membership = change("membership", { level: 1 }, { name: EVE });
  const joining = async (create: Change, { level = 8, status = 400, otherRuns }: Joining = {}) => {
    const given = world({ otherRuns: otherRuns ?? "look after" });
    given.on("invites.create", () => {
      given.add("members", { level, user: { uuid: "u-1", email: EVE } });
      return Promise.reject(apiError("invites.create", { kind: "invalid", status, code: "nope", tookEffect: "no" }));
    });
    const [outcome] = await given.apply(create);
    return outcome;
  };

  it("is not sent again: the member is the person, who has another level by then", async () => {
    expect(await joining(invite)).toMatchObject({ status: "unchanged", action: "no_op", id: "u-1" });
    expect(await joining(membership, { level: 1 })).toMatchObject({ status: "unchanged", id: "u-1" });
  });

  it("is skipped if the membership is not as declared, or if the caller has looked right before", async () => {
    const stale = { status: "skipped", id: "u-1", error: { code: "stale" } };
    expect(await joining(membership)).toMatchObject(stale);
    expect(await joining(invite, { otherRuns: (_list, read) => read() })).toMatchObject(stale);
  });

  it("stays an error if it was no refusal of the values", async () => {
    expect(await joining(invite, { status: 403 })).toMatchObject({ status: "failed", error: { code: "nope" } });
  });

  it("stays an error if the person is not there", async () => {
    const given = world({ otherRuns: "look after" });
    given.add("members", { level: 1, user: { uuid: "u-2", email: "ada@acme.com" } });
    given.on("invites.create", () => Promise.reject(apiError("invites.create", { ...UNIQUE, code: "nope" })));
    expect(await given.apply(invite)).toMatchObject([{ status: "failed", error: { code: "nope" } }]);
  });

  it("is that of a member if it is removed, and its person has joined", async () => {
    const given = world();
    given.add("invites", { target_email: EVE, level: 1 });
    const [live] = given.live("invite");
    given.on("invites.delete", () => {
      given.rows.set("invites", []);
      given.add("members", { level: 1, user: { uuid: "u-1", email: EVE } });
      return Promise.reject(apiError("invites.delete", { kind: "not_found", status: 404, tookEffect: "no" }));
    });
    const gone = change("invite", { target_email: EVE, level: 1 }, { live, name: EVE, lifecycle: { state: "absent" } });
    expect(await given.apply(gone)).toMatchObject([{ status: "skipped", id: "u-1", error: { code: "stale" } }]);
  });
});
