import { describe, expect, it } from "vitest";
import type { LiveScope, LiveWorld } from "../../../src/model/live.ts";
import { organizationAt } from "../../../src/kinds/live-organization.ts";
import { live } from "../plan/world.ts";

/** A world with another scope besides `acme` and its project. */
const withScope = (address: string, scope: LiveScope): LiveWorld => {
  const world = live();
  return { ...world, scopes: new Map([...world.scopes, [address, scope]]) };
};

describe("the live organization of a scope", () => {
  it("has its values", () => {
    expect(organizationAt(live(), "acme")).toMatchObject({ name: "Acme Inc", membership_level: 15 });
  });

  it.each<[string, string, LiveWorld]>([
    ["does not exist yet", "beta", withScope("beta", { status: "absent" })],
    ["could not be read", "beta", withScope("beta", { status: "unknown", reason: "", isDenied: true })],
    ["is not in the list", "beta", withScope("beta", { status: "known", path: { organization_id: "b" } })],
    ["is no part of the world", "beta", live()],
    ["is in a list that was not read", "acme", { ...live(), lists: new Map() }],
    ["is that of a project, whose path has no organization", "acme/projects/web", live()],
  ])("is undefined if it %s", (_name, scope, world) => {
    expect(organizationAt(world, scope)).toBeUndefined();
  });
});
