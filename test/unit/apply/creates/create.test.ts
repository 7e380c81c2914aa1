/** What a service creates together with an organization: the membership of its creator. */
import { describe, expect, it } from "vitest";
import { findInNewScope } from "../../../../src/apply/creates/create.ts";
import type { ExecuteResult } from "../../../../src/apply/task.ts";
import type { LiveScope } from "../../../../src/model/live.ts";
import { change, resource, world } from "../support.ts";

const EVE = "eve@acme.com";
const NEW: LiveScope = { status: "absent" };

/** What is found for a declared person in an organization with one member. */
async function found(
  kind: "domain" | "invite" | "membership",
  level: number,
  { name = EVE, scope = NEW }: { readonly name?: string; readonly scope?: LiveScope } = {},
): Promise<ExecuteResult | undefined> {
  const given = world();
  given.add("members", { level: 15, user: { uuid: "u-1", email: EVE } });
  given.scopes.set("acme", scope);
  const values = { domain: { domain: "a.com" }, invite: { target_email: name, level }, membership: { level } }[kind];
  const { work } = change(kind, values, { name });
  if (work === null || work === undefined) throw new Error("nothing to do");
  return findInNewScope(given.task(kind), { ...work, resource: resource(kind, values, { name }) });
}

describe("in an organization that this run has created", () => {
  it("the membership of its creator is taken as it is declared", async () => {
    expect(await found("membership", 15)).toEqual({ id: "u-1", unchanged: expect.stringMatching(/./u) as string });
  });

  it("another level of its creator is not written, because no other person may own the organization", async () => {
    await expect(found("membership", 8)).rejects.toMatchObject({ status: "skipped", code: "stale", id: "u-1" });
  });

  it("an invite of its creator is not sent, regardless of its level", async () => {
    expect((await found("invite", 8))?.id).toBe("u-1");
  });

  it("other people are not found", async () => {
    expect(await found("membership", 15, { name: "ada@acme.com" })).toBeUndefined();
  });

  it("other kinds are not looked for", async () => {
    expect(await found("domain", 0)).toBeUndefined();
  });

  it("nothing is looked for if the plan saw the organization", async () => {
    const path = { organization_id: "1" };
    expect(await found("membership", 8, { scope: { status: "known", path } })).toBeUndefined();
  });
});
